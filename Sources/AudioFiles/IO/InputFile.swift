package import SystemPackage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An input opened for reading: a regular file, seekable.
package struct InputFile: ~Copyable {
  /// The name that messages use.
  package let path: FilePath
  package let descriptor: FileDescriptor
  /// The size in bytes.
  package let size: Int
  /// Device and inode, which tell whether two names are one file.
  package let identity: FileIdentity

  /// Opens the file at `path`; folders, devices and sockets are refused without being read.
  package init(path: FilePath) throws(AudioFileError) {
    let descriptor: FileDescriptor
    do {
      // Without O_NONBLOCK, opening a FIFO would wait for a writer.
      descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
    } catch {
      throw .cannotOpen(path, error as? Errno ?? .ioError)
    }
    try self.init(descriptor: descriptor, path: path)
  }

  /// Takes over an open descriptor and closes it in the end.
  package init(descriptor: FileDescriptor, path: FilePath) throws(AudioFileError) {
    var status = stat()
    let failed = fstat(descriptor.rawValue, &status) != 0
    let code = Errno(rawValue: errno)
    guard !failed, status.st_mode & S_IFMT == S_IFREG else {
      try? descriptor.close()
      throw failed ? .cannotOpen(path, code) : .notAFile(path)
    }
    guard status.st_size > 0 else {
      try? descriptor.close()
      throw .empty(path)
    }
    self.path = path
    self.descriptor = descriptor
    size = Int(status.st_size)
    identity = FileIdentity(status)
  }

  deinit { try? descriptor.close() }

  /// A descriptor of its own for a library that closes what it is given, positioned at the start.
  package func duplicate() throws(AudioFileError) -> FileDescriptor {
    do {
      let copy = try descriptor.duplicate()
      try copy.seek(offset: 0, from: .start)
      return copy
    } catch {
      throw .cannotOpen(path, error as? Errno ?? .ioError)
    }
  }

  /// The bytes from `offset`, at most `count`, fewer at the end of the file.
  package func bytes(at offset: Int, count: Int) throws(AudioFileError) -> [UInt8] {
    guard offset >= 0, offset < size else { return [] }
    var bytes = [UInt8](repeating: 0, count: min(count, size - offset))
    do {
      var done = 0
      while done < bytes.count {
        let part = try bytes.withUnsafeMutableBytes { buffer in
          try descriptor.read(
            fromAbsoluteOffset: Int64(offset + done),
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

/// Device and inode: equal for two names of one file.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// The identity of what `path` leads to, through symbolic links; `nil` when there is nothing.
  package init?(path: FilePath) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }
}
