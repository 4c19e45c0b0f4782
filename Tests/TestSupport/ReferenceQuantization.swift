import Foundation

/// Rounding to integers, with and without triangular noise, written from its definition and sharing
/// nothing with the code under test.
public enum ReferenceQuantization {
  /// Values, whose full scale is 1, to integers of `bits` bits: nearest, ties to even, clamped.
  public static func integers(_ values: [Double], bits: Int, dithers: Bool) -> [Double] {
    var noise = SplitMix64()
    let full = exp2(Double(bits - 1))
    return values.map { value in
      // The upper half of each number less the lower, as fractions of 1.
      let number = noise.next()
      let triangular = (Double(number >> 32) - Double(number % 0x1_0000_0000)) / 4_294_967_296
      let isSilent = abs(value) * full < 1 / 1_048_576
      let steps = value * full + (dithers && !isSilent ? triangular : 0)
      return min(max(steps.rounded(.toNearestOrEven), -full), full - 1)
    }
  }

  /// The published generator, as a sequence from the seed 0.
  ///
  /// Source: Sebastiano Vigna's splitmix64.c, in the public domain.
  private struct SplitMix64 {
    private var x: UInt64 = 0

    mutating func next() -> UInt64 {
      x &+= 0x9E37_79B9_7F4A_7C15
      var z = x
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}
