internal import AudioModel
internal import CALSA
internal import TimeScaling

/// Converts samples to what a device stores, without allocating.
///
/// Samples that 16 bits hold exactly pass to such a device bit for bit. Others get noise, which replaces the
/// distortion of rounding by a hiss. More bits are rounded without noise: theirs is below that of any device.
struct ALSASamples {
  /// The formats to ask a device for, best first.
  static let formats: [snd_pcm_format_t] = [
    SND_PCM_FORMAT_FLOAT, SND_PCM_FORMAT_S32, SND_PCM_FORMAT_S24, SND_PCM_FORMAT_S24_3LE,
    SND_PCM_FORMAT_S16,
  ]

  let format: snd_pcm_format_t
  let bytesPerSample: Int
  private var wide: [Double]
  private var floats: [Float] = []
  private var bits16: [Int16] = []
  private var bits24: [Int24] = []
  private var bits32: [Int32] = []
  private var bytes: [UInt8] = []
  private var exact16 = Quantizer<Int16>()
  private var dithered16 = Quantizer<Int16>(dither: .tpdf)
  private var to24 = Quantizer<Int24>()
  private var to32 = Quantizer<Int32>()

  init(_ format: snd_pcm_format_t, capacity: Int) {
    self.format = format
    wide = Array(repeating: 0, count: capacity)
    switch format {
    case SND_PCM_FORMAT_S16:
      bytesPerSample = 2
      bits16 = Array(repeating: 0, count: capacity)
    case SND_PCM_FORMAT_S24_3LE:
      bytesPerSample = 3
      bits24 = Array(repeating: .silence, count: capacity)
      bytes = Array(repeating: 0, count: capacity * 3)
    case SND_PCM_FORMAT_S24:
      bytesPerSample = 4
      bits24 = Array(repeating: .silence, count: capacity)
      bits32 = Array(repeating: 0, count: capacity)
    case SND_PCM_FORMAT_S32:
      bytesPerSample = 4
      bits32 = Array(repeating: 0, count: capacity)
    default:
      bytesPerSample = 4
      floats = Array(repeating: 0, count: capacity)
    }
  }

  /// Passes the converted samples to `body`.
  mutating func withConverted<Result>(
    _ samples: UnsafeBufferPointer<Float>, _ body: (UnsafeRawPointer?) -> Result
  ) -> Result {
    let count = samples.count
    if format == SND_PCM_FORMAT_FLOAT { return body(samples.baseAddress) }
    var isExact = true
    for index in 0..<count {
      let value = Double(samples[index])
      wide[index] = value
      let steps = value * 0x1p15
      if steps.rounded(.towardZero) != steps { isExact = false }
    }
    switch format {
    case SND_PCM_FORMAT_S16:
      if isExact {
        Self.quantize(wide, count, by: &exact16, into: &bits16)
      } else {
        Self.quantize(wide, count, by: &dithered16, into: &bits16)
      }
      return bits16.withUnsafeBytes { body($0.baseAddress) }
    case SND_PCM_FORMAT_S32:
      Self.quantize(wide, count, by: &to32, into: &bits32)
      return bits32.withUnsafeBytes { body($0.baseAddress) }
    default:
      Self.quantize(wide, count, by: &to24, into: &bits24)
    }
    if format == SND_PCM_FORMAT_S24 {
      for index in 0..<count { bits32[index] = bits24[index].nearestInteger }
      return bits32.withUnsafeBytes { body($0.baseAddress) }
    }
    Self.pack(bits24, count, into: &bytes)
    return bytes.withUnsafeBytes { body($0.baseAddress) }
  }

  private static func pack(_ samples: [Int24], _ count: Int, into bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { _ = samples.span.extracting(0..<count).store(in: $0) }
  }

  private static func quantize<Stored: PCMSample>(
    _ input: [Double], _ count: Int, by quantizer: inout Quantizer<Stored>,
    into output: inout [Stored]
  ) {
    var span = output.mutableSpan
    quantizer.quantize(input.span.extracting(0..<count), into: &span)
  }
}
