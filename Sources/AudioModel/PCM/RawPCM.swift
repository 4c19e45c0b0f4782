/// The declaration of headerless samples: encoding, sample rate and channel layout.
public struct RawPCM: Hashable, Sendable {
  /// How one sample is stored, named like FFmpeg's raw formats.
  public enum Encoding: String, CaseIterable, Hashable, Sendable {
    /// Integers of 8 bits, signed or unsigned.
    case s8, u8
    /// Signed integers, little-endian or big-endian.
    case s16le, s16be, s24le, s24be, s32le, s32be
    /// IEEE 754 floating point, little-endian or big-endian.
    case f32le, f32be, f64le, f64be
    /// The 8 bits of ITU-T G.711, which are only read.
    case alaw, ulaw

    /// The sample format of this encoding; `nil` for G.711.
    public var sampleFormat: SampleFormat? {
      switch self {
      case .s8, .u8: .int8
      case .s16le, .s16be: .int16
      case .s24le, .s24be: .int24
      case .s32le, .s32be: .int32
      case .f32le, .f32be: .float32
      case .f64le, .f64be: .float64
      case .alaw, .ulaw: nil
      }
    }

    /// The encoding of linear samples of a width; `nil` if there is none. Byte order matters for more than one byte, a
    /// sign only for one.
    package init?(
      bytesPerSample: Int, isFloat: Bool = false, isBigEndian: Bool, isSigned: Bool = true
    ) {
      let found = Self.allCases.first { encoding in
        guard let format = encoding.sampleFormat else { return false }
        return format.bitDepth == 8 * bytesPerSample && format.isFloat == isFloat
          && (format == .int8
            ? (encoding == .s8) == isSigned : encoding.isBigEndian == isBigEndian)
      }
      guard let found else { return nil }
      self = found
    }

    package var isBigEndian: Bool { rawValue.hasSuffix("be") }
    package var bytesPerSample: Int { (sampleFormat?.bitDepth ?? 8) / 8 }
  }

  /// How each sample is stored.
  public var encoding: Encoding
  /// Sample rate and channel layout.
  public var spec: AudioSpec

  /// A declaration. The sample rate must be in ``sampleRateRange``, the channel count in ``channelRange``.
  public init(encoding: Encoding, spec: AudioSpec) {
    self.encoding = encoding
    self.spec = spec
  }

  package var bytesPerFrame: Int { encoding.bytesPerSample * spec.channelCount }

  /// The supported sample rates, in Hz.
  public static let sampleRateRange: ClosedRange<Int> = 1...AudioLimits.sampleRate
  /// The supported channel counts.
  public static let channelRange: ClosedRange<Int> = 1...AudioLimits.channelCount

  /// The layout with a name such as `5.1(side)`, or with a number of channels such as `6`; `nil` for other text.
  public static func layout(named text: String) -> ChannelLayout? {
    if let layout = ChannelLayout.named.first(where: { $0.description == text.lowercased() }) {
      return layout
    }
    guard let count = Int(text), channelRange.contains(count) else { return nil }
    return .assumed(channelCount: count)
  }
}

extension RawPCM: CustomStringConvertible {
  /// The declaration in one word: `s16le:48000:stereo`.
  public var description: String { "\(encoding.rawValue):\(spec.sampleRate):\(spec.layout)" }
}

/// Plausible values in the header of any file.
package enum AudioLimits {
  /// The maximum plausible sample rate, in Hz.
  package static let sampleRate = 10_000_000
  /// The maximum plausible channel count.
  package static let channelCount = 256
}
