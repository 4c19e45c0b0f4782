import Glibc
package import SystemPackage

// Files that must lie below certain folders are opened component by component, and no symbolic link is
// followed on the way: none leads out, not even one that has just taken the place of a folder. The folders
// themselves may be links.

extension FileDescriptor {
  /// Opens the folder at `path` below the deepest of `folders` that holds it; the caller closes it.
  ///
  /// Throws `permissionDenied` if none does, and `notDirectory` at a link or a file.
  ///
  /// - Parameter onCreation: Called with each folder that was missing and has been created. If it is `nil`, a missing folder
  ///   is an error.
  package static func folder(
    _ path: FilePath, beneath folders: [FilePath], onCreation: ((FilePath) -> Void)? = nil
  ) throws(Errno) -> FileDescriptor {
    var relative = path
    guard var reached = path.deepest(of: folders) else { throw .permissionDenied }
    _ = relative.removePrefix(reached)
    var folder = try opened(
      (reached.isEmpty ? "." : reached).withPlatformString { path in
        uninterrupted { openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
      })
    for component in relative.components {
      let parent = folder
      defer { try? parent.close() }
      guard component.kind == .regular else { throw .permissionDenied }
      reached.append(component)
      do throws(Errno) {
        folder = try parent.open(component, O_RDONLY | O_DIRECTORY)
      } catch {
        guard error == .noSuchFileOrDirectory, let onCreation else { throw error }
        if try parent.makeFolder(component) { onCreation(reached) }
        folder = try parent.open(component, O_RDONLY | O_DIRECTORY)
      }
    }
    return folder
  }

  /// Opens the file at `path` with the flags of open(2), in its folder below one of `folders`; the caller closes it.
  ///
  /// Throws as ``folder(_:beneath:onCreation:)``, and `isDirectory` for one of the folders.
  package static func file(
    _ path: FilePath, beneath folders: [FilePath], _ flags: Int32
  ) throws(Errno) -> FileDescriptor {
    guard let name = path.lastComponent, !folders.contains(path) else { throw .isDirectory }
    let folder = try folder(path.removingLastComponent(), beneath: folders)
    defer { try? folder.close() }
    guard name.kind == .regular else { throw .isDirectory }
    return try folder.open(name, flags)
  }

  /// Removes the folder at `path` if it is empty.
  package static func removeFolder(
    _ path: FilePath, beneath folders: [FilePath]
  ) throws(Errno) {
    guard let name = path.lastComponent else { throw .invalidArgument }
    let folder = try folder(path.removingLastComponent(), beneath: folders)
    defer { try? folder.close() }
    let result = FilePath(root: nil, [name]).withPlatformString { name in
      uninterrupted { unlinkat(folder.rawValue, name, Int32(AT_REMOVEDIR)) }
    }
    if result != 0 { throw Errno(rawValue: errno) }
  }

  private func open(_ name: FilePath.Component, _ flags: Int32) throws(Errno) -> FileDescriptor {
    try Self.opened(
      FilePath(root: nil, [name]).withPlatformString { name in
        uninterrupted { openat(rawValue, name, flags | O_NOFOLLOW | O_CLOEXEC, 0o666) }
      })
  }

  /// Creates a folder in this one; `false` if something has that name already.
  private func makeFolder(_ name: FilePath.Component) throws(Errno) -> Bool {
    let result = FilePath(root: nil, [name]).withPlatformString { name in
      uninterrupted { mkdirat(rawValue, name, 0o777) }
    }
    guard result != 0 else { return true }
    guard errno == EEXIST else { throw Errno(rawValue: errno) }
    return false
  }

  private static func opened(_ result: Int32) throws(Errno) -> FileDescriptor {
    guard result >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: result)
  }
}
