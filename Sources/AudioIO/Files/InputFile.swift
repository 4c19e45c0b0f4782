package import AudioModel
import Glibc
package import SystemPackage

/// A seekable file opened for reading.
///
/// An input from a pipe is first copied to an unnamed temporary file.
package struct InputFile: ~Copyable {
  /// The path to use in messages.
  package let path: FilePath
  package let descriptor: FileDescriptor
  /// The size in bytes.
  package let size: Int
  /// The offset of the input in the file behind `descriptor`; above 0 for a part of a file.
  package let start: Int
  /// Device and inode, to recognize two names of the same file.
  package let identity: FileIdentity
  /// Size and modification time on opening; `nil` for an input from a pipe.
  package let stamp: FileStamp?
  /// The declaration of headerless samples; `nil` if the content shows the format.
  package var raw: RawPCM?
  /// The declared encoding of texts for which the file has none; `nil` if nothing is declared.
  package var tagEncoding: TextEncoding?
  /// The facts about the content that were found so far.
  private let memory: InputMemory

  /// Opens the file at `path`. Folders, devices, and sockets are refused without being read.
  ///
  /// A pipe is read to its end. Cancellation by `isCancelled` throws `cannotRead` with `EINTR`. If folders are given, the
  /// file must lie below one of them, and is opened component by component below the deepest one, following no symbolic
  /// link: none leads out of the folder, also not one that has just taken the place of a file.
  ///
  /// - Parameter refusesPipes: True where nobody waits for the end of a pipe; one is then refused like a device.
  package init(
    path: FilePath, beneath folders: [FilePath] = [], refusesPipes: Bool = false,
    isCancelled: () -> Bool = { false }
  ) throws(AudioFileError) {
    let descriptor: FileDescriptor
    do throws(AudioFileError) {
      descriptor = try .reading(path, beneath: folders)
    } catch {
      switch error {
      // The first is a socket.
      case .cannotOpen(_, .noSuchAddressOrDevice), .cannotOpen(_, .isDirectory):
        throw .notAFile(path)
      default: throw error
      }
    }
    try self.init(
      descriptor: descriptor, path: path, refusesPipes: refusesPipes, isCancelled: isCancelled)
  }

  /// Standard input, read to its end.
  package init(
    standardInput: FileDescriptor, isCancelled: () -> Bool
  ) throws(AudioFileError) {
    let path: FilePath = "-"
    let status = try Self.status(of: standardInput, path: path)
    guard status.kind != .folder, isatty(standardInput.rawValue) == 0 else { throw .notAFile(path) }
    let spool = try Spool.read(standardInput, path: path, isCancelled: isCancelled)
    let identity = status.kind == .file ? status.identity : nil
    try self.init(whole: spool, path: path, identity: identity, isSpooled: true)
  }

  /// Takes ownership of the descriptor of an unnamed file that holds what came through a pipe.
  init(spool: FileDescriptor, path: FilePath) throws(AudioFileError) {
    try self.init(whole: spool, path: path, identity: nil, isSpooled: true)
  }

  /// Takes ownership of an open descriptor.
  package init(
    descriptor: FileDescriptor, path: FilePath, refusesPipes: Bool = false,
    isCancelled: () -> Bool = { false }
  ) throws(AudioFileError) {
    let kind: FileStatus.Kind
    do throws(AudioFileError) {
      kind = try Self.status(of: descriptor, path: path).kind
    } catch {
      try? descriptor.close()
      throw error
    }
    switch kind {
    case .file:
      try self.init(whole: descriptor, path: path, identity: nil, isSpooled: false)
    case .pipe where !refusesPipes:
      defer { try? descriptor.close() }
      let spool = try Spool.read(descriptor, path: path, isCancelled: isCancelled)
      try self.init(whole: spool, path: path, identity: nil, isSpooled: true)
    default:
      try? descriptor.close()
      throw .notAFile(path)
    }
  }

  /// Takes ownership of the descriptor of a regular file that holds the whole input.
  private init(
    whole descriptor: FileDescriptor, path: FilePath, identity: FileIdentity?, isSpooled: Bool
  ) throws(AudioFileError) {
    let status: FileStatus
    do throws(AudioFileError) {
      status = try Self.status(of: descriptor, path: path)
      if status.stamp.size == 0 { throw .empty(path) }
    } catch {
      try? descriptor.close()
      throw error
    }
    self.path = path
    self.descriptor = descriptor
    // Most of the file will be read in order: let the kernel read further ahead.
    posix_fadvise(descriptor.rawValue, 0, 0, POSIX_FADV_SEQUENTIAL)
    self.identity = identity ?? status.identity
    size = status.stamp.size
    start = 0
    stamp = isSpooled ? nil : status.stamp
    raw = nil
    memory = InputMemory()
  }

  /// A changed copy of a file in another open file, with the same name and the same declaration about its texts.
  package init(
    copyOf whole: borrowing InputFile, in descriptor: FileDescriptor
  ) throws(AudioFileError) {
    try self.init(descriptor: descriptor, path: whole.path)
    tagEncoding = whole.tagEncoding
  }

  /// A range of bytes of another input, as a separate file.
  package init(
    _ whole: borrowing InputFile, bytes: Range<Int>
  ) throws(AudioFileError) {
    let bytes = bytes.clamped(to: 0..<whole.size)
    path = whole.path
    descriptor = try whole.duplicate()
    identity = whole.identity
    stamp = whole.stamp
    raw = whole.raw
    tagEncoding = whole.tagEncoding
    size = bytes.count
    start = whole.start + bytes.lowerBound
    memory = bytes.count == whole.size ? whole.memory : InputMemory()
  }

  deinit { try? descriptor.close() }

  /// Throws if the file was modified since it was opened.
  package func checkUnchanged() throws(AudioFileError) {
    guard let stamp else { return }
    let now = try Self.status(of: descriptor, path: path).stamp
    if now != stamp { throw .changed(path) }
  }

  private static func status(
    of descriptor: FileDescriptor, path: FilePath
  ) throws(AudioFileError) -> FileStatus {
    do throws(Errno) {
      return try FileStatus(descriptor: descriptor)
    } catch {
      throw .cannotOpen(path, error)
    }
  }

  /// Returns the result of a walk over the whole file. The first call walks; later ones of the same type
  /// return its value.
  package func walked<Value: Sendable>(
    _ walk: (borrowing InputFile) throws(AudioFileError) -> Value
  ) throws(AudioFileError) -> Value {
    if let known = walkedBefore(Value.self) { return known }
    let value = try walk(self)
    memory.values.withLock { $0[ObjectIdentifier(Value.self)] = value }
    return value
  }

  /// The value of this type that ``walked(_:)`` keeps; `nil` if there is none.
  package func walkedBefore<Value: Sendable>(_ type: Value.Type) -> Value? {
    memory.values.withLock { $0[ObjectIdentifier(type)] as? Value }
  }

  /// A duplicate descriptor, positioned at the start, for a library that closes its descriptor.
  package func duplicate() throws(AudioFileError) -> FileDescriptor {
    do {
      let copy = try descriptor.duplicate()
      try copy.seek(offset: 0, from: .start)
      return copy
    } catch {
      throw .cannotOpen(path, error as? Errno ?? .ioError)
    }
  }

  /// Up to `count` bytes from `offset`; fewer at the end of the file.
  package func bytes(at offset: Int, count: Int) throws(AudioFileError) -> [UInt8] {
    guard offset >= 0, offset < size else { return [] }
    let count = min(count, size - offset)
    guard count <= InputMemory.maximumHead else { return try read(at: offset, count: count) }
    if let known = memory.bytes(at: offset, count: count) { return known }
    let ahead = try read(at: offset, count: min(InputMemory.readAhead, size - offset))
    memory.keep(ahead, from: offset)
    return Array(ahead.prefix(count))
  }

  private func read(at offset: Int, count: Int) throws(AudioFileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    do {
      var done = 0
      while done < bytes.count {
        let part = try bytes.withUnsafeMutableBytes { buffer in
          try descriptor.read(
            fromAbsoluteOffset: Int64(start + offset + done),
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
        }
        if part == 0 { break }
        done += part
      }
      bytes.removeSubrange(done...)
      return bytes
    } catch {
      throw .cannotRead(path, error as? Errno ?? .ioError)
    }
  }
}

/// Facts about the content of an input, found once.
private final class InputMemory: Sendable {
  /// A read of at most as many bytes is that of a header, after which others follow closely: more is read at once.
  static let (maximumHead, readAhead) = (256, 4096)

  /// The results of walks over the input, by their types.
  let values = Locked<[ObjectIdentifier: any Sendable]>([:])
  private let ahead = Locked<(start: Int, bytes: [UInt8])>((0, []))

  /// Bytes that were read ahead; `nil` unless all of them were.
  func bytes(at offset: Int, count: Int) -> [UInt8]? {
    ahead.withLock { ahead in
      let from = offset - ahead.start
      guard from >= 0, count <= ahead.bytes.count - from else { return nil }
      return Array(ahead.bytes[from..<from + count])
    }
  }

  func keep(_ bytes: [UInt8], from start: Int) { ahead.withLock { $0 = (start, bytes) } }
}

/// A read buffer for a few bytes at a time, in ascending order.
package struct ReadWindow {
  private static let length = 1 << 18
  private var start = 0
  private var bytes: [UInt8] = []

  package init() {}

  /// Up to `count` bytes of `input` from `offset`, where `count` is small; fewer at the end of the file.
  package mutating func bytes(
    of input: borrowing InputFile, at offset: Int, count: Int
  ) throws(AudioFileError) -> ArraySlice<UInt8> {
    let (end, overflows) = offset.addingReportingOverflow(count)
    guard offset >= 0, !overflows else { return [] }
    if offset < start || end > start + bytes.count {
      start = offset
      bytes = try input.bytes(at: offset, count: max(count, Self.length))
    }
    let from = offset - start
    return bytes[from..<min(from + count, bytes.count)]
  }
}

/// An input with its own read position, for libraries that read through callbacks.
///
/// It keeps the cause of a failure, which callbacks of C libraries cannot pass on.
package final class InputCursor {
  private let descriptor: FileDescriptor
  /// The offset of the input in the file.
  private let start: Int
  /// The size of the file on opening, in bytes.
  package let size: Int
  /// The offset of the next byte to read.
  package private(set) var position = 0
  /// Bytes read so far; bytes read twice count twice.
  package private(set) var bytesRead = 0
  /// Why reading failed.
  package private(set) var failure: Errno?

  package init(_ input: borrowing InputFile) throws(AudioFileError) {
    descriptor = try input.duplicate()
    size = input.size
    start = input.start
  }

  deinit { try? descriptor.close() }

  /// Reads up to a full `buffer` and returns the bytes read, 0 at the end of the file; `nil` on failure.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    do {
      // A part of a file may end before the file does.
      let wanted = UnsafeMutableRawBufferPointer(
        rebasing: buffer.prefix(max(0, size - position)))
      let count = try descriptor.read(fromAbsoluteOffset: Int64(start + position), into: wanted)
      position += count
      bytesRead += count
      return count
    } catch {
      failure = error as? Errno ?? .ioError
      return nil
    }
  }

  /// Moves to an offset in the file, or to its end; `false` outside.
  package func seek(to target: Int) -> Bool {
    guard target >= 0, target <= size else { return false }
    position = target
    return true
  }
}

extension FileDescriptor {
  /// Opens a file for reading, without waiting for the writer of a FIFO; the caller closes it. If folders are given, the
  /// file must lie below one of them.
  package static func reading(
    _ path: FilePath, beneath folders: [FilePath] = []
  ) throws(AudioFileError) -> FileDescriptor {
    do {
      if !folders.isEmpty { return try file(path, beneath: folders, O_RDONLY | O_NONBLOCK) }
      return try open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
    } catch {
      throw .cannotOpen(path, error as? Errno ?? .ioError)
    }
  }
}

extension InputFile {
  /// The byte ranges of files that were joined, from their start offsets; `nil` if there is only one.
  package borrowing func parts(startingAt starts: [Int]) -> [Range<Int>]? {
    guard starts.count > 1, starts.first == 0 else { return nil }
    return zip(starts, starts.dropFirst() + [size]).map { $0..<$1 }
  }
}
