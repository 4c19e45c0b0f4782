internal import AudioContainers
internal import AudioIO
internal import CSndFile
internal import SystemPackage

/// A view of a file for libsndfile's virtual I/O.
///
/// The view consists of a header of its own, if it has one, ranges of the file, one after another, and zeros. The stream
/// also records the cause of a failed read or write, which libsndfile usually loses.
package final class SndFileStream {
  let descriptor: FileDescriptor
  private let ranges: [Range<Int>]
  /// Bytes before those of the file.
  private let head: [UInt8]
  /// The number of zeros after the bytes of the file.
  private let zeroCount: Int
  /// The offsets of the ranges in the view.
  private let starts: [Int]
  /// True when libsndfile can seek to the end. mpg123 guesses a length from the size, and libsndfile
  /// stops at that guess unless the size is unknown.
  private let endIsKnown: Bool
  /// The offset in the file where writing starts.
  private let base: Int
  fileprivate private(set) var length: Int
  /// libsndfile's position, in bytes of the view.
  private(set) var position = 0
  /// The cause of the last failed read or write.
  private(set) var failure: Errno?

  /// A view for reading; closes the descriptor when it is released.
  init(
    reading descriptor: FileDescriptor, ranges: [Range<Int>], endIsKnown: Bool = true,
    head: [UInt8] = [], zeroCount: Int = 0
  ) {
    self.descriptor = descriptor
    self.ranges = ranges
    self.endIsKnown = endIsKnown
    (self.head, self.zeroCount) = (head, zeroCount)
    base = 0
    var (starts, end) = ([Int](), head.count)
    for range in ranges {
      starts.append(end)
      end += range.count
    }
    (self.starts, length) = (starts, end + zeroCount)
  }

  /// Takes what libsndfile writes; `nil` if it writes into the file itself.
  private var take: ((UnsafeRawBufferPointer) throws(AudioFileError) -> Void)?
  /// The error of what takes it.
  private(set) var refusal: AudioFileError?

  /// A view for writing from byte `base` of the file on; closes the descriptor when it is released.
  init(writing descriptor: FileDescriptor, from base: Int) {
    self.descriptor = descriptor
    self.base = base
    (ranges, starts, head, zeroCount) = ([], [], [], 0)
    endIsKnown = true
    length = 0
  }

  /// A view for writing to `take`; closes the descriptor when it is released.
  convenience init(
    writing descriptor: FileDescriptor,
    to take: @escaping (UnsafeRawBufferPointer) throws(AudioFileError) -> Void
  ) {
    self.init(writing: descriptor, from: 0)
    self.take = take
  }

  deinit { try? descriptor.close() }

  fileprivate func seek(_ offset: Int, _ whence: Int32) -> Int {
    let origin: Int
    switch whence {
    case SEEK_SET: origin = 0
    case SEEK_CUR: origin = position
    case SEEK_END where endIsKnown: origin = length
    default: return -1
    }
    let (target, overflow) = origin.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return -1 }
    position = target
    return target
  }

  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    while done < buffer.count {
      let got = readPart(into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
      if got == 0 { break }
      done += got
      position += got
    }
    return done
  }

  /// Reads from the position to the end of the header, of a range or of the zeros, at most.
  private func readPart(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if position < head.count {
      let count = min(buffer.count, head.count - position)
      buffer.copyBytes(from: head[position..<position + count])
      return count
    }
    guard let part = part(at: position) else {
      let count = min(buffer.count, zeroCount, max(0, length - position))
      for i in 0..<count { buffer[i] = 0 }
      return count
    }
    let target = UnsafeMutableRawBufferPointer(
      rebasing: buffer[..<min(part.count, buffer.count)])
    do {
      return try descriptor.read(fromAbsoluteOffset: Int64(part.lowerBound), into: target)
    } catch {
      failure = error as? Errno ?? .ioError
      return 0
    }
  }

  /// The bytes of the file from `offset` of the view to the end of its range.
  private func part(at offset: Int) -> Range<Int>? {
    // The view may have many ranges.
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0, case let range = ranges[low - 1], offset - starts[low - 1] < range.count else {
      return nil
    }
    return range.lowerBound + offset - starts[low - 1]..<range.upperBound
  }

  fileprivate func write(_ buffer: UnsafeRawBufferPointer) -> Int {
    // After a failure the file is incomplete anyway.
    if failure != nil { return 0 }
    do {
      if let take {
        try take(buffer)
      } else {
        try descriptor.writeAll(toAbsoluteOffset: Int64(base + position), buffer)
      }
    } catch {
      refusal = error as? AudioFileError
      failure = error as? Errno ?? .ioError
      return 0
    }
    position += buffer.count
    length = max(length, position)
    return buffer.count
  }
}

extension SndFileStream {
  /// libsndfile's I/O callbacks; the user data is the stream.
  static var functions: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { sf_count_t(SndFileStream.of($0)?.length ?? -1) },
      seek: { offset, whence, user in
        sf_count_t(SndFileStream.of(user)?.seek(Int(offset), whence) ?? -1)
      },
      read: { data, count, user in
        guard let data, count > 0, let stream = SndFileStream.of(user) else { return 0 }
        return sf_count_t(
          stream.read(into: UnsafeMutableRawBufferPointer(start: data, count: Int(count))))
      },
      write: { data, count, user in
        guard let data, count > 0, let stream = SndFileStream.of(user) else { return 0 }
        return sf_count_t(
          stream.write(UnsafeRawBufferPointer(start: data, count: Int(count))))
      },
      tell: { sf_count_t(SndFileStream.of($0)?.position ?? -1) })
  }

  private static func of(_ user: UnsafeMutableRawPointer?) -> SndFileStream? {
    user.map { Unmanaged<SndFileStream>.fromOpaque($0).takeUnretainedValue() }
  }
}
