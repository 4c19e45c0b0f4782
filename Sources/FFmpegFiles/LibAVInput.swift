internal import AudioIO
internal import CLibAV
internal import SystemPackage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An input as libavformat reads it: through callbacks, never by a name.
final class LibAVInput {
  private static let bufferSize = 1 << 16

  let cursor: InputCursor
  /// Where the content ends, in bytes.
  private let end: Int
  private(set) var pointer: UnsafeMutablePointer<AVIOContext>?
  /// Bytes that may still be read; a file whose parts point at each other would be read for ever.
  fileprivate var budget = Int.max

  /// Reads the first `end` bytes of `input`.
  init(_ input: borrowing InputFile, end: Int) throws(AudioFileError) {
    self.end = min(end, input.size)
    cursor = try InputCursor(input)
    let buffer = av_malloc(Self.bufferSize)?.assumingMemoryBound(to: UInt8.self)
    pointer = avio_alloc_context(
      buffer, Int32(Self.bufferSize), 0, Unmanaged.passUnretained(self).toOpaque(),
      { LibAVInput.read($0, $1, $2) }, nil, { LibAVInput.seek($0, $1, $2) })
    if pointer == nil {
      av_free(buffer)
      throw .cannotRead(input.path, .noMemory)
    }
  }

  deinit {
    guard let context = pointer else { return }
    // libavformat may have put another buffer in the place of the first.
    av_free(context.pointee.buffer)
    avio_context_free(&pointer)
  }

  /// Limits what may be read from here on to `count` bytes.
  func limit(to count: Int) { budget = count }

  private static func read(
    _ user: UnsafeMutableRawPointer?, _ target: UnsafeMutablePointer<UInt8>?, _ size: Int32
  ) -> Int32 {
    guard let input = of(user), let target, size > 0 else { return -EINVAL }
    guard input.budget > 0 else { return -EIO }
    let left = max(0, input.end - input.cursor.position)
    let buffer = UnsafeMutableRawBufferPointer(start: target, count: min(Int(size), left))
    guard let count = input.cursor.read(into: buffer) else { return -EIO }
    input.budget -= count
    return count == 0 ? scaleaudio_averror_eof : Int32(count)
  }

  private static func seek(
    _ user: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32
  ) -> Int64 {
    guard let input = of(user) else { return Int64(-EINVAL) }
    let origin: Int
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return Int64(input.end)
    case SEEK_SET: origin = 0
    case SEEK_CUR: origin = input.cursor.position
    case SEEK_END: origin = input.end
    default: return Int64(-EINVAL)
    }
    let (target, overflow) = origin.addingReportingOverflow(Int(offset))
    guard !overflow, input.cursor.seek(to: target) else { return Int64(-EINVAL) }
    return Int64(target)
  }

  private static func of(_ user: UnsafeMutableRawPointer?) -> LibAVInput? {
    user.map { Unmanaged<LibAVInput>.fromOpaque($0).takeUnretainedValue() }
  }
}
