internal import AudioIO
internal import AudioTags
internal import CVorbis
internal import SystemPackage

/// libvorbis' encoder and the Ogg stream that its packets go into.
final class VorbisEncoder {
  private let path: FilePath
  private let output: OutputCursor
  private let setup: VorbisEncoderSetup
  // On the heap, since these structures point to one another.
  private let state = UnsafeMutablePointer<vorbis_dsp_state>.allocate(capacity: 1)
  private let block = UnsafeMutablePointer<vorbis_block>.allocate(capacity: 1)
  private let stream = UnsafeMutablePointer<ogg_stream_state>.allocate(capacity: 1)

  /// Writes the stream's three headers.
  init(
    _ output: OutputCursor, setup: VorbisEncoderSetup, comments: VorbisComments,
    serialNumber: Int32, path: FilePath
  ) throws(AudioFileError) {
    self.path = path
    self.output = output
    self.setup = setup
    state.initialize(to: vorbis_dsp_state())
    block.initialize(to: vorbis_block())
    stream.initialize(to: ogg_stream_state())
    guard vorbis_analysis_init(state, setup.info) == 0, vorbis_block_init(state, block) == 0,
      ogg_stream_init(stream, serialNumber) == 0
    else { throw .encoderFailed(path, reason: "libvorbis cannot start") }
    try writeHeaders(comments)
  }

  deinit {
    ogg_stream_clear(stream)
    vorbis_block_clear(block)
    vorbis_dsp_clear(state)
    stream.deallocate()
    block.deallocate()
    state.deallocate()
  }

  private func writeHeaders(_ comments: VorbisComments) throws(AudioFileError) {
    var header = comments.header
    var packets = (ogg_packet(), ogg_packet(), ogg_packet())
    guard
      vorbis_analysis_headerout(state, &header, &packets.0, &packets.1, &packets.2) == 0,
      ogg_stream_packetin(stream, &packets.0) == 0
    else { throw .encoderFailed(path, reason: "libvorbis cannot make its headers") }
    // Vorbis I, section A.2: the first page holds the identification header alone, and audio begins
    // on a fresh page.
    try writePages(flushing: true)
    guard ogg_stream_packetin(stream, &packets.1) == 0,
      ogg_stream_packetin(stream, &packets.2) == 0
    else { throw .encoderFailed(path, reason: "libogg cannot take the headers") }
    try writePages(flushing: true)
  }

  /// Encodes `frameCount` frames, at most 1024 (libvorbis takes what it works with from the stack);
  /// `fill` puts them into one array for each channel.
  func encode(
    frameCount: Int, fill: (UnsafeMutablePointer<UnsafeMutablePointer<Float>?>) -> Void
  ) throws(AudioFileError) {
    guard frameCount > 0 else { return }
    guard let channels = vorbis_analysis_buffer(state, Int32(clamping: frameCount)) else {
      throw .cannotWrite(path, .noMemory)
    }
    fill(channels)
    try analyze(frameCount: Int32(clamping: frameCount))
  }

  /// Encodes what is left; the last page tells the exact number of frames.
  func finish() throws(AudioFileError) {
    try analyze(frameCount: 0)
    try writePages(flushing: true)
  }

  private func analyze(frameCount: Int32) throws(AudioFileError) {
    guard vorbis_analysis_wrote(state, frameCount) == 0 else { throw failure() }
    while vorbis_analysis_blockout(state, block) == 1 {
      guard vorbis_analysis(block, nil) == 0, vorbis_bitrate_addblock(block) == 0 else {
        throw failure()
      }
      var packet = ogg_packet()
      while vorbis_bitrate_flushpacket(state, &packet) == 1 {
        guard ogg_stream_packetin(stream, &packet) == 0 else { throw failure() }
        try writePages(flushing: false)
      }
    }
  }

  private func failure() -> AudioFileError {
    .encoderFailed(path, reason: "libvorbis failed")
  }

  /// Writes the pages that are full, or all when `flushing`.
  private func writePages(flushing: Bool) throws(AudioFileError) {
    var page = ogg_page()
    while (flushing ? ogg_stream_flush(stream, &page) : ogg_stream_pageout(stream, &page)) != 0 {
      guard
        output.write(UnsafeRawBufferPointer(start: page.header, count: page.header_len)),
        output.write(UnsafeRawBufferPointer(start: page.body, count: page.body_len))
      else { throw .cannotWrite(path, output.failure ?? .ioError) }
    }
  }
}
