package import SystemPackage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An output that comes into being whole or not at all.
///
/// On Linux the content grows in a file without a name (`O_TMPFILE`), which vanishes with the process
/// however that ends, and is linked to its name when complete. Where the file system cannot do that,
/// it is a hidden file in the same folder, renamed when complete and removed otherwise.
package struct OutputFile: ~Copyable {
  package let path: FilePath
  /// Open for reading and writing, at the start of an empty file.
  package let descriptor: FileDescriptor
  /// The hidden file's path, where one had to be used.
  private let hiddenPath: FilePath?

  /// Begins a file that will be known as `path`. Nothing is there until ``commit(replacing:)``.
  package init(path: FilePath) throws(AudioFileError) {
    self.path = path
    let folder = Self.folder(of: path)
    #if os(Linux)
      let unnamed = folder.withPlatformString { open($0, nameless | O_RDWR | O_CLOEXEC, 0o666) }
      if unnamed >= 0 {
        descriptor = FileDescriptor(rawValue: unnamed)
        hiddenPath = nil
        return
      }
      // EISDIR is what kernels and file systems without O_TMPFILE answer.
      guard errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT || errno == EINVAL else {
        throw .cannotWrite(path, Errno(rawValue: errno))
      }
    #endif
    let hidden = Self.hiddenPath(in: folder)
    do {
      descriptor = try FileDescriptor.open(
        hidden, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: FilePermissions(rawValue: 0o666))
      hiddenPath = hidden
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
  }

  deinit {
    try? descriptor.close()
    if let hiddenPath { _ = hiddenPath.withPlatformString { unlink($0) } }
  }

  /// Makes the content durable and gives it its name.
  ///
  /// Without `replacing`, an existing file of that name is left alone and reported.
  package consuming func commit(replacing: Bool) throws(AudioFileError) {
    guard fsync(descriptor.rawValue) == 0 else {
      throw .cannotWrite(path, Errno(rawValue: errno))
    }
    if let hiddenPath {
      try Self.move(hiddenPath, to: path, replacing: replacing)
    } else if !replacing {
      try give(name: path)
    } else {
      let hidden = Self.hiddenPath(in: Self.folder(of: path))
      try give(name: hidden)
      do throws(AudioFileError) {
        try Self.move(hidden, to: path, replacing: true)
      } catch {
        _ = hidden.withPlatformString { unlink($0) }
        throw error
      }
    }
  }

  /// Gives the nameless file a name that must not exist yet.
  private func give(name: FilePath) throws(AudioFileError) {
    #if os(Linux)
      let status = name.withPlatformString {
        linkat(
          AT_FDCWD, "/proc/self/fd/\(descriptor.rawValue)", AT_FDCWD, $0, Int32(AT_SYMLINK_FOLLOW))
      }
      guard status == 0 else { throw Self.failure(errno, path) }
    #endif
  }

  /// Moves a complete hidden file to its final name.
  private static func move(
    _ hidden: FilePath, to path: FilePath, replacing: Bool
  ) throws(AudioFileError) {
    let status = hidden.withPlatformString { from in
      path.withPlatformString { to in
        // A hard link, unlike a rename, never replaces what is there.
        replacing ? rename(from, to) : link(from, to)
      }
    }
    guard status == 0 else { throw failure(errno, path) }
  }

  private static func failure(_ code: Int32, _ path: FilePath) -> AudioFileError {
    code == EEXIST ? .outputExists(path) : .cannotWrite(path, Errno(rawValue: code))
  }

  private static func folder(of path: FilePath) -> FilePath {
    let folder = path.removingLastComponent()
    return folder.isEmpty ? "." : folder
  }

  private static func hiddenPath(in folder: FilePath) -> FilePath {
    folder.appending(".scaleaudio-\(getpid())-\(UInt32.random(in: 0 ... .max)).tmp")
  }
}

#if os(Linux)
  /// `O_TMPFILE`, whose macro Swift does not import: `__O_TMPFILE | O_DIRECTORY` in
  /// `asm-generic/fcntl.h`.
  private let nameless: Int32 = 0o20000000 | O_DIRECTORY
#endif
