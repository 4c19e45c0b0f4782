import Glibc
package import SystemPackage

/// The kind of thing that exists at an output's path, which decides how the output is written.
package enum OutputPlace: Hashable, Sendable {
  /// A regular file, or nothing yet, at this path; a link is followed.
  case file(FilePath)
  /// A pipe or a character device: written as a stream, never replaced.
  case stream

  /// The place at a path; throws where nothing can be written: a folder, a socket, a block device, a link
  /// that leads nowhere, a name too long.
  package init(_ path: FilePath) throws(AudioFileError) {
    guard let own = FileStatus(path: path, followingLinks: false) else {
      guard errno == ENOENT else { throw .cannotWrite(path, Errno(rawValue: errno)) }
      self = .file(path)
      return
    }
    guard let status = own.kind == .link ? FileStatus(path: path) : own else {
      throw .notAnOutput(path, reason: "a broken symbolic link")
    }
    switch status.kind {
    case .file: self = .file(own.kind == .link ? try Self.followed(path) : path)
    case .pipe, .characterDevice: self = .stream
    case .folder: throw .cannotWrite(path, .isDirectory)
    case .socket: throw .notAnOutput(path, reason: "a socket")
    case .blockDevice: throw .notAnOutput(path, reason: "a block device")
    case .link: throw .notAnOutput(path, reason: "a symbolic link")
    }
  }

  /// True if a path is that of a pipe or a character device.
  package static func isStream(_ path: FilePath) -> Bool {
    (try? OutputPlace(path)) == .stream
  }

  /// True if something other than a regular file exists at a path.
  package static func isTaken(_ path: FilePath) -> Bool {
    guard let status = FileStatus(path: path) else { return false }
    return status.kind != .file
  }

  /// Opens a stream for writing. A named pipe waits for its reader.
  static func openStream(
    _ path: FilePath, isCancelled: () -> Bool
  ) throws(AudioFileError) -> FileDescriptor {
    while true {
      // Without blocking, so that the wait for a reader can be cancelled.
      let raw = path.withPlatformString {
        open($0, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      }
      if raw >= 0 { return try checked(FileDescriptor(rawValue: raw), path) }
      let code = errno
      let isWaiting = code == ENXIO && FileStatus(path: path)?.kind == .pipe
      guard isWaiting || code == EINTR else { throw .cannotWrite(path, Errno(rawValue: code)) }
      if isCancelled() { throw .cannotRead(path, .interrupted) }
      usleep(pollMicroseconds)
    }
  }

  private static let pollMicroseconds: UInt32 = 20_000

  private static func checked(
    _ stream: FileDescriptor, _ path: FilePath
  ) throws(AudioFileError) -> FileDescriptor {
    let kind = (try? FileStatus(descriptor: stream))?.kind
    let isTerminal = isatty(stream.rawValue) == 1
    guard kind == .pipe || kind == .characterDevice, !isTerminal else {
      try? stream.close()
      throw .notAnOutput(path, reason: isTerminal ? "a terminal" : "not a stream")
    }
    // Writing waits until the stream is ready, and then blocks.
    let flags = fcntl(stream.rawValue, F_GETFL)
    if flags >= 0 { _ = fcntl(stream.rawValue, F_SETFL, flags & ~O_NONBLOCK) }
    return stream
  }

  private static func followed(_ path: FilePath) throws(AudioFileError) -> FilePath {
    let real = path.withPlatformString { (text) -> FilePath? in
      guard let real = uninterrupted({ realpath(text, nil) }) else { return nil }
      defer { free(real) }
      return FilePath(platformString: real)
    }
    guard let real else { throw .cannotWrite(path, Errno(rawValue: errno)) }
    return real
  }
}
