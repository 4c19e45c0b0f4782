import Glibc
package import SystemPackage

/// Hidden temporary files for outputs on file systems where every file needs a name.
package enum HiddenFiles {
  private static let prefix = ".scaleaudio-"
  private static let suffix = ".tmp"
  /// The scope in which process IDs are unique: the boot of the kernel, the namespace of process IDs, and the host.
  /// Containers and nodes that share a folder may use the same IDs.
  package static let origin = "\(boot)-\(processNamespace)-\(host)"
  /// The existing hidden files of this process.
  private static let live = Locked<Set<FilePath>>([])

  /// A name for a hidden file in `folder`, registered for ``removeAll()``.
  static func reserveName(in folder: FilePath) -> FilePath {
    let name = "\(prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))-\(origin)\(suffix)"
    let path = folder.appending(name)
    live.withLock { _ = $0.insert(path) }
    return path
  }

  /// Removes a hidden file, if it still exists, and its registration.
  static func remove(_ path: FilePath) {
    _ = path.withPlatformString { path in uninterrupted { unlink(path) } }
    live.withLock { _ = $0.remove(path) }
  }

  /// Removes all hidden files of this process, before it exits immediately.
  package static func removeAll() {
    for path in live.withLock({ $0 }) {
      _ = path.withPlatformString { path in uninterrupted { unlink(path) } }
    }
  }

  /// Locks an open file to mark it as in use until it is closed; see ``sweep(_:)``.
  static func lock(_ descriptor: FileDescriptor) {
    _ = uninterrupted { flock(descriptor.rawValue, LOCK_EX | LOCK_NB) }
  }

  /// Removes hidden files that killed processes of the same ``origin`` left in `folder`.
  ///
  /// A file is abandoned if no process with its ID runs and its lock can be taken. If locks are refused, or if the
  /// origin differs or is unknown, the file may be in use and stays.
  package static func sweep(_ folder: FilePath) {
    guard let names = try? FolderListing.names(in: folder) else { return }
    for name in names {
      guard let process = processNumber(in: name), kill(process, 0) != 0, errno == ESRCH else {
        continue
      }
      removeIfUnlocked(folder.appending(name))
    }
  }

  /// True if a name is that of a hidden file of any process.
  package static func isHidden(_ name: FilePath.Component) -> Bool {
    name.string.hasPrefix(prefix) && name.string.hasSuffix(suffix)
  }

  /// The process ID in `.scaleaudio-ID-NUMBER-ORIGIN.tmp`, if the origin is that of this process.
  private static func processNumber(in name: FilePath.Component) -> pid_t? {
    let text = name.string
    guard text.hasPrefix(prefix), text.hasSuffix("-\(origin)\(suffix)") else { return nil }
    let number = text.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
    guard let process = pid_t(number), process > 0 else { return nil }
    return process
  }

  private static func removeIfUnlocked(_ path: FilePath) {
    // NFS locks only files that are open for writing.
    let options: FileDescriptor.OpenOptions = [.noFollow, .nonBlocking, .closeOnExec]
    guard let file = try? FileDescriptor.open(path, .readWrite, options: options) else { return }
    defer { try? file.close() }
    guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else { return }
    _ = path.withPlatformString { unlink($0) }
  }
}

extension HiddenFiles {
  /// The boot of the kernel; a number of this process where it is unknown, so that nothing is swept.
  private static let boot: String = {
    let id = SystemText.read("/proc/sys/kernel/random/boot_id") ?? ""
    let digits = id.filter { $0.isHexDigit }
    if digits.count == 32 { return String(digits.prefix(16)) }
    return "x\(UInt64.random(in: 0 ... .max))"
  }()

  /// The namespace of process IDs, unique among those that exist during one boot.
  private static let processNamespace: String = {
    var status = stat()
    if stat("/proc/self/ns/pid", &status) == 0 { return "\(status.st_ino)" }
    return "x\(UInt64.random(in: 0 ... .max))"
  }()

  private static let host: String = {
    var name = utsname()
    guard uname(&name) == 0 else { return "" }
    let text = withUnsafeBytes(of: &name.nodename) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "." }.prefix(64))
  }()
}
