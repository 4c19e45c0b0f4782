import Glibc
package import SystemPackage

/// An output file that is created atomically: complete or not at all.
///
/// On Linux the content is written to an unnamed file (`O_TMPFILE`), which disappears with the process, and
/// is linked to its name when complete. On file systems without such files, a hidden file in the same folder
/// is renamed when complete and removed otherwise. Standard output, pipes and devices are written once the
/// content is complete in an unnamed file. A symbolic link is followed.
package struct OutputFile: ~Copyable {
  private enum Place {
    case nameless
    case hidden(FilePath)
    case standardOutput(FileDescriptor)
    /// A pipe or a device, whose descriptor is owned.
    case stream(FileDescriptor)
  }

  package let path: FilePath
  /// Open for reading and writing, at the start of an empty file.
  package let descriptor: FileDescriptor
  private let place: Place
  /// The path at which the file gets its name, with a link followed.
  private let target: FilePath
  /// The file's folder, if it had to lie below certain folders; `target` then leads through it.
  private let folder: FileDescriptor?

  /// Begins a file that will be named `path`. It does not exist until ``commit(replacing:syncing:isCancelled:)``.
  ///
  /// A named pipe is opened, which waits for its reader. `isHidden` uses a hidden file even if an unnamed
  /// one is possible. If folders are given, the file must lie below one of them, with no symbolic link on the way, and
  /// only a file can have its name: it is written into the folder that is found now, also if another takes its place.
  package init(
    path: FilePath, beneath folders: [FilePath] = [], isHidden: Bool = false,
    isCancelled: () -> Bool = { false }
  ) throws(AudioFileError) {
    self.path = path
    let opened =
      if !folders.isEmpty {
        try Self.openFile(path, beneath: folders, isHidden: isHidden)
      } else {
        switch try OutputPlace(path) {
        case .stream: try Self.openStream(path, isCancelled)
        case .file(let target): try Self.openFile(target, path: path, isHidden: isHidden)
        }
      }
    (target, descriptor, place, folder) = opened
    if case .stream = place { return }
    HiddenFiles.lock(descriptor)
  }

  private typealias Opened = (
    target: FilePath, descriptor: FileDescriptor, place: Place, folder: FileDescriptor?
  )

  /// Begins a file that will be named `path`, in its folder below one of `folders`.
  private static func openFile(
    _ path: FilePath, beneath folders: [FilePath], isHidden: Bool
  ) throws(AudioFileError) -> Opened {
    let folder: FileDescriptor
    do throws(Errno) {
      folder = try .folder(path.removingLastComponent(), beneath: folders)
    } catch {
      throw .cannotWrite(path, error)
    }
    do throws(AudioFileError) {
      var opened = try openFile(try target(of: path, in: folder), path: path, isHidden: isHidden)
      opened.folder = folder
      return opened
    } catch {
      try? folder.close()
      throw error
    }
  }

  /// The path of an output that leads through its open folder. Throws if something other than a file exists there.
  private static func target(
    of path: FilePath, in folder: FileDescriptor
  ) throws(AudioFileError) -> FilePath {
    guard let name = path.lastComponent, name.kind == .regular else {
      throw .cannotWrite(path, .isDirectory)
    }
    // Without /proc, the folder is found once more by its path.
    let target = hasProc ? FilePath(procPath(folder)).appending(name) : path
    guard let status = FileStatus(path: target, followingLinks: false) else { return target }
    switch status.kind {
    case .file: return target
    case .folder: throw .cannotWrite(path, .isDirectory)
    case .link: throw .notAnOutput(path, reason: "a symbolic link")
    case .pipe, .socket, .characterDevice, .blockDevice:
      throw .notAnOutput(path, reason: "a pipe, socket, or device")
    }
  }

  private static func openStream(
    _ path: FilePath, _ isCancelled: () -> Bool
  ) throws(AudioFileError) -> Opened {
    let stream = try OutputPlace.openStream(path, isCancelled: isCancelled)
    do throws(AudioFileError) {
      return (path, try Spool.makeFile(), .stream(stream), nil)
    } catch {
      try? stream.close()
      throw error
    }
  }

  /// Begins a file that will be named `target`; errors name `path`.
  private static func openFile(
    _ target: FilePath, path: FilePath, isHidden: Bool
  ) throws(AudioFileError) -> Opened {
    if !isHidden, let unnamed = try openNameless(in: target.folder, path) {
      return (target, unnamed, .nameless, nil)
    }
    let hidden = HiddenFiles.reserveName(in: target.folder)
    do {
      let descriptor = try FileDescriptor.open(
        hidden, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: FilePermissions(rawValue: 0o666))
      return (target, descriptor, .hidden(hidden), nil)
    } catch {
      HiddenFiles.remove(hidden)
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
  }

  /// Begins an output to standard output, written on ``commit(replacing:syncing:isCancelled:)``.
  package init(standardOutput: FileDescriptor) throws(AudioFileError) {
    path = "-"
    target = path
    folder = nil
    descriptor = try Spool.makeFile()
    place = .standardOutput(standardOutput)
  }

  /// Begins a file that never gets the name `path`, for finding out what a writer would make.
  package init(unpublished path: FilePath) throws(AudioFileError) {
    self.path = path
    target = path
    folder = nil
    descriptor = try Spool.makeFile()
    place = .nameless
  }

  deinit {
    try? descriptor.close()
    if case .hidden(let hidden) = place { HiddenFiles.remove(hidden) }
    if case .stream(let stream) = place { try? stream.close() }
    try? folder?.close()
  }

  /// Makes the content durable and gives the file its name.
  ///
  /// Without `replacing`, an existing file with that name is an error; with `keepingReplaced` too, it stays beside the new
  /// one, as `name (1).wav` or with the next number. Without `syncing`, the system decides when to write to disk.
  /// `isCancelled` is polled while writing to a stream.
  package consuming func commit(
    replacing: Bool, keepingReplaced: Bool = false, syncing: Bool = true,
    isCancelled: () -> Bool = { false }
  ) throws(AudioFileError) {
    switch place {
    case .standardOutput(let target), .stream(let target):
      try Spool.copy(descriptor, to: target, path: path, isCancelled: isCancelled)
    case .hidden(let hidden):
      if syncing { try sync() }
      if replacing, keepingReplaced { try keepReplaced() }
      try move(hidden, replacing: replacing)
    case .nameless:
      if syncing { try sync() }
      if replacing, keepingReplaced { try keepReplaced() }
      try publishNameless(replacing: replacing)
    }
  }

  /// The error of a test write at the end of the file; `nil` if it succeeds.
  ///
  /// For encoders that fail without reporting a cause. The file is unusable afterwards.
  package func writeFailure() -> Errno? {
    let block = [UInt8](repeating: 0, count: 1 << 16)
    let end = lseek(descriptor.rawValue, 0, SEEK_END)
    if end < 0 { return Errno(rawValue: errno) }
    let count = pwrite(descriptor.rawValue, block, block.count, end)
    if count == block.count { return nil }
    return count < 0 ? Errno(rawValue: errno) : .noSpace
  }

  private func sync() throws(AudioFileError) {
    if uninterrupted({ fsync(descriptor.rawValue) }) == 0 { return }
    // Some file systems cannot sync; there is nothing else to do.
    guard errno == EINVAL || errno == ENOTSUP else {
      throw .cannotWrite(path, Errno(rawValue: errno))
    }
  }

  /// Gives the file that will be replaced another name, the first that is free. Where the file system has links, it keeps
  /// its own one until it is replaced.
  private func keepReplaced() throws(AudioFileError) {
    guard FileStatus(path: target, followingLinks: false)?.kind == .file else { return }
    for number in 1...9999 {
      let kept = Self.numbered(target, number)
      let status = target.withPlatformString { from in
        kept.withPlatformString { to in uninterrupted { Self.moveUnlessTaken(from, to) } }
      }
      if status == 0 { return }
      guard errno == EEXIST else { throw .cannotWrite(path, Errno(rawValue: errno)) }
    }
    throw .outputExists(path)
  }

  /// A path with a number before its extension, shortened to what file systems take.
  private static func numbered(_ path: FilePath, _ number: Int) -> FilePath {
    let bytes = path.bytes
    let name = bytes[(bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
    let dot = name.dropFirst().lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    let end = Array(" (\(number))".utf8) + name[dot...]
    var stem = name[..<dot]
    while stem.count > 1, stem.count + end.count > 255 {
      // Not within a character of UTF-8.
      while stem.count > 1, let last = stem.popLast(), last & 0xC0 == 0x80 {}
    }
    return FilePath(bytes: bytes[..<name.startIndex] + stem + end)
  }

  private func publishNameless(replacing: Bool) throws(AudioFileError) {
    do throws(AudioFileError) {
      try give(name: target)
    } catch {
      guard replacing, case .outputExists = error else { throw error }
      // Only a rename replaces a file atomically, and only a named file can be renamed.
      let hidden = HiddenFiles.reserveName(in: target.folder)
      defer { HiddenFiles.remove(hidden) }
      try give(name: hidden)
      try move(hidden, replacing: true)
    }
  }

  /// Links the unnamed file to a name that must not exist yet.
  private func give(name: FilePath) throws(AudioFileError) {
    let status = name.withPlatformString { name in
      uninterrupted {
        linkat(AT_FDCWD, Self.procPath(descriptor), AT_FDCWD, name, Int32(AT_SYMLINK_FOLLOW))
      }
    }
    guard status == 0 else { throw Self.failure(errno, path) }
  }

  /// An unnamed file in a folder, for the output at `path`; `nil` if the system has none.
  private static func openNameless(
    in folder: FilePath, _ path: FilePath
  ) throws(AudioFileError) -> FileDescriptor? {
    guard hasProc else { return nil }
    let raw = folder.withPlatformString { folder in
      uninterrupted { open(folder, nameless | O_RDWR | O_CLOEXEC, 0o666) }
    }
    if raw < 0 {
      // Kernels and file systems without O_TMPFILE return EISDIR or EINVAL.
      guard errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else {
        throw .cannotWrite(path, Errno(rawValue: errno))
      }
      return nil
    }
    return FileDescriptor(rawValue: raw)
  }

  /// True if there is /proc, through which an unnamed file is linked to its name. Checked once per process.
  private static let hasProc = access("/proc/self/fd", F_OK) == 0

  private static func procPath(_ descriptor: FileDescriptor) -> String {
    "/proc/self/fd/\(descriptor.rawValue)"
  }

  /// Moves a complete hidden file to its final name.
  private func move(_ hidden: FilePath, replacing: Bool) throws(AudioFileError) {
    // A pipe or a device that has appeared in the meantime stays.
    if replacing, let status = FileStatus(path: target, followingLinks: false),
      status.kind != .file
    {
      throw .outputExists(path)
    }
    let status = hidden.withPlatformString { from in
      target.withPlatformString { to in
        uninterrupted { replacing ? rename(from, to) : Self.moveUnlessTaken(from, to) }
      }
    }
    guard status == 0 else { throw Self.failure(errno, path) }
  }

  /// Moves a file to a name that must not exist; returns 0, or -1 with `errno` set.
  private static func moveUnlessTaken(
    _ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>
  ) -> Int32 {
    // A hard link, unlike a rename, never replaces an existing file.
    if link(from, to) == 0 { return 0 }
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { return -1 }
    // The file system has no hard links (FAT, some network shares).
    var status = stat()
    if lstat(to, &status) == 0 {
      errno = EEXIST
      return -1
    }
    return rename(from, to)
  }

  private static func failure(_ code: Int32, _ path: FilePath) -> AudioFileError {
    code == EEXIST ? .outputExists(path) : .cannotWrite(path, Errno(rawValue: code))
  }
}

/// An output with its own write position, for libraries that write through callbacks.
///
/// It keeps the cause of the first failure, which callbacks of C libraries cannot pass on, and writes
/// nothing afterwards.
package final class OutputCursor {
  package let descriptor: FileDescriptor
  /// The offset of the next byte to write.
  package private(set) var position = 0
  /// Why writing failed.
  package private(set) var failure: Errno?
  private var isAbandoned = false

  /// Takes ownership of a descriptor, which must be seekable.
  init(descriptor: FileDescriptor) {
    self.descriptor = descriptor
  }

  package convenience init(_ output: borrowing OutputFile) throws(AudioFileError) {
    do {
      self.init(descriptor: try output.descriptor.duplicate())
    } catch {
      throw .cannotWrite(output.path, error as? Errno ?? .ioError)
    }
  }

  deinit { try? descriptor.close() }

  /// Writes all of `bytes`; `false` on failure.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard failure == nil, !isAbandoned else { return false }
    do {
      position += try descriptor.writeAll(toAbsoluteOffset: Int64(position), bytes)
      return true
    } catch {
      failure = error as? Errno ?? .ioError
      return false
    }
  }

  /// Reads back written bytes from the position on; `nil` on failure.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    do {
      let count = try descriptor.read(fromAbsoluteOffset: Int64(position), into: buffer)
      position += count
      return count
    } catch {
      failure = error as? Errno ?? .ioError
      return nil
    }
  }

  /// Moves to an offset in the file.
  package func seek(to target: Int) -> Bool {
    guard target >= 0 else { return false }
    position = target
    return true
  }

  /// Stops all writing: the output will be discarded.
  package func abandon() {
    isAbandoned = true
  }
}
