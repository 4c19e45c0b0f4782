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
  /// Converts a sample that was read to the requested type.
  func sample<Sample: PCMSample>(clipping: inout Clipping, nonFinite: inout Int) -> Sample
}

// libsndfile passes integers of any depth in the upper bits of its types. It would wrap or truncate
// when it converts floating point to integers, so floating-point functions are used only for
// floating-point files.

extension Int16: SndFileSample {
  static var isAlwaysUsable: Bool { true }

  static func read(
    _ handle: OpaquePointer, _ samples: UnsafeMutablePointer<Int16>, frames: Int
  ) -> Int { Int(sf_readf_short(handle, samples, sf_count_t(frames))) }

  func sample<Sample: PCMSample>(clipping: inout Clipping, nonFinite: inout Int) -> Sample {
    Sample(integer: Int32(self), bitDepth: 16)
  }
}

extension Int32: SndFileSample {
  static var isAlwaysUsable: Bool { true }

  static func read(
    _ handle: OpaquePointer, _ samples: UnsafeMutablePointer<Int32>, frames: Int
  ) -> Int { Int(sf_readf_int(handle, samples, sf_count_t(frames))) }

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
    // At joints of pieces of Opus, libsndfile may return nothing once, and continues after that.
    return got == 0 ? Int(sf_readf_float(handle, samples, sf_count_t(frames))) : got
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

  func sample<Sample: PCMSample>(clipping: inout Clipping, nonFinite: inout Int) -> Sample {
    Sample(decoded: self, clipping: &clipping, nonFinite: &nonFinite)
  }
}
