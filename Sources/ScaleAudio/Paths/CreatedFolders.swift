package import AudioIO
package import SystemPackage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The output folders that work has created, so that empty ones can be removed again.
package final class CreatedFolders: Sendable {
  private let made = Locked<[FilePath]>([])

  package init() {}

  /// Creates a folder and missing folders above it.
  package func make(_ folder: FilePath) throws(AudioFileError) {
    let code = folder.withPlatformString { mkdir($0, 0o777) } == 0 ? 0 : errno
    switch code {
    case 0: made.withLock { $0.append(folder) }
    case EEXIST where FileStatus(path: folder)?.kind == .folder: return
    case EEXIST: throw .cannotWrite(folder, .notDirectory)
    case ENOENT where folder.folder != folder:
      try make(folder.folder)
      try make(folder)
    default: throw .cannotWrite(folder, Errno(rawValue: code))
    }
  }

  /// Removes the created folders that are still empty, the innermost first.
  func removeEmpty() {
    let folders = made.withLock { (folders) in
      defer { folders = [] }
      return folders
    }
    for folder in folders.reversed() { _ = folder.withPlatformString { rmdir($0) } }
  }
}
