/// Rounds what was scaled in `Double` to the samples that a writer stores.
struct QuantizedOutput<Stored: PCMSample> {
  private let writer: any AudioFileWriter
  private var quantizer: Quantizer<Stored>
  private var samples: [Stored] = []

  /// An output at its first frame.
  init(_ writer: any AudioFileWriter, dither: Dither, gain: Double = 1) {
    self.writer = writer
    quantizer = Quantizer(dither: dither, gain: gain)
  }

  /// Samples so far that were beyond full scale and had to be clamped.
  var clipping: Clipping { quantizer.clipping }

  /// Writes the next frames.
  mutating func write(_ frames: Span<Double>) throws(AudioFileError) {
    if samples.count < frames.count {
      samples = .silence(frames.count)
    }
    var quantizer = quantizer
    var block = samples.mutableSpan
    quantizer.quantize(frames, into: &block)
    self.quantizer = quantizer
    try writer.write(samples.span.extracting(0..<frames.count))
  }
}
