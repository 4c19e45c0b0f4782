public import AudioModel

/// Turns samples whose full scale is 1 into samples of a stored type, rounding once, to nearest and
/// ties to even, and clamping to the range.
///
/// What it makes depends on the numbers of the samples, never on how they are cut into blocks.
public struct Quantizer<Stored: PCMSample>: Sendable {
  /// Samples so far that lay at or beyond the full scale of an integer, and were clamped.
  public private(set) var clippedSamples = 0
  /// The noise that is added; floating point takes none.
  public let dither: Dither
  private var nextSample: UInt64 = 0

  /// A quantizer at the first sample of a stream.
  public init(dither: Dither = .none) {
    self.dither = Stored.format.isFloat ? .none : dither
  }

  /// Quantizes the next samples of the stream into the first of `output`, which holds as many at least.
  @specialized(where Stored == Int8)
  @specialized(where Stored == Int16)
  @specialized(where Stored == Int24)
  @specialized(where Stored == Int32)
  @specialized(where Stored == Float)
  @specialized(where Stored == Double)
  public mutating func quantize(_ input: Span<Double>, into output: inout MutableSpan<Stored>) {
    var clipped = clippedSamples
    switch dither {
    case .none:
      for i in 0..<input.count { output[i] = Stored(normalized: input[i], clipped: &clipped) }
    case .tpdf:
      for i in 0..<input.count {
        let noise = TriangularNoise.value(at: nextSample &+ UInt64(i))
        output[i] = Self.dithered(input[i], noise, clipped: &clipped)
      }
    }
    clippedSamples = clipped
    nextSample &+= UInt64(input.count)
  }

  /// The nearest integer sample to a value with noise, which is in steps of that integer.
  ///
  /// Counts what the noise alone drove beyond full scale as nothing.
  @inline(__always)
  private static func dithered(_ value: Double, _ noise: Double, clipped: inout Int) -> Stored {
    let scaled = value * Stored.fullScale
    if scaled >= Stored.fullScale || scaled < -Stored.fullScale { clipped += 1 }
    return Stored(nearest: min(max(scaled + noise, -Stored.fullScale), Stored.fullScale - 1))
  }
}
