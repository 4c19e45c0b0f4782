import Glibc

/// A file that only this user can read, for other programs of the same session; it is removed with this value.
///
/// It is locked while this value lives. A program that was killed leaves it; the next file of the same name removes it.
package final class PrivateFile: Sendable {
  /// Its path.
  package let path: String
  private let descriptor: Int32

  /// Seconds from which on a file without a lock is one that was left behind.
  private static let leftSeconds = 5

  /// Writes a file to the user's own folder of this session, or to that of temporary files; `nil` if it cannot be
  /// written.
  package init?(_ name: String, ending: String, _ bytes: [UInt8]) {
    Self.removeLeft(name, ending)
    var template = Array((Self.folder + "/\(name)-XXXXXX" + ending).utf8CString)
    // Mode 0600.
    let descriptor = mkstemps(&template, Int32(ending.utf8.count))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
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
    // The remainder is removed with this value.
    if !isWritten { return nil }
  }

  deinit {
    unlink(path)
    close(descriptor)
  }

  /// Removes files of this name whose program is gone.
  private static func removeLeft(_ name: String, _ ending: String) {
    guard let entries = opendir(folder) else { return }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let found = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard found.hasPrefix(name + "-"), found.utf8.count == name.utf8.count + 7 + ending.utf8.count
      else { continue }
      let path = folder + "/" + found
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
      if descriptor < 0 { continue }
      defer { close(descriptor) }
      var facts = stat()
      guard fstat(descriptor, &facts) == 0, facts.st_uid == geteuid(),
        facts.st_mode & S_IFMT == S_IFREG, time(nil) - facts.st_mtim.tv_sec >= leftSeconds,
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      unlink(path)
    }
  }

  private static var folder: String {
    for variable in ["XDG_RUNTIME_DIR", "TMPDIR"] {
      if let value = getenv(variable), access(value, W_OK) == 0 { return String(cString: value) }
    }
    return "/tmp"
  }
}
