public import AudioModel

/// Converts samples whose full scale is 1 to a stored type, with one rounding to nearest, ties to even, and
/// clamping to the range.
///
/// The noise depends on the index of a sample in the stream, so the result never depends on block sizes.
public struct Quantizer<Stored: PCMSample>: Sendable {
  /// The samples so far that were at or beyond the full scale of an integer, and were clamped.
  public private(set) var clipping = Clipping()
  /// The noise that is added, never `auto`. Floating point gets none.
  public let dither: Dither
  /// The factor that every sample is multiplied by first.
  public let gain: Double
  private var nextSample: UInt64

  /// The magnitude, in steps, below which a sample is silence. Floating-point filters turn silence into values
  /// far below it, and any signal is far above.
  static var silence: Double { 0x1p-20 }

  /// A quantizer at a sample of a stream, counted from 0 over all channels; by default at the first.
  public init(dither: Dither = .none, gain: Double = 1, nextSample: UInt64 = 0) {
    self.dither = dither.resolved(for: Stored.format)
    self.gain = gain
    self.nextSample = nextSample
  }

  /// Quantizes the next samples of the stream into the start of `output`, which holds at least as many.
  @specialized(where Stored == Int8)
  @specialized(where Stored == Int16)
  @specialized(where Stored == Int24)
  @specialized(where Stored == Int32)
  @specialized(where Stored == Float)
  @specialized(where Stored == Double)
  public mutating func quantize(_ input: Span<Double>, into output: inout MutableSpan<Stored>) {
    quantizeAny(input, into: &output)
  }

  /// Quantizes the next samples of the stream, which are widened first.
  @specialized(where Stored == Int8)
  @specialized(where Stored == Int16)
  @specialized(where Stored == Int24)
  @specialized(where Stored == Int32)
  @specialized(where Stored == Float)
  @specialized(where Stored == Double)
  public mutating func quantize(_ input: Span<Float>, into output: inout MutableSpan<Stored>) {
    quantizeAny(input, into: &output)
  }

  @inline(__always)
  private mutating func quantizeAny<Source: PCMSample & BinaryFloatingPoint>(
    _ input: Span<Source>, into output: inout MutableSpan<Stored>
  ) {
    var clipping = clipping
    if dither == .tpdf {
      dither(input, into: &output, &clipping)
    } else {
      for i in 0..<input.count {
        output[i] = Stored(normalized: Double(input[i]) * gain, clipping: &clipping)
      }
    }
    self.clipping = clipping
    nextSample &+= UInt64(input.count)
  }

  /// Quantizes with noise, by the kernel where there is one, otherwise by definition.
  @inline(__always)
  private func dither<Source: PCMSample & BinaryFloatingPoint>(
    _ input: Span<Source>, into output: inout MutableSpan<Stored>, _ clipping: inout Clipping
  ) {
    let step = DitherKernel.handles(Stored.self) ? DitherKernel.step : input.count
    var done = 0
    while done < input.count {
      done += DitherKernel.quantize(
        input, from: done, gain: gain, index: nextSample &+ UInt64(done), into: &output)
      let end = min(input.count, done + step)
      for i in done..<end {
        output[i] = Self.dithered(Double(input[i]) * gain, at: nextSample &+ UInt64(i), &clipping)
      }
      done = end
    }
  }

  /// The nearest integer sample to a value with the noise of its index in the stream.
  ///
  /// Values that exceed full scale only because of the noise do not count as clipped.
  @inline(__always)
  private static func dithered(
    _ value: Double, at index: UInt64, _ clipping: inout Clipping
  ) -> Stored {
    let scaled = value * Stored.fullScale
    // The comparison is false for NaN, which becomes silence.
    guard scaled.magnitude >= silence else { return .silence }
    if scaled >= Stored.fullScale || scaled < -Stored.fullScale { clipping.add(value) }
    let noisy = scaled + TriangularNoise.value(at: index)
    return Stored(nearest: min(max(noisy, -Stored.fullScale), Stored.fullScale - 1))
  }
}
