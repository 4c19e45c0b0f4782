internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CVorbis
internal import SystemPackage

/// libvorbis' encoder and the Ogg stream for its packets.
final class VorbisEncoder {
  private let path: FilePath
  private let output: OutputCursor
  private let setup: VorbisEncoderSetup
  // On the heap, because these structures point to each other.
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
    else { throw .encoderFailed(path, reason: "libvorbis cannot create the headers") }
    // Vorbis I, section A.2: the first page holds the identification header alone, and audio begins
    // on a fresh page.
    try writePages(flushing: true)
    guard ogg_stream_packetin(stream, &packets.1) == 0,
      ogg_stream_packetin(stream, &packets.2) == 0
    else { throw .encoderFailed(path, reason: "libogg does not accept the headers") }
    try writePages(flushing: true)
  }

  /// Encodes `frameCount` frames, at most 1024 (libvorbis allocates its work memory on the stack);
  /// `fill` writes them into one array for each channel.
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

  /// Encodes the remaining frames; the last page states the exact number of frames.
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

  /// Writes the full pages, or all pages if `flushing`.
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

/// libvorbis' settings of a stream to be encoded; owns them.
final class VorbisEncoderSetup {
  /// On the heap, because the encoder keeps a pointer to it.
  let info: UnsafeMutablePointer<vorbis_info>
  private let path: FilePath
  private let spec: AudioSpec

  /// The default quality, used if neither the options nor the source determine one.
  private static let usualQuality = 5.0

  /// Configures the encoder from the options, or for about the bit rate of the source.
  init(_ description: OutputDescription, path: FilePath) throws(AudioFileError) {
    self.path = path
    spec = description.spec
    info = .allocate(capacity: 1)
    info.initialize(to: vorbis_info())
    vorbis_info_init(info)
    let options = description.options
    try Self.check(options, path)
    if let bitRate = options.bitRate {
      guard setUp(bitRate: bitRate) else {
        throw refusal("about \(bitRate) bits per second", .change([.bitRate]))
      }
    } else if let quality = options.quality {
      guard setUp(quality: quality) else {
        throw refusal("quality \(quality)", .change([.quality]))
      }
    } else if let bitRate = description.sourceBitRate, setUp(near: bitRate) {
      return
    } else if !setUp(quality: Self.usualQuality) {
      throw refusal("any quality", .useFormat(["flac"]))
    }
  }

  deinit {
    vorbis_info_clear(info)
    info.deallocate()
  }

  private static func check(
    _ options: EncodingOptions, _ path: FilePath
  ) throws(AudioFileError) {
    if options.compressionLevel != nil {
      throw .encoderFailed(
        path, reason: "Ogg Vorbis has no compression level",
        remedy: .any([.set(.quality, to: "from -1 to 10"), .set(.bitRate, to: "such as 128k")]))
    }
    if options.bitRate != nil, options.quality != nil {
      throw .encoderFailed(
        path, reason: "a bit rate and a quality exclude each other for Ogg Vorbis",
        remedy: .any([.omit(.bitRate, orUseFormat: []), .omit(.quality, orUseFormat: [])]))
    }
    if let quality = options.quality, !(-1...10).contains(quality) {
      throw .encoderFailed(
        path, reason: "Ogg Vorbis has no encoding quality \(quality)",
        remedy: .set(.quality, to: "from -1 to 10"))
    }
  }

  /// Selects a constant quality, -1 to 10; `false` if libvorbis has no setup for it.
  private func setUp(quality: Double) -> Bool {
    reset()
    return vorbis_encode_init_vbr(info, spec.channelCount, spec.sampleRate, Float(quality / 10))
      == 0
  }

  /// Selects the constant quality whose average is about `bitRate`, as vorbisenc.h describes;
  /// `false` if libvorbis has no setup for it.
  private func setUp(bitRate: Int) -> Bool {
    reset()
    return vorbis_encode_setup_managed(
      info, spec.channelCount, spec.sampleRate, -1, bitRate, -1) == 0
      && vorbis_encode_ctl(info, OV_ECTL_RATEMANAGE2_SET, nil) == 0
      && vorbis_encode_setup_init(info) == 0
  }

  /// Selects the nearest bit rate that libvorbis has a setup for. It has none for bit rates far
  /// from the usual ones for the sample rate and channel count.
  private func setUp(near bitRate: Int) -> Bool {
    for percent in [100, 115, 85, 130, 70, 150, 50, 200, 40, 300, 30, 500, 20, 700, 10, 1000] {
      let (product, overflows) = bitRate.multipliedReportingOverflow(by: percent)
      if !overflows, setUp(bitRate: product / 100) { return true }
    }
    return false
  }

  private func reset() {
    vorbis_info_clear(info)
    vorbis_info_init(info)
  }

  private func refusal(_ what: String, _ remedy: Remedy) -> AudioFileError {
    .cannotHold(
      path,
      reason: "libvorbis cannot encode \(spec.channelCount) channels at \(spec.sampleRate) Hz "
        + "with \(what)", remedy: remedy)
  }
}
