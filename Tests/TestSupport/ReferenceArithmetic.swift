import Foundation

/// The arithmetic of time scaling written straight from its definition, one channel at a time and
/// sharing nothing with the code under test.
public enum ReferenceArithmetic {
  /// Scales one channel to `length` samples.
  public static func scale(_ a: [Int16], to length: Int, smoothstep: Bool) -> [Int16] {
    scale(a.map(Double.init), to: length, smoothstep: smoothstep).map {
      Int16($0.rounded(.toNearestOrEven))
    }
  }

  /// Scales one channel to `length` values, which are not rounded.
  public static func scale(_ a: [Double], to length: Int, smoothstep: Bool) -> [Double] {
    let n = a.count
    if n == 0 || length == 0 { return [] }
    return (0..<length).map { i in
      let c = controlPoint(i, inputs: n, outputs: length, smoothstep: smoothstep)
      let b = Int(c.rounded(.towardZero))
      let fraction = c - Double(b)
      let next = b + 1 < n ? a[b + 1] : 0
      return a[b] + fraction * (next - a[b])
    }
  }

  /// Scales interleaved samples by a factor, every channel by itself.
  public static func scale(
    interleaved samples: [Int16], channels: Int, factor: Double, smoothstep: Bool = true
  ) -> [Int16] {
    scale(
      interleaved: samples.map(Double.init), channels: channels, factor: factor,
      smoothstep: smoothstep
    ).map { Int16($0.rounded(.toNearestOrEven)) }
  }

  /// Scales interleaved values by a factor, every channel by itself, without rounding.
  public static func scale(
    interleaved samples: [Double], channels: Int, factor: Double, smoothstep: Bool = true
  ) -> [Double] {
    let frames = samples.count / channels
    let length = Int(Double(frames) * factor)
    var output = [Double](repeating: 0, count: length * channels)
    for channel in 0..<channels {
      let one = (0..<frames).map { samples[$0 * channels + channel] }
      for (i, value) in scale(one, to: length, smoothstep: smoothstep).enumerated() {
        output[i * channels + channel] = value
      }
    }
    return output
  }

  private static func controlPoint(
    _ i: Int, inputs n: Int, outputs length: Int, smoothstep: Bool
  ) -> Double {
    if length > 1 && i == length - 1 { return Double(n - 1) }
    if length == 1 || n == 1 { return 0 }
    if smoothstep && length > n {
      let d = Double(length - 1) / Double(n - 1)
      let x = Double(i) / d
      let t = x - x.rounded(.down)
      return x.rounded(.down) + t * t * (3 - 2 * t)
    }
    return Double(i) * (Double(n - 1) / Double(length - 1))
  }
}

/// The frames of AAC in ADTS, by the sizes in their headers.
///
/// Source: ISO/IEC 13818-7, section 6.2.
public enum ADTSFrames {
  /// The offsets at which frames begin; each follows the one before.
  public static func starts(in bytes: [UInt8]) -> [Int] {
    var starts: [Int] = []
    var position = 0
    while position + 7 <= bytes.count {
      starts.append(position)
      position +=
        Int(bytes[position + 3] & 3) << 11 | Int(bytes[position + 4]) << 3
        | Int(bytes[position + 5] >> 5)
    }
    return starts
  }
}
