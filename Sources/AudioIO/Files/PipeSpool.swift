internal import Dispatch
import Glibc
package import SystemPackage

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
