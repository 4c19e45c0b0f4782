/// The format of interleaved PCM: its sample rate and channel layout.
public struct AudioSpec: Hashable, Sendable {
  /// Frames per second, in Hz.
  public var sampleRate: Int
  /// The speaker of each channel, in the order of the channels in a frame.
  public var layout: ChannelLayout

  /// A format of `sampleRate` Hz and a channel layout.
  public init(sampleRate: Int, layout: ChannelLayout) {
    self.sampleRate = sampleRate
    self.layout = layout
  }

  /// The number of channels, at least 1: the samples in a frame.
  public var channelCount: Int { layout.channelCount }

  /// The length of a number of frames, in seconds.
  public func seconds(frames: Int) -> Double { Double(frames) / Double(sampleRate) }
}

/// The storage format of a sample, in a file or in memory.
public enum SampleFormat: String, CaseIterable, Hashable, Sendable {
  /// Signed integers.
  case int8, int16, int24, int32
  /// IEEE 754 floating point.
  case float32, float64

  /// The size of a sample in bits.
  public var bitDepth: Int {
    switch self {
    case .int8: 8
    case .int16: 16
    case .int24: 24
    case .int32, .float32: 32
    case .float64: 64
    }
  }

  /// True if samples are floating point, nominally -1 to 1.
  public var isFloat: Bool { self == .float32 || self == .float64 }
}

extension SampleFormat {
  /// True if this format can represent every sample of `other` exactly.
  public func holds(_ other: SampleFormat) -> Bool {
    if other.isFloat { return isFloat && bitDepth >= other.bitDepth }
    // The significands of floating point have 24 and 53 bits (IEEE 754).
    let exactBits = isFloat ? (self == .float32 ? 24 : 53) : bitDepth
    return exactBits >= other.bitDepth
  }
}

extension SampleFormat: CustomStringConvertible {
  /// `24-bit`, `32-bit float`.
  public var description: String { "\(bitDepth)-bit" + (isFloat ? " float" : "") }
}
