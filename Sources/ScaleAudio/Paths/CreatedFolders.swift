package import AudioIO
import Glibc
package import SystemPackage

/// The output folders that work has created, so that empty ones can be removed again.
package final class CreatedFolders: Sendable {
  /// The folders, each with those that it must lie below.
  private let made = Locked<[(path: FilePath, roots: [FilePath])]>([])

  package init() {}

  /// Creates a folder and missing folders above it. For `roots`, see ``FilePolicy/outputRoots``.
  package func make(_ folder: FilePath, beneath roots: [FilePath] = []) throws(AudioFileError) {
    if !roots.isEmpty { return try makeBeneath(roots, folder) }
    let code = folder.withPlatformString { mkdir($0, 0o777) } == 0 ? 0 : errno
    switch code {
    case 0: made.withLock { $0.append((folder, [])) }
    case EEXIST where FileStatus(path: folder)?.kind == .folder: return
    case EEXIST: throw .cannotWrite(folder, .notDirectory)
    case ENOENT where folder.folder != folder:
      try make(folder.folder)
      try make(folder)
    default: throw .cannotWrite(folder, Errno(rawValue: code))
    }
  }

  private func makeBeneath(_ roots: [FilePath], _ folder: FilePath) throws(AudioFileError) {
    do throws(Errno) {
      let opened = try FileDescriptor.folder(folder, beneath: roots) { path in
        self.made.withLock { $0.append((path, roots)) }
      }
      try? opened.close()
    } catch {
      throw .cannotWrite(folder, error)
    }
  }

  /// Removes the created folders that are still empty, the innermost first.
  func removeEmpty() {
    let folders = made.withLock { (folders) in
      defer { folders = [] }
      return folders
    }
    for (path, roots) in folders.reversed() {
      if roots.isEmpty {
        _ = path.withPlatformString { rmdir($0) }
      } else {
        try? FileDescriptor.removeFolder(path, beneath: roots)
      }
    }
  }
}
