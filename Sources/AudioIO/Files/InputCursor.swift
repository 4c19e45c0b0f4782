package import SystemPackage

/// An input read at a position of its own, for libraries that read through callbacks.
///
/// It keeps the cause of a failure, which the callbacks of C libraries have no room for.
package final class InputCursor {
  private let descriptor: FileDescriptor
  /// Where the input begins in the file.
  private let start: Int
  /// The size of the file in bytes, as it was opened.
  package let size: Int
  /// The next byte to be read.
  package private(set) var position = 0
  /// Bytes read so far, those read twice counted twice.
  package private(set) var bytesRead = 0
  /// Why reading failed.
  package private(set) var failure: Errno?

  package init(_ input: borrowing InputFile) throws(AudioFileError) {
    descriptor = try input.duplicate()
    size = input.size
    start = input.start
  }

  deinit { try? descriptor.close() }

  /// Fills `buffer` as far as the file goes and returns the bytes read, 0 at its end; `nil` on failure.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    do {
      // A part of a file ends before the file does.
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

  /// Moves to a byte of the file, or to its end; `false` beyond that.
  package func seek(to target: Int) -> Bool {
    guard target >= 0, target <= size else { return false }
    position = target
    return true
  }
}
