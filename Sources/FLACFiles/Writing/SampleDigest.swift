internal import CDigests

/// The MD5 signature of a FLAC stream: of interleaved, signed, little-endian samples in whole
/// bytes.
///
/// Source: RFC 9639 section 8.2.
struct SampleDigest {
  private var state = scaleaudio_md5()
  private let bytesPerSample: Int
  private var scratch: [UInt8] = []

  init(bitDepth: Int) {
    bytesPerSample = (bitDepth + 7) / 8
    scaleaudio_md5_begin(&state)
  }

  /// Adds the next samples.
  mutating func add(_ samples: Span<Int32>) {
    let count = samples.count * bytesPerSample
    if scratch.count < count { scratch = Array(repeating: 0, count: count) }
    scratch.withUnsafeMutableBytes { bytes in
      if bytesPerSample == 2 {
        for index in samples.indices {
          bytes.storeBytes(
            of: Int16(truncatingIfNeeded: samples[index]).littleEndian, toByteOffset: 2 * index,
            as: Int16.self)
        }
      } else {
        for index in samples.indices {
          let sample = samples[index]
          for byte in 0..<bytesPerSample {
            bytes[index * bytesPerSample + byte] = UInt8(truncatingIfNeeded: sample >> (8 * byte))
          }
        }
      }
      scaleaudio_md5_add(&state, bytes.baseAddress, count)
    }
  }

  /// The 16 bytes of the digest. Do not add samples afterward.
  mutating func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 16)
    scaleaudio_md5_end(&state, &digest)
    return digest
  }
}
