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
    // Those that cannot be created before the one above them, the innermost first.
    var waiting: [FilePath] = []
    var next = folder
    while try !create(next), next.folder != next {
      waiting.append(next)
      next = next.folder
    }
    for path in waiting.reversed() {
      // A folder that exists may still take none, as in /proc or when it was removed while it is open.
      if try !create(path) { throw .cannotWrite(folder, .noSuchFileOrDirectory) }
    }
  }

  /// Creates one folder, unless it exists; `false` if the one above it does not exist.
  private func create(_ folder: FilePath) throws(AudioFileError) -> Bool {
    let result = folder.withPlatformString { path in uninterrupted { mkdir(path, 0o777) } }
    switch result == 0 ? 0 : errno {
    case 0:
      made.withLock { $0.append((folder, [])) }
      return true
    case EEXIST where FileStatus(path: folder)?.kind == .folder: return true
    case EEXIST: throw .cannotWrite(folder, .notDirectory)
    case ENOENT: return false
    case let code: throw .cannotWrite(folder, Errno(rawValue: code))
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
        _ = path.withPlatformString { path in uninterrupted { rmdir(path) } }
      } else {
        try? FileDescriptor.removeFolder(path, beneath: roots)
      }
    }
  }
}
