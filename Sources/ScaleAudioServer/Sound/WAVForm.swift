internal import AudioIO
internal import AudioModel
internal import TimeScaling

/// A WAV file of known length: its header, and how samples are stored.
///
/// Source: Microsoft, "Multiple Channel Audio Data and WAVE Files", and RFC 2361 for the tags.
struct WAVForm: Hashable, Sendable {
  /// How samples are stored.
  enum Depth: String, Sendable {
    case int16 = "16"
    case int24 = "24"
    case float32 = "float"

    var byteCount: Int {
      switch self {
      case .int16: 2
      case .int24: 3
      case .float32: 4
      }
    }
  }

  let spec: AudioSpec
  let frameCount: Int
  let depth: Depth
  let header: [UInt8]

  /// The form of so many frames; `nil` if a WAV file cannot hold them.
  init?(_ spec: AudioSpec, frameCount: Int, depth: Depth) {
    (self.spec, self.frameCount, self.depth) = (spec, frameCount, depth)
    let frameBytes = spec.channelCount * depth.byteCount
    let (bytes, overflow) = frameCount.multipliedReportingOverflow(by: frameBytes)
    // A chunk of odd length is padded.
    guard !overflow, bytes + bytes % 2 + 72 <= Int(UInt32.max), spec.channelCount <= 0xFFFF else {
      return nil
    }
    let isExtensible = spec.channelCount > 2
    let isFloat = depth == .float32
    let formatBytes = isExtensible ? 40 : isFloat ? 18 : 16
    let factBytes = isFloat ? 12 : 0
    var writer = ByteWriter(isBigEndian: false)
    writer.append("RIFF")
    writer.append32(4 + 8 + formatBytes + factBytes + 8 + bytes + bytes % 2)
    writer.append("WAVEfmt ")
    writer.append32(formatBytes)
    writer.append16(isExtensible ? 0xFFFE : isFloat ? 3 : 1)
    writer.append16(spec.channelCount)
    writer.append32(spec.sampleRate)
    writer.append32(spec.sampleRate * frameBytes)
    writer.append16(frameBytes)
    writer.append16(depth.byteCount * 8)
    if isExtensible {
      writer.append16(22)
      writer.append16(depth.byteCount * 8)
      writer.append32(Int(spec.layout.mask))
      writer.append16(isFloat ? 3 : 1)
      // The rest of the GUID that stands for a tag.
      writer.append([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
    } else if isFloat {
      writer.append16(0)
    }
    if isFloat {
      writer.append("fact")
      writer.append32(4)
      writer.append32(frameCount)
    }
    writer.append("data")
    writer.append32(bytes)
    header = writer.bytes
  }

  var frameByteCount: Int { spec.channelCount * depth.byteCount }
  var dataByteCount: Int { frameCount * frameByteCount }
  /// The size of the file.
  var byteCount: Int { header.count + dataByteCount + dataByteCount % 2 }

  /// Samples from a frame on, full scale being 1, as the file stores them: with the noise of a conversion that stores
  /// samples of the same type.
  func bytes(
    _ samples: Span<Double>, from frame: Int, as stored: (format: SampleFormat?, dither: Dither)?
  ) -> [UInt8] {
    switch depth {
    case .int16: quantized(Int16.self, samples, frame, stored)
    case .int24: quantized(Int24.self, samples, frame, stored)
    case .float32: quantized(Float.self, samples, frame, stored)
    }
  }

  private func quantized<Stored: PCMSample>(
    _: Stored.Type, _ samples: Span<Double>, _ frame: Int,
    _ stored: (format: SampleFormat?, dither: Dither)?
  ) -> [UInt8] {
    let dither = stored?.format == Stored.format ? stored?.dither ?? .none : .none
    var quantizer = Quantizer<Stored>(
      dither: dither, nextSample: UInt64(frame * spec.channelCount))
    var quantized: [Stored] = .silence(samples.count)
    var output = quantized.mutableSpan
    quantizer.quantize(samples, into: &output)
    return quantized.span.storedBytes
  }
}
