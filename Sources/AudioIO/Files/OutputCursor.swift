package import SystemPackage

/// An output written at a position of its own, for libraries that write through callbacks.
///
/// It keeps the cause of the first failure, which the callbacks of C libraries have no room for, and
/// writes nothing after one.
package final class OutputCursor {
  package let descriptor: FileDescriptor
  /// The next byte to be written.
  package private(set) var position = 0
  /// Why writing failed.
  package private(set) var failure: Errno?
  private var isAbandoned = false

  /// Takes over a descriptor, which must be seekable, and closes it in the end.
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

  /// Reads back what was written, from the position on; `nil` on failure.
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

  /// Moves to a byte of the file.
  package func seek(to target: Int) -> Bool {
    guard target >= 0 else { return false }
    position = target
    return true
  }

  /// Writes nothing any more: the output will not be kept.
  package func abandon() {
    isAbandoned = true
  }
}
