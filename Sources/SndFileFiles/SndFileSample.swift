internal import AudioModel
internal import CSndFile

/// A type in which libsndfile gives and takes samples.
protocol SndFileSample: BitwiseCopyable {
  static var silence: Self { get }
  /// Whether samples can be taken as they are delivered: there are none that are no numbers.
  static var isAlwaysUsable: Bool { get }
  /// Reads `frames` frames; returns how many there were.
  static func read(
    _ handle: OpaquePointer, _ samples: UnsafeMutablePointer<Self>, frames: Int
  ) -> Int
  /// Writes `frames` frames; returns how many were taken.
  static func write(_ handle: OpaquePointer, _ samples: UnsafePointer<Self>, frames: Int) -> Int
  /// A sample to hand over, of the type that is stored.
  init<Sample: PCMSample>(storing sample: Sample)
  /// The sample that was delivered, in the type that is asked for.
  func sample<Sample: PCMSample>(clipping: inout Clipping, nonFinite: inout Int) -> Sample
}

// libsndfile takes integers, whatever their depth in the file, in the upper bits of its own types, and
// gives them so. It would wrap or truncate floating point that it had to make integers of, so that only
// files of floating point are read and written as such.

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
  ) -> Int { Int(sf_readf_float(handle, samples, sf_count_t(frames))) }

  static func write(_ handle: OpaquePointer, _ samples: UnsafePointer<Float>, frames: Int) -> Int {
    Int(sf_writef_float(handle, samples, sf_count_t(frames)))
  }

  init<Sample: PCMSample>(storing sample: Sample) { self.init(sample.normalized) }

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
