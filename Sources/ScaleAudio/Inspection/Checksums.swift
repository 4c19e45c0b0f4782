package import AudioIO
internal import AudioModel
internal import CDigests
package import SystemPackage

/// A checksum of samples as raw PCM: interleaved, little-endian, integers signed.
///
/// For 16 and 24 bits the MD5 equals that in FLAC headers (RFC 9639 section 8.2) and the output of
/// `ffmpeg -f md5`, and the SHA-256 that of `ffmpeg -f hash`.
struct SampleChecksum {
  private enum State {
    case md5(scaleaudio_md5)
    case sha256(scaleaudio_sha256)
  }

  let format: SampleFormat
  private var state: State
  private var packed: [UInt8] = []

  /// An MD5 of samples in this format.
  static func md5(_ format: SampleFormat) -> SampleChecksum {
    var md5 = scaleaudio_md5()
    scaleaudio_md5_begin(&md5)
    return SampleChecksum(format, .md5(md5))
  }

  /// A SHA-256 of samples in this format.
  static func sha256(_ format: SampleFormat) -> SampleChecksum {
    var sha256 = scaleaudio_sha256()
    scaleaudio_sha256_begin(&sha256)
    return SampleChecksum(format, .sha256(sha256))
  }

  private init(_ format: SampleFormat, _ state: State) {
    self.format = format
    self.state = state
  }

  /// Adds the next samples, in `format`.
  mutating func add<Sample: PCMSample>(_ samples: Span<Sample>) {
    if Sample.self == Int24.self {
      if packed.count < 3 * samples.count { packed = Array(repeating: 0, count: 3 * samples.count) }
      let count = packed.withUnsafeMutableBytes { samples.store(in: $0) }
      packed.withUnsafeBytes { Self.add($0, count: count, to: &state) }
    } else {
      // All supported processors are little-endian.
      samples.withUnsafeBytes { Self.add($0, count: $0.count, to: &state) }
    }
  }

  private static func add(_ bytes: UnsafeRawBufferPointer, count: Int, to state: inout State) {
    switch state {
    case .md5(var md5):
      scaleaudio_md5_add(&md5, bytes.baseAddress, count)
      state = .md5(md5)
    case .sha256(var sha256):
      scaleaudio_sha256_add(&sha256, bytes.baseAddress, count)
      state = .sha256(sha256)
    }
  }

  /// The digest in hexadecimal; call it once, after the last samples.
  func finish() -> String {
    var digest: [UInt8]
    switch state {
    case .md5(var md5):
      digest = Array(repeating: 0, count: 16)
      scaleaudio_md5_end(&md5, &digest)
    case .sha256(var sha256):
      digest = Array(repeating: 0, count: 32)
      scaleaudio_sha256_end(&sha256, &digest)
    }
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// The SHA-256 of bytes, as `sha256sum` prints it.
package struct FileChecksum {
  private var state = scaleaudio_sha256()

  package init() { scaleaudio_sha256_begin(&state) }

  /// Adds the next bytes.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    scaleaudio_sha256_add(&state, bytes.baseAddress, bytes.count)
  }

  /// The digest in hexadecimal.
  package func finish() -> String {
    var state = state
    var digest = [UInt8](repeating: 0, count: 32)
    scaleaudio_sha256_end(&state, &digest)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The digest of a whole file.
  package static func of(
    _ path: FilePath, isCancelled: () -> Bool = { false }
  ) throws(AudioFileError) -> String {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      defer { try? file.close() }
      var checksum = FileChecksum()
      var block = [UInt8](repeating: 0, count: 1 << 18)
      while true {
        if isCancelled() { throw Errno.interrupted }
        let count = try block.withUnsafeMutableBytes { try file.read(into: $0) }
        if count == 0 { return checksum.finish() }
        block.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      }
    } catch {
      throw .cannotRead(path, error as? Errno ?? .ioError)
    }
  }
}
