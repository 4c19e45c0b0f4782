import Glibc
package import SystemPackage

/// Device and inode, which are equal for two names of the same file.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// The identity of the file at `path`, following symbolic links; `nil` if there is none.
  package init?(path: FilePath) {
    guard let status = FileStatus(path: path) else { return nil }
    self = status.identity
  }
}

/// Size and modification time, which differ after a file is modified.
package struct FileStamp: Hashable, Sendable {
  /// Bytes.
  package let size: Int
  /// Nanoseconds since 1970.
  package let modified: Int64

  package init(size: Int, modified: Int64) {
    self.size = size
    self.modified = modified
  }

  init(_ status: stat) {
    let time = status.st_mtim
    size = Int(status.st_size)
    modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// The file system's information about a path or a descriptor.
package struct FileStatus: Hashable, Sendable {
  /// The kind of a file.
  package enum Kind: Hashable, Sendable {
    case file, folder, link, pipe, socket, characterDevice, blockDevice
  }

  package let kind: Kind
  package let identity: FileIdentity
  package let stamp: FileStamp

  private init(_ status: stat) {
    identity = FileIdentity(status)
    stamp = FileStamp(status)
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
    case S_IFIFO: kind = .pipe
    case S_IFSOCK: kind = .socket
    case S_IFBLK: kind = .blockDevice
    default: kind = .characterDevice
    }
  }

  /// The status of the file at `path`; `nil`, with `errno` set, if it does not exist or cannot be determined.
  package init?(path: FilePath, followingLinks: Bool = true) {
    var status = stat()
    let failed = path.withPlatformString { path in
      uninterrupted { followingLinks ? stat(path, &status) : lstat(path, &status) }
    }
    guard failed == 0 else { return nil }
    self.init(status)
  }

  /// The status of an open descriptor.
  package init(descriptor: FileDescriptor) throws(Errno) {
    var status = stat()
    guard uninterrupted({ fstat(descriptor.rawValue, &status) }) == 0 else {
      throw Errno(rawValue: errno)
    }
    self.init(status)
  }
}

/// The access and modification times of a file.
package struct FileTimes {
  private let accessed, modified: timespec

  /// The times of an input; `nil` for an input from a pipe.
  package init?(of input: borrowing InputFile) {
    var status = stat()
    let descriptor = input.descriptor
    guard input.stamp != nil, uninterrupted({ fstat(descriptor.rawValue, &status) }) == 0 else {
      return nil
    }
    (accessed, modified) = (status.st_atim, status.st_mtim)
  }

  /// Sets these times on an output; call after the last byte is written.
  package func apply(to output: borrowing OutputFile) throws(AudioFileError) {
    let descriptor = output.descriptor
    guard uninterrupted({ futimens(descriptor.rawValue, [accessed, modified]) }) == 0 else {
      throw .cannotWrite(output.path, Errno(rawValue: errno))
    }
  }
}
