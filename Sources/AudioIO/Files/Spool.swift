internal import Dispatch
import Glibc
package import SystemPackage

/// Unnamed temporary files, which disappear with the process.
package enum Spool {
  /// Bytes that are copied at a time.
  static let blockSize = 1 << 16
  /// How often a wait checks for cancellation.
  private static let pollMilliseconds: Int32 = 100

  /// A new unnamed file, open for reading and writing.
  package static func makeFile() throws(AudioFileError) -> FileDescriptor {
    let folder = temporaryFolder
    let unnamed = folder.withPlatformString { folder in
      uninterrupted { open(folder, nameless | O_RDWR | O_CLOEXEC, 0o600) }
    }
    if unnamed >= 0 { return FileDescriptor(rawValue: unnamed) }
    let name = folder.appending(".scaleaudio-\(getpid())-\(UInt32.random(in: 0 ... .max)).spool")
    do {
      let descriptor = try FileDescriptor.open(
        name, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: .ownerReadWrite)
      _ = name.withPlatformString { name in uninterrupted { unlink(name) } }
      return descriptor
    } catch {
      throw .cannotWrite(folder, error as? Errno ?? .ioError)
    }
  }

  /// The bytes that a file may still take on its file system; 0 if that is not known.
  package static func freeBytes(of file: FileDescriptor) -> Int64 {
    var status = statvfs()
    return fstatvfs(file.rawValue, &status) == 0 ? freeBytes(status) : 0
  }

  /// The bytes that files in a folder may still take on its file system; `nil` if that is not known.
  package static func freeBytes(in folder: FilePath) -> Int64? {
    var status = statvfs()
    let failed = folder.withPlatformString { folder in uninterrupted { statvfs(folder, &status) } }
    return failed == 0 && status.f_blocks > 0 ? freeBytes(status) : nil
  }

  private static func freeBytes(_ status: statvfs) -> Int64 {
    let (bytes, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: status.f_frsize))
    return overflow ? .max : bytes
  }

  /// Fills memory from an unnamed file, beginning at `offset`; a file that is too short is an error.
  package static func read(
    _ file: FileDescriptor, at offset: Int64, into memory: UnsafeMutableRawBufferPointer
  ) throws(AudioFileError) {
    var done = 0
    while done < memory.count, let base = memory.baseAddress {
      let count = pread(
        file.rawValue, base + done, memory.count - done, off_t(offset) + off_t(done))
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        throw .cannotRead(temporaryFolder, count == 0 ? .ioError : Errno(rawValue: errno))
      }
    }
  }

  /// Copies a pipe, socket, or file to its end into an unnamed file; waiting can be cancelled.
  static func read(
    _ source: FileDescriptor, path: FilePath, isCancelled: () -> Bool
  ) throws(AudioFileError) -> FileDescriptor {
    let file = try makeFile()
    var block = [UInt8](repeating: 0, count: blockSize)
    do throws(AudioFileError) {
      while true {
        let count = try readWhenReady(source, &block, path: path, isCancelled: isCancelled)
        if count == 0 { return file }
        try write(block, count: count, to: file, path: temporaryFolder)
      }
    } catch {
      try? file.close()
      throw error
    }
  }

  /// All bytes of a pipe, socket, or file, or only the first if there are more than `limit`; waiting can be
  /// cancelled.
  package static func bytes(
    of source: FileDescriptor, path: FilePath, limit: Int = .max, isCancelled: () -> Bool
  ) throws(AudioFileError) -> [UInt8] {
    var all: [UInt8] = []
    var block = [UInt8](repeating: 0, count: blockSize)
    while all.count <= limit {
      let count = try readWhenReady(source, &block, path: path, isCancelled: isCancelled)
      if count == 0 { break }
      all += block[..<count]
    }
    return all
  }

  /// Copies a whole file to a descriptor, which may be a pipe; waiting can be cancelled.
  static func copy(
    _ file: FileDescriptor, to target: FileDescriptor, path: FilePath, isCancelled: () -> Bool
  ) throws(AudioFileError) {
    // A pipe that polls as writable accepts this much without blocking (PIPE_BUF on Linux).
    let isPipe = (try? FileStatus(descriptor: target))?.kind != .file
    var block = [UInt8](repeating: 0, count: isPipe ? 4096 : blockSize)
    var offset: off_t = 0
    while true {
      let count = pread(file.rawValue, &block, block.count, offset)
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw .cannotRead(temporaryFolder, Errno(rawValue: errno))
      }
      if count == 0 { return }
      offset += off_t(count)
      if isPipe { try wait(target, for: POLLOUT, path: path, isCancelled: isCancelled) }
      try write(block, count: count, to: target, path: path)
    }
  }

  /// Reads the next bytes of a pipe, socket, or file; 0 at its end. Waiting can be cancelled.
  package static func readWhenReady(
    _ source: FileDescriptor, _ block: inout [UInt8], path: FilePath, isCancelled: () -> Bool
  ) throws(AudioFileError) -> Int {
    while true {
      try wait(source, for: POLLIN, path: path, isCancelled: isCancelled)
      let size = block.count
      let count = systemRead(source.rawValue, &block, size)
      if count >= 0 { return count }
      guard errno == EINTR || errno == EAGAIN else {
        throw .cannotRead(path, Errno(rawValue: errno))
      }
    }
  }

  private static func wait(
    _ descriptor: FileDescriptor, for events: Int32, path: FilePath, isCancelled: () -> Bool
  ) throws(AudioFileError) {
    var request = pollfd(fd: descriptor.rawValue, events: Int16(events), revents: 0)
    while true {
      if isCancelled() { throw .cannotRead(path, .interrupted) }
      let ready = poll(&request, 1, pollMilliseconds)
      if ready > 0 { return }
      if ready < 0 && errno != EINTR { throw .cannotRead(path, Errno(rawValue: errno)) }
    }
  }

  private static func write(
    _ block: [UInt8], count: Int, to file: FileDescriptor, path: FilePath
  ) throws(AudioFileError) {
    do {
      _ = try block.withUnsafeBytes { bytes in
        try file.writeAll(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      }
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
  }

  /// `TMPDIR`, or else `/var/tmp`, which unlike `/tmp` is never kept in memory.
  package static var temporaryFolder: FilePath {
    if let named = getenv("TMPDIR"), named.pointee != 0 { return FilePath(platformString: named) }
    return "/var/tmp"
  }
}

/// `O_TMPFILE`, whose macro Swift does not import: `__O_TMPFILE | O_DIRECTORY` in
/// `asm-generic/fcntl.h`.
let nameless: Int32 = 0o20000000 | O_DIRECTORY

/// Calls read(2), which `Spool.read` hides.
private func systemRead(_ descriptor: Int32, _ block: UnsafeMutableRawPointer, _ size: Int) -> Int {
  read(descriptor, block, size)
}

/// Copies a pipe into an unnamed temporary file on a thread of its own; the bytes received so far can be read
/// meanwhile.
package final class PipeSpool: Sendable {
  /// The progress of the copy.
  package struct Progress: Hashable, Sendable {
    /// Bytes received so far.
    package var byteCount = 0
    /// True once the copy has ended.
    package var isEnded = false
    /// Why the copy ended before the end of the pipe; `nil` otherwise.
    package var failure: AudioFileError?
  }

  /// The path that messages name; `-` for standard input.
  package let path: FilePath
  private let source: FileDescriptor
  private let file: FileDescriptor
  private let state = Locked((progress: Progress(), isStopped: false))

  /// The copy leaves 1 / this number of the initially free space to others.
  private static let partLeftFree: Int64 = 16

  package var progress: Progress { state.withLock { $0.progress } }

  /// Begins to copy the named pipe at `path`, or standard input if there is none.
  ///
  /// `onEnd` is called on the copying thread when the copy has ended.
  package init(
    _ path: FilePath?, isCancelled: @escaping @Sendable () -> Bool,
    onEnd: @escaping @Sendable () -> Void
  ) throws(AudioFileError) {
    self.path = path ?? "-"
    do {
      // Without O_NONBLOCK, opening a FIFO would wait for a writer.
      source =
        try path.map { try .open($0, .readOnly, options: [.closeOnExec, .nonBlocking]) }
        ?? FileDescriptor.standardInput.duplicate()
    } catch {
      throw .cannotOpen(self.path, error as? Errno ?? .ioError)
    }
    do throws(AudioFileError) {
      let kind = (try? FileStatus(descriptor: source))?.kind
      guard kind != .folder, isatty(source.rawValue) == 0 else { throw .notAFile(self.path) }
      file = try Spool.makeFile()
    } catch {
      try? source.close()
      throw error
    }
    DispatchQueue(label: "scaleaudio.pipe").async { [self] in
      copy { isCancelled() || state.withLock { $0.isStopped } }
      onEnd()
    }
  }

  deinit {
    try? source.close()
    try? file.close()
  }

  /// Ends the copy soon; the bytes received stay readable.
  package func stop() { state.withLock { $0.isStopped = true } }

  /// The bytes received so far, as a file.
  package func input() throws(AudioFileError) -> InputFile {
    let copy: FileDescriptor
    do {
      // Opened again: a duplicate would share the read position.
      copy = try .open(
        FilePath("/proc/self/fd/\(file.rawValue)"), .readOnly, options: [.closeOnExec])
    } catch {
      throw .cannotOpen(path, error as? Errno ?? .ioError)
    }
    return try InputFile(spool: copy, path: path)
  }

  private func copy(isCancelled: () -> Bool) {
    let room = Spool.freeBytes(of: file)
    let limit = room - room / Self.partLeftFree
    var block = [UInt8](repeating: 0, count: Spool.blockSize)
    var failure: AudioFileError?
    do throws(AudioFileError) {
      while true {
        let count = try Spool.readWhenReady(source, &block, path: path, isCancelled: isCancelled)
        if count == 0 { break }
        let offset = Int64(progress.byteCount)
        if offset + Int64(count) > limit { throw .cannotWrite(Spool.temporaryFolder, .noSpace) }
        do {
          _ = try block.withUnsafeBytes { bytes in
            try file.writeAll(
              toAbsoluteOffset: offset, UnsafeRawBufferPointer(rebasing: bytes[..<count]))
          }
        } catch {
          throw .cannotWrite(Spool.temporaryFolder, error as? Errno ?? .ioError)
        }
        state.withLock { $0.progress.byteCount += count }
      }
    } catch {
      failure = error
    }
    state.withLock { ($0.progress.isEnded, $0.progress.failure) = (true, failure) }
  }
}
