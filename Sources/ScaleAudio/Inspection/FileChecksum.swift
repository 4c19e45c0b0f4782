package import AudioIO
internal import CDigests
package import SystemPackage

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
