internal import CMD5

/// The MD5 of samples as a file of raw PCM would have them: interleaved, little-endian, integers signed.
///
/// Of 16 and 24 bits it is what FLAC keeps in its header (RFC 9639 section 8.2), and what `ffmpeg -f md5`
/// tells of the same samples.
struct SampleChecksum {
  let format: SampleFormat
  private var state = scaleaudio_md5()
  private var packed: [UInt8] = []

  init(_ format: SampleFormat) {
    self.format = format
    scaleaudio_md5_begin(&state)
  }

  /// Adds the next samples, which are of `format`.
  mutating func add<Sample: PCMSample>(_ samples: Span<Sample>) {
    if Sample.self == Int24.self {
      pack(samples)
      let count = 3 * samples.count
      packed.withUnsafeBytes { scaleaudio_md5_add(&state, $0.baseAddress, count) }
    } else {
      // All processors that Swift runs on here keep numbers little-endian.
      samples.withUnsafeBytes { scaleaudio_md5_add(&state, $0.baseAddress, $0.count) }
    }
  }

  /// Writes samples of 24 bits, which take 4 bytes in memory, as 3 bytes each.
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

  /// The digest in hexadecimal; nothing is added after it.
  mutating func finish() -> String {
    var digest = [UInt8](repeating: 0, count: 16)
    scaleaudio_md5_end(&state, &digest)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
