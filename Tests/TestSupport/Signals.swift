import Foundation

/// Signals made by arithmetic, and what is measured of them.
///
/// Loops through every sample for the tests of files stands here: this target is optimized, that one is not.
public enum Signal {
  /// A different noise in every channel, interleaved.
  public static func noise(frames: Int, channels: Int, seed: UInt32 = 1) -> [Int16] {
    var state = seed
    return (0..<frames * channels).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int16(truncatingIfNeeded: Int32(bitPattern: state) >> 16)
    }
  }

  /// In every channel a tone of its own, interleaved: 300 Hz, 600 Hz, 900 Hz and so on.
  public static func tones(frames: Int, channels: Int, rate: Int = 48000) -> [Int16] {
    (0..<frames).flatMap { frame in
      (1...channels).map { channel in
        let phase = 2 * Double.pi * 300 * Double(channel) * Double(frame) / Double(rate)
        return Int16((8000 * sin(phase)).rounded())
      }
    }
  }

  /// The number of the tone that is strongest in one channel, by correlation.
  public static func tone(
    in samples: [Int16], channel: Int, of channels: Int, rate: Int = 48000
  ) -> Int {
    let one = stride(from: channel, to: samples.count, by: channels).map { Double(samples[$0]) }
    let strengths = (1...channels).map { tone in
      var real = 0.0
      var imaginary = 0.0
      for (frame, value) in one.enumerated() {
        let phase = 2 * Double.pi * 300 * Double(tone) * Double(frame) / Double(rate)
        real += value * cos(phase)
        imaginary += value * sin(phase)
      }
      return real * real + imaginary * imaginary
    }
    return (strengths.indices.max { strengths[$0] < strengths[$1] } ?? 0) + 1
  }

  /// The energy of the difference of two signals as a share of that of the expected one, as far as both extend.
  public static func differenceShare(
    _ found: [Float], expected: ArraySlice<Float>
  ) -> Double {
    var (sum, energy) = (0.0, 0.0)
    for (one, other) in zip(found, expected) {
      sum += Double((one - other) * (one - other))
      energy += Double(other * other)
    }
    return sum / max(energy, 1e-12)
  }
}

/// The first difference of two runs of samples, in words; `nil` when they are equal.
public func difference(_ a: some Collection<Int16>, _ b: some Collection<Int16>) -> String? {
  let (a, b) = (Array(a), Array(b))
  for (index, (x, y)) in zip(a, b).enumerated() where x != y {
    return "sample \(index) of \(a.count) is \(x), not \(y)"
  }
  return a.count == b.count ? nil : "\(a.count) samples, not \(b.count)"
}

/// Numbers in raw bytes, little-endian; bytes that are left at the end are ignored.
public enum Raw {
  /// 16-bit integers.
  public static func int16(_ bytes: [UInt8]) -> [Int16] {
    numbers(bytes, 2).map { Int16(truncatingIfNeeded: $0) }
  }

  /// 32-bit integers.
  public static func int32(_ bytes: [UInt8]) -> [Int32] {
    numbers(bytes, 4).map { Int32(truncatingIfNeeded: $0) }
  }

  /// 32-bit floating point.
  public static func float(_ bytes: [UInt8]) -> [Float] {
    numbers(bytes, 4).map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
  }

  /// 64-bit floating point.
  public static func double(_ bytes: [UInt8]) -> [Double] {
    numbers(bytes, 8).map { Double(bitPattern: $0) }
  }

  /// The bytes of 16-bit integers.
  public static func bytes(_ numbers: [Int16]) -> [UInt8] {
    numbers.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  private static func numbers(_ bytes: [UInt8], _ size: Int) -> [UInt64] {
    stride(from: 0, to: bytes.count - size + 1, by: size).map { start in
      (0..<size).reversed().reduce(0) { $0 << 8 | UInt64(bytes[start + $1]) }
    }
  }
}
