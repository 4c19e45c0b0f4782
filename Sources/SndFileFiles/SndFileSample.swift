internal import AudioModel
internal import CSndFile

/// A sample type of libsndfile's functions.
protocol SndFileSample: BitwiseCopyable {
  static var silence: Self { get }
  /// True when samples need no check for values that are not finite.
  static var isAlwaysUsable: Bool { get }
  /// Reads up to `frames` frames; returns how many were read.
  static func read(
    _ handle: OpaquePointer, _ samples: UnsafeMutablePointer<Self>, frames: Int
  ) -> Int
  /// Writes `frames` frames; returns how many were accepted.
  static func write(_ handle: OpaquePointer, _ samples: UnsafePointer<Self>, frames: Int) -> Int
  /// Converts a sample to the stored type.
  init<Sample: PCMSample>(storing sample: Sample)
  /// Limits the magnitude of a floating-point sample; returns whether it was larger.
  mutating func limit(to maximum: Float) -> Bool
  /// Converts a sample that was read to the requested type.
  func sample<Sample: PCMSample>(clipping: inout Clipping, nonFinite: inout Int) -> Sample
}

extension SndFileSample {
  mutating func limit(to maximum: Float) -> Bool { false }
}

// libsndfile passes integers of any depth in the upper bits of its types. It would wrap or truncate
// when it converts floating point to integers, so floating-point functions are used only for
// floating-point files.

extension Int16: SndFileSample {
  static var isAlwaysUsable: Bool { true }

  static func read(
    _ handle: OpaquePointer, _ samples: UnsafeMutablePointer<Int16>, frames: Int
  ) -> Int { Int(sf_readf_short(handle, samples, sf_count_t(frames))) }

  static func write(_ handle: OpaquePointer, _ samples: UnsafePointer<Int16>, frames: Int) -> Int {
    Int(sf_writef_short(handle, samples, sf_count_t(frames)))
  }

  init<Sample: PCMSample>(storing sample: Sample) {
    self.init(nearest: sample.doubleValue * (Self.fullScale / Sample.fullScale))
  }

  func sample<Sample: PCMSample>(clipping: inout Clipping, nonFinite: inout Int) -> Sample {
    Sample(integer: Int32(self), bitDepth: 16)
  }
}

extension Int32: SndFileSample {
  static var isAlwaysUsable: Bool { true }

  static func read(
    _ handle: OpaquePointer, _ samples: UnsafeMutablePointer<Int32>, frames: Int
  ) -> Int { Int(sf_readf_int(handle, samples, sf_count_t(frames))) }

  static func write(_ handle: OpaquePointer, _ samples: UnsafePointer<Int32>, frames: Int) -> Int {
    Int(sf_writef_int(handle, samples, sf_count_t(frames)))
  }

  init<Sample: PCMSample>(storing sample: Sample) {
    self.init(nearest: sample.doubleValue * (Self.fullScale / Sample.fullScale))
  }

  func sample<Sample: PCMSample>(clipping: inout Clipping, nonFinite: inout Int) -> Sample {
    Sample(integer: self, bitDepth: 32)
  }
}

extension Float: SndFileSample {
  static var isAlwaysUsable: Bool { false }

  static func read(
    _ handle: OpaquePointer, _ samples: UnsafeMutablePointer<Float>, frames: Int
  ) -> Int {
    let got = Int(sf_readf_float(handle, samples, sf_count_t(frames)))
    // Where pieces of Opus were joined, libsndfile may return nothing once, and continues after that.
    return got == 0 ? Int(sf_readf_float(handle, samples, sf_count_t(frames))) : got
  }

  static func write(_ handle: OpaquePointer, _ samples: UnsafePointer<Float>, frames: Int) -> Int {
    Int(sf_writef_float(handle, samples, sf_count_t(frames)))
  }

  init<Sample: PCMSample>(storing sample: Sample) { self.init(sample.normalized) }

  mutating func limit(to maximum: Float) -> Bool {
    guard magnitude > maximum else { return false }
    self = self < 0 ? -maximum : maximum
    return true
  }

  func sample<Sample: PCMSample>(clipping: inout Clipping, nonFinite: inout Int) -> Sample {
    Sample(decoded: Double(self), clipping: &clipping, nonFinite: &nonFinite)
  }
}

extension Double: SndFileSample {
  static var isAlwaysUsable: Bool { false }

  static func read(
    _ handle: OpaquePointer, _ samples: UnsafeMutablePointer<Double>, frames: Int
  ) -> Int { Int(sf_readf_double(handle, samples, sf_count_t(frames))) }

  static func write(_ handle: OpaquePointer, _ samples: UnsafePointer<Double>, frames: Int) -> Int {
    Int(sf_writef_double(handle, samples, sf_count_t(frames)))
  }

  init<Sample: PCMSample>(storing sample: Sample) { self = sample.normalized }

  func sample<Sample: PCMSample>(clipping: inout Clipping, nonFinite: inout Int) -> Sample {
    Sample(decoded: self, clipping: &clipping, nonFinite: &nonFinite)
  }
}

/// A permutation of the channels of interleaved frames.
struct ChannelOrder: Sendable {
  /// For each channel of the target, the channel of the source; `nil` for the identity.
  private let sources: [Int]?

  /// The permutation from one layout to another with the same speakers; `nil` if the speakers
  /// differ.
  init?(from layout: ChannelLayout, to target: ChannelLayout) {
    guard let order = layout.order(for: target) else { return nil }
    sources = order == Array(order.indices) ? nil : order
  }

  /// The identity.
  static let unchanged = ChannelOrder()

  private init() { sources = nil }

  /// True when the order is unchanged.
  var isIdentity: Bool { sources == nil }

  /// The index in the source's interleaved samples for an index in the target's.
  func source(of index: Int, channelCount: Int) -> Int {
    guard let sources else { return index }
    let channel = index % channelCount
    return index - channel + sources[channel]
  }
}
