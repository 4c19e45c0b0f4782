internal import AudioModel
internal import CMD5

/// The MD5 of samples as raw PCM: interleaved, little-endian, integers signed.
///
/// For 16 and 24 bits it equals the MD5 in FLAC headers (RFC 9639 section 8.2) and the output of
/// `ffmpeg -f md5`.
struct SampleChecksum {
  let format: SampleFormat
  private var state = scaleaudio_md5()
  private var packed: [UInt8] = []

  init(_ format: SampleFormat) {
    self.format = format
    scaleaudio_md5_begin(&state)
  }

  /// Adds the next samples, in `format`.
  mutating func add<Sample: PCMSample>(_ samples: Span<Sample>) {
    if Sample.self == Int24.self {
      pack(samples)
      let count = 3 * samples.count
      packed.withUnsafeBytes { scaleaudio_md5_add(&state, $0.baseAddress, count) }
    } else {
      // All supported processors are little-endian.
      samples.withUnsafeBytes { scaleaudio_md5_add(&state, $0.baseAddress, $0.count) }
    }
  }

  /// Packs 24-bit samples, 4 bytes each in memory, as 3 bytes each.
  private mutating func pack<Sample: PCMSample>(_ samples: Span<Sample>) {
    if packed.count < 3 * samples.count { packed = Array(repeating: 0, count: 3 * samples.count) }
    packed.withUnsafeMutableBytes { bytes in
      for index in 0..<samples.count {
        let value = Int32(samples[index].doubleValue)
        bytes[3 * index] = UInt8(truncatingIfNeeded: value)
        bytes[3 * index + 1] = UInt8(truncatingIfNeeded: value >> 8)
        bytes[3 * index + 2] = UInt8(truncatingIfNeeded: value >> 16)
      }
    }
  }

  /// The digest in hexadecimal; call it once, after the last samples.
  mutating func finish() -> String {
    var digest = [UInt8](repeating: 0, count: 16)
    scaleaudio_md5_end(&state, &digest)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
