internal import AudioIO
internal import CVorbis
import Glibc
internal import SystemPackage

/// libvorbisfile's decoder, with its own file descriptor.
final class VorbisDecoder {
  private let path: FilePath
  private let input: InputCursor
  /// On the heap, because libvorbisfile keeps pointers into it.
  private let file: UnsafeMutablePointer<OggVorbis_File>
  /// The position after the last decoded frames, as libvorbisfile reports it.
  private var reportedEnd = 0
  /// True if reported positions include the start position of the first stream. libvorbisfile
  /// subtracts it on opening, but not from the granule positions that it finds while decoding.
  private var includesStart = false

  /// The result of one decoding step.
  enum Step {
    /// `count` frames from frame `position` of the file, with one pointer for each channel.
    case frames(UnsafePointer<UnsafeMutablePointer<Float>?>, count: Int, position: Int)
    /// Audio is missing or damaged here.
    case damage
    case end
  }

  /// Opens the file and locates its chained streams.
  init(_ input: borrowing InputFile) throws(AudioFileError) {
    path = input.path
    self.input = try InputCursor(input)
    file = .allocate(capacity: 1)
    file.initialize(to: OggVorbis_File())
    let callbacks = ov_callbacks(
      read_func: readItems, seek_func: seekToByte, close_func: nil, tell_func: tellByte)
    let client = Unmanaged.passUnretained(self.input).toOpaque()
    // On failure libvorbisfile has cleared the structure itself.
    let status = ov_open_callbacks(client, file, nil, 0, callbacks)
    guard status == 0 else {
      throw Self.error(status, path, cause: self.input.failure)
    }
  }

  deinit {
    ov_clear(file)
    file.deallocate()
  }

  /// The number of chained streams.
  var linkCount: Int { Int(ov_streams(file)) }

  /// Frames of all chained streams according to their granule positions; `nil` if those are
  /// invalid.
  var declaredFrames: Int? {
    let total = ov_pcm_total(file, -1)
    return total < 0 ? nil : Int(exactly: total)
  }

  /// The identification header of a chained stream.
  func info(ofLink link: Int) -> vorbis_info? {
    ov_info(file, Int32(clamping: link))?.pointee
  }

  /// A chained stream's comments, in memory that the decoder owns.
  func comments(ofLink link: Int) -> vorbis_comment? {
    ov_comment(file, Int32(clamping: link))?.pointee
  }

  /// The serial number of a chained stream.
  func serialNumber(ofLink link: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: ov_serialnumber(file, Int32(clamping: link)))
  }

  /// The byte range of a chained stream.
  func bytes(ofLink link: Int) -> Range<Int> {
    guard (0..<linkCount).contains(link), let offsets = file.pointee.offsets,
      let lower = Int(exactly: offsets[link]), let next = Int(exactly: offsets[link + 1])
    else { return 0..<input.size }
    // For the last stream, libvorbisfile stores the start of its last page.
    let upper = link + 1 < linkCount ? next : input.size
    return 0 <= lower && lower <= upper ? lower..<upper : 0..<input.size
  }

  /// Frames of one chained stream according to its granule positions; `nil` if those are invalid.
  func declaredFrames(ofLink link: Int) -> Int? {
    let total = ov_pcm_total(file, Int32(clamping: link))
    return total < 0 ? nil : Int(exactly: total)
  }

  /// The granule position of a chained stream's first frame, which libvorbisfile counts as 0.
  func startPosition(ofLink link: Int) -> Int {
    guard (0..<linkCount).contains(link), let lengths = file.pointee.pcmlengths else { return 0 }
    return max(0, Int(clamping: lengths[2 * link]))
  }

  /// The offset after the headers of the first chained stream, in bytes.
  var audioOffset: Int { file.pointee.dataoffsets.map { Int(clamping: $0[0]) } ?? 0 }

  /// Average bits per second over the whole file; `nil` if unknown.
  var averageBitRate: Int? {
    let rate = ov_bitrate(file, -1)
    return rate > 0 ? Int(rate) : nil
  }

  /// Seeks to the page before a frame, and returns the frame at which decoding goes on; `nil` if libvorbisfile does not
  /// find it. The decoder is then unusable.
  ///
  /// Its seeking to a frame would drop frames by positions that include the start position of the stream.
  func seek(before frame: Int) throws(AudioFileError) -> Int? {
    let status = ov_pcm_seek_page(file, Int64(frame))
    if let failure = input.failure { throw .cannotRead(path, failure) }
    let reached = Int(clamping: ov_pcm_tell(file))
    guard status == 0, (0...frame).contains(reached) else { return nil }
    (reportedEnd, includesStart) = (reached, false)
    return reached
  }

  /// Decodes at most `count` frames.
  func decode(atMost count: Int) throws(AudioFileError) -> Step {
    var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
    var link: Int32 = 0
    let result = ov_read_float(file, &channels, Int32(clamping: count), &link)
    if let failure = input.failure { throw .cannotRead(path, failure) }
    if result == 0 { return .end }
    guard result > 0 else {
      switch Int32(clamping: result) {
      case OV_HOLE, OV_EBADLINK, OV_EBADPACKET: return .damage
      default: throw Self.error(Int32(clamping: result), path, cause: nil)
      }
    }
    guard let channels else { throw Self.error(OV_EFAULT, path, cause: nil) }
    let end = Int(clamping: ov_pcm_tell(file))
    let reported = end - Int(result)
    if reported != reportedEnd { includesStart = link == 0 }
    reportedEnd = end
    let position = includesStart ? reported - startPosition(ofLink: 0) : reported
    return .frames(UnsafePointer(channels), count: Int(result), position: position)
  }

  private static func error(
    _ status: Int32, _ path: FilePath, cause: Errno?
  ) -> AudioFileError {
    if let cause { return .cannotRead(path, cause) }
    return switch status {
    case OV_ENOTVORBIS: .unsupported(path, reason: "this Ogg file contains no Vorbis stream")
    case OV_EVERSION: .unsupported(path, reason: "an unknown version of Vorbis")
    case OV_EBADHEADER: .malformed(path, reason: "its Vorbis headers are damaged")
    case OV_EBADLINK: .malformed(path, reason: "a chained stream is damaged")
    default: .malformed(path, reason: "libvorbisfile cannot read it (\(status))")
    }
  }
}

// libvorbisfile's callbacks; `client` is the input, which outlives every call.

private func cursor(_ client: UnsafeMutableRawPointer?) -> InputCursor? {
  client.map { Unmanaged<InputCursor>.fromOpaque($0).takeUnretainedValue() }
}

private func readItems(
  _ buffer: UnsafeMutableRawPointer?, _ size: Int, _ count: Int,
  _ client: UnsafeMutableRawPointer?
) -> Int {
  let (bytes, overflows) = size.multipliedReportingOverflow(by: count)
  guard let input = cursor(client), size > 0, !overflows,
    let read = input.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: bytes))
  else {
    // With 0 bytes read, libvorbisfile checks errno: nonzero is a failure, zero is the end.
    errno = EIO
    return 0
  }
  errno = 0
  return read / size
}

private func seekToByte(
  _ client: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32
) -> Int32 {
  guard let input = cursor(client) else { return -1 }
  let base =
    switch whence {
    case SEEK_CUR: input.position
    case SEEK_END: input.size
    default: 0
    }
  let (target, overflows) = base.addingReportingOverflow(Int(offset))
  return !overflows && input.seek(to: target) ? 0 : -1
}

private func tellByte(_ client: UnsafeMutableRawPointer?) -> Int {
  cursor(client)?.position ?? -1
}
