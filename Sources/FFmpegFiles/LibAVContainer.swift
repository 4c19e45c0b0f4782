internal import AudioIO
internal import CLibAV
internal import SystemPackage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A container opened through libavformat.
///
/// Only the file itself is ever read: names of other files in it are refused.
final class LibAVContainer {
  let pointer: UnsafeMutablePointer<AVFormatContext>
  let demuxerNames: [String]
  let longName: String
  let path: FilePath
  private let input: LibAVInput

  /// How far a container is read to find its streams, in bytes and in microseconds.
  private static let probeBytes = 4 << 20
  private static let probeTime = 10_000_000

  init(_ input: borrowing InputFile, _ probe: LibAVProbe) throws(AudioFileError) {
    LibAVSetup.prepare(forFileOf: input.size)
    path = input.path
    demuxerNames = probe.names
    longName = probe.longName
    let source = try LibAVInput(
      input, end: try TrailingTags.start(of: input, demuxer: probe.names))
    self.input = source
    // Twice all there is, and some more for small files, is plenty for headers.
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
    // Edit lists are applied here, to the frame.
    if probe.names.contains("mov") { av_dict_set(&options, "ignore_editlist", "1", 0) }
    let status = avformat_open_input(&opened, nil, probe.demuxer, &options)
    guard status >= 0, let opened else {
      throw Self.failure(status, source, path, format: probe.longName)
    }
    pointer = opened
    for stream in streams where stream.pointee.codecpar.pointee.codec_type != AVMEDIA_TYPE_AUDIO {
      stream.pointee.discard = AVDISCARD_ALL
    }
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

  /// The streams, of every kind, in file order.
  var streams: [UnsafeMutablePointer<AVStream>] {
    (0..<Int(pointer.pointee.nb_streams)).compactMap { pointer.pointee.streams[$0] }
  }

  /// The tracks of sound, in file order.
  var audioStreams: [UnsafeMutablePointer<AVStream>] {
    streams.filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
  }

  /// Why reading failed below the level of the format.
  var readFailure: Errno? { input.cursor.failure }

  /// Leaves out the packets of all streams but one.
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
    if status == -ENOSYS {
      return .unsupported(path, reason: "this kind of \(format) file")
    }
    return .malformed(
      path, reason: "its \(format) header cannot be read (\(LibAVFailure.text(status)))")
  }
}
