package import SystemPackage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The hidden temporary files that outputs grow in where a file must have a name.
package enum HiddenFiles {
  private static let prefix = ".scaleaudio-"
  private static let suffix = ".tmp"
  /// Those of this process that are there now.
  private static let live = Locked<Set<FilePath>>([])

  /// A name for a hidden file in `folder`, remembered for ``removeAll()``.
  static func reserveName(in folder: FilePath) -> FilePath {
    let name = "\(prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))\(suffix)"
    let path = folder.appending(name)
    live.withLock { _ = $0.insert(path) }
    return path
  }

  /// Removes a hidden file, if it is still there, and forgets it.
  static func remove(_ path: FilePath) {
    _ = path.withPlatformString { unlink($0) }
    live.withLock { _ = $0.remove(path) }
  }

  /// Removes every hidden file of this process, for leaving at once.
  package static func removeAll() {
    for path in live.withLock({ $0 }) { _ = path.withPlatformString { unlink($0) } }
  }

  /// Marks an open file as in use for as long as it is open; see ``sweep(_:)``.
  static func lock(_ descriptor: FileDescriptor) {
    _ = flock(descriptor.rawValue, LOCK_EX | LOCK_NB)
  }

  /// Removes hidden files that processes which were killed left in `folder`.
  ///
  /// One is taken for left when no process of its number runs and nobody holds its lock: the number
  /// alone would be wrong between containers, the lock alone just after the file is made.
  package static func sweep(_ folder: FilePath) {
    guard let names = try? FolderListing.names(in: folder) else { return }
    for name in names {
      guard let process = processNumber(in: name), kill(process, 0) != 0, errno == ESRCH else {
        continue
      }
      removeUnlessLocked(folder.appending(name))
    }
  }

  /// The number in `.scaleaudio-NUMBER-….tmp`.
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
