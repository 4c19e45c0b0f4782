package import SystemPackage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Hidden temporary files for outputs on file systems where every file needs a name.
package enum HiddenFiles {
  private static let prefix = ".scaleaudio-"
  private static let suffix = ".tmp"
  /// The existing hidden files of this process.
  private static let live = Locked<Set<FilePath>>([])

  /// A name for a hidden file in `folder`, registered for ``removeAll()``.
  static func reserveName(in folder: FilePath) -> FilePath {
    let name = "\(prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))\(suffix)"
    let path = folder.appending(name)
    live.withLock { _ = $0.insert(path) }
    return path
  }

  /// Removes a hidden file, if it still exists, and its registration.
  static func remove(_ path: FilePath) {
    _ = path.withPlatformString { unlink($0) }
    live.withLock { _ = $0.remove(path) }
  }

  /// Removes all hidden files of this process, before it exits immediately.
  package static func removeAll() {
    for path in live.withLock({ $0 }) { _ = path.withPlatformString { unlink($0) } }
  }

  /// Locks an open file to mark it as in use until it is closed; see ``sweep(_:)``.
  static func lock(_ descriptor: FileDescriptor) {
    _ = flock(descriptor.rawValue, LOCK_EX | LOCK_NB)
  }

  /// Removes hidden files that killed processes left in `folder`.
  ///
  /// A file is abandoned if no process with its ID runs and nobody holds its lock. The ID alone would be wrong
  /// across containers, the lock alone just after the file is created.
  package static func sweep(_ folder: FilePath) {
    guard let names = try? FolderListing.names(in: folder) else { return }
    for name in names {
      guard let process = processNumber(in: name), kill(process, 0) != 0, errno == ESRCH else {
        continue
      }
      removeUnlessLocked(folder.appending(name))
    }
  }

  /// The process ID in `.scaleaudio-ID-….tmp`.
  private static func processNumber(in name: FilePath.Component) -> pid_t? {
    let text = name.string
    guard text.hasPrefix(prefix), text.hasSuffix(suffix) else { return nil }
    let number = text.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
    guard let process = pid_t(number), process > 0 else { return nil }
    return process
  }

  private static func removeUnlessLocked(_ path: FilePath) {
    let options: FileDescriptor.OpenOptions = [.noFollow, .nonBlocking, .closeOnExec]
    guard let file = try? FileDescriptor.open(path, .readOnly, options: options) else { return }
    defer { try? file.close() }
    if flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK { return }
    _ = path.withPlatformString { unlink($0) }
  }
}
