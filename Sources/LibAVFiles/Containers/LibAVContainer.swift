internal import AudioContainers
internal import AudioIO
internal import CLibAV
import Glibc
internal import SystemPackage

/// A container opened through libavformat.
///
/// Only the file itself is read; references to other files are refused.
final class LibAVContainer {
  let pointer: UnsafeMutablePointer<AVFormatContext>
  let demuxerNames: [String]
  let longName: String
  let path: FilePath
  /// The size of the file, in bytes.
  var byteCount: Int { input.cursor.size }
  /// The name of an audio codec that libavformat does not know; `nil` if there is none.
  let unknownCodec: String?
  private let input: LibAVInput

  /// Limits for reading a container to find its streams, in bytes and in microseconds.
  private static let probeBytes = 4 << 20
  private static let probeTime = 10_000_000

  /// - Parameter walks: True when the whole file may be scanned for the end of its content.
  init(
    _ input: borrowing InputFile, _ probe: LibAVProbe, walks: Bool = true
  ) throws(AudioFileError) {
    LibAVSetup.prepare(forFileOf: input.size)
    path = input.path
    demuxerNames = probe.names
    longName = probe.longName
    let end =
      walks
      ? try TrailingTags.start(of: input, demuxer: probe.names)
      : try TrailingTag.start(of: input)
    let source = try LibAVInput(input, end: end)
    self.input = source
    unknownCodec =
      probe.names.first == "matroska" ? try MatroskaTracks.unknownCodec(of: input) : nil
    // Reading twice the file size, and more for small files, is sufficient for headers.
    source.limit(to: 2 * input.size + (64 << 20))
    guard let context = avformat_alloc_context() else { throw .cannotRead(path, .noMemory) }
    context.pointee.pb = source.pointer
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    context.pointee.probesize = Int64(Self.probeBytes)
    context.pointee.max_analyze_duration = Int64(Self.probeTime)
    context.pointee.io_open = { _, _, _, _, _ in -EPERM }
    av_opt_set(context, "protocol_whitelist", "none", 0)
    var opened: UnsafeMutablePointer<AVFormatContext>? = context
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    // Edit lists are applied by this project, exact to the frame.
    if probe.names.contains("mov") { av_dict_set(&options, "ignore_editlist", "1", 0) }
    let status = avformat_open_input(&opened, nil, probe.demuxer, &options)
    guard status >= 0, let opened else {
      throw Self.failure(status, source, path, format: probe.longName)
    }
    pointer = opened
    if probe.names.first == "caf" { streams.forEach(LibAVCoreAudio.identify) }
    for stream in streams where !mayHoldAudio(stream) { stream.pointee.discard = AVDISCARD_ALL }
    let found = avformat_find_stream_info(pointer, nil)
    if let cause = source.cursor.failure { throw .cannotRead(path, cause) }
    guard found >= 0 else {
      throw Self.failure(found, source, path, format: probe.longName)
    }
    source.limit(to: .max)
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = pointer
    avformat_close_input(&context)
  }

  /// True for an audio stream, and for a stream of a transport stream whose codec is known only from its packets.
  private func mayHoldAudio(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    let parameters = stream.pointee.codecpar.pointee
    if parameters.codec_type == AVMEDIA_TYPE_AUDIO { return true }
    return demuxerNames.first == "mpegts"
      && [AV_CODEC_ID_NONE, AV_CODEC_ID_BIN_DATA].contains(parameters.codec_id)
  }

  /// All streams, in file order.
  var streams: [UnsafeMutablePointer<AVStream>] {
    (0..<Int(pointer.pointee.nb_streams)).compactMap { pointer.pointee.streams[$0] }
  }

  /// The audio tracks, in file order.
  var audioStreams: [UnsafeMutablePointer<AVStream>] {
    streams.filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
  }

  /// True when the container has video; a cover is a picture.
  var holdsVideo: Bool {
    streams.contains {
      $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    }
  }

  /// True for a read failure that means the end of the file. RoQ's demuxer always ends so, and CAF's ends so after the
  /// last packet of the table if the size of the audio is unknown.
  func isEnd(_ status: Int32) -> Bool {
    ["caf", "roq"].contains(demuxerNames.first) && status == -EIO
  }

  /// True when the container declares its length; otherwise libavformat estimates it from the bit rate or from the last
  /// times.
  var declaresDuration: Bool {
    pointer.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM
  }

  /// The cause if reading the file failed.
  var readFailure: Errno? { input.cursor.failure }

  /// Drops the packets of all other streams.
  func select(_ stream: UnsafeMutablePointer<AVStream>) {
    for other in streams {
      other.pointee.discard =
        other.pointee.index == stream.pointee.index ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  private static func failure(
    _ status: Int32, _ input: LibAVInput, _ path: FilePath, format: String
  ) -> AudioFileError {
    if let cause = input.cursor.failure { return .cannotRead(path, cause) }
    if status == -ENOMEM {
      return .limitExceeded(path, reason: "its \(format) header asks for too much memory")
    }
    if status == scaleaudio_averror_eof { return .truncated(path, expected: nil, found: nil) }
    if LibAVFailure.isLack(status) {
      return .unsupported(
        path, reason: "a variant of \(format) that FFmpeg's libraries do not read")
    }
    return .malformed(
      path, reason: "its \(format) header cannot be read: \(LibAVFailure.text(status))")
  }
}

/// An input that libavformat reads through callbacks, never by name.
final class LibAVInput {
  private static let bufferSize = 1 << 16

  let cursor: InputCursor
  /// The end of the content, in bytes.
  private let end: Int
  private(set) var pointer: UnsafeMutablePointer<AVIOContext>?
  /// Bytes that may still be read; bounds the reading of files whose parts refer to each other.
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
    // libavformat may have replaced the buffer.
    av_free(context.pointee.buffer)
    avio_context_free(&pointer)
  }

  /// Limits further reading to `count` bytes.
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

/// Tags after the audio, which demuxers would read as damaged audio.
enum TrailingTags {
  /// The end of the content in bytes: before an ID3v1 tag and, in streams that consist only of
  /// consecutive frames, before an APE tag.
  static func start(
    of input: borrowing InputFile, demuxer: [String]
  ) throws(AudioFileError) -> Int {
    if demuxer.first == "aac" { return try ADTSTail(of: input).end }
    var end = input.size
    if try input.bytes(at: end - 128, count: 3) == Array("TAG".utf8) { end -= 128 }
    guard streams.contains(demuxer.first ?? "") else { return end }
    // APE tag version 2: the little-endian size in the footer excludes the header.
    let footer = try input.bytes(at: end - 32, count: 32)
    if footer.count == 32, footer.starts(with: Array("APETAGEX".utf8)) {
      let size = Int(footer[12..<16].littleEndianValue)
      let whole = size + (footer[23] & 0x80 != 0 ? 32 : 0)
      if whole < end { end -= whole }
    }
    return end
  }

  private static let streams: Set = ["ac3", "eac3", "dts", "truehd", "mlp", "amr"]
}
