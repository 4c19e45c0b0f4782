import Glibc

/// A file that only this user can read, for other programs of the same session; it is removed with this value.
package final class PrivateFile: Sendable {
  /// Its path.
  package let path: String

  /// Writes a file to the user's own folder of this session, or to that of temporary files; `nil` if it cannot be
  /// written.
  package init?(_ name: String, ending: String, _ bytes: [UInt8]) {
    var template = Array((Self.folder + "/\(name)-XXXXXX" + ending).utf8CString)
    // Mode 0600.
    let descriptor = mkstemps(&template, Int32(ending.utf8.count))
    guard descriptor >= 0 else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let isWritten = bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
    close(descriptor)
    // The remainder is removed with this value.
    if !isWritten { return nil }
  }

  deinit { unlink(path) }

  private static var folder: String {
    for variable in ["XDG_RUNTIME_DIR", "TMPDIR"] {
      if let value = getenv(variable), access(value, W_OK) == 0 { return String(cString: value) }
    }
    return "/tmp"
  }
}
