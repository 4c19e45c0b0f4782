internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CLibAV
internal import SystemPackage

/// One of libavcodec's encoders, and the block of frames that it is given next.
final class LibAVEncoder {
  /// Frames in every packet but the last.
  let framesPerPacket: Int
  /// Frames that a decoder gives before the first that was encoded.
  let priming: Int
  /// What the encoder says to decoders.
  let extradata: [UInt8]
  private let path: FilePath
  private let context: LibAVContext
  private let codec: AudioFormat.PacketEncoding.Codec
  private let layout: ChannelLayout
  private let channels: Int
  private let bitDepth: Int
  private let format: AVSampleFormat
  // Freed by libavutil's own functions, which take a pointer to the pointer.
  private var frame: UnsafeMutablePointer<AVFrame>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var framesInBlock = 0
  private var framesSent: Int64 = 0

  init(
    _ codec: AudioFormat.PacketEncoding.Codec, layout: ChannelLayout, sampleRate: Int,
    bitRate: Int?,
    bitDepth: Int, path: FilePath
  ) throws(AudioFileError) {
    self.path = path
    self.codec = codec
    self.layout = layout
    self.bitDepth = bitDepth
    channels = layout.channelCount
    guard
      let context = LibAVContext(encoder: codec.rawValue, layout: layout, sampleRate: sampleRate)
    else {
      throw .encoderFailed(
        path, reason: "the installed libavcodec has no \(codec.rawValue) encoder")
    }
    if codec == .alac {
      format = bitDepth > 16 ? AV_SAMPLE_FMT_S32P : AV_SAMPLE_FMT_S16P
      context.pointer.pointee.sample_fmt = format
      context.pointer.pointee.bits_per_raw_sample = Int32(bitDepth)
    } else {
      format = context.pointer.pointee.sample_fmt
    }
    if let bitRate { context.pointer.pointee.bit_rate = Int64(bitRate) }
    let status = context.open()
    guard status >= 0 else {
      throw .encoderFailed(
        path, reason: "libavcodec refuses the settings: \(LibAVFailure.text(status))")
    }
    framesPerPacket = Int(context.pointer.pointee.frame_size)
    priming = Int(context.pointer.pointee.initial_padding)
    extradata = context.extradata
    self.context = context
    guard framesPerPacket > 0, priming >= 0 else {
      throw .encoderFailed(path, reason: "libavcodec's encoder has no fixed block of frames")
    }
    frame = try makeFrame()
    packet = av_packet_alloc()
  }

  deinit {
    av_frame_free(&frame)
    av_packet_free(&packet)
  }

  private func makeFrame() throws(AudioFileError) -> UnsafeMutablePointer<AVFrame> {
    guard let frame = av_frame_alloc() else { throw .cannotWrite(path, .noMemory) }
    frame.pointee.format = format.rawValue
    frame.pointee.sample_rate = context.pointer.pointee.sample_rate
    frame.pointee.nb_samples = Int32(framesPerPacket)
    guard
      av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointer.pointee.ch_layout) == 0,
      av_frame_get_buffer(frame, 0) == 0
    else {
      var frame: UnsafeMutablePointer<AVFrame>? = frame
      av_frame_free(&frame)
      throw .cannotWrite(path, .noMemory)
    }
    return frame
  }

  /// Encodes interleaved frames; `order` gives for each channel of the encoder the channel of the
  /// frames.
  func encode<Sample: PCMSample>(
    _ frames: Span<Sample>, order: [Int], into file: any PacketFile
  ) throws(AudioFileError) {
    let total = frames.count / channels
    var start = 0
    while start < total {
      let count = min(framesPerPacket - framesInBlock, total - start)
      try fill(frames.extracting((start * channels)..<((start + count) * channels)), order)
      start += count
      framesInBlock += count
      if framesInBlock == framesPerPacket { try sendBlock(to: file) }
    }
  }

  /// Encodes what is left.
  func finish(into file: any PacketFile) throws(AudioFileError) {
    if codec == .alac, channels > 2, framesInBlock > 0,
      framesInBlock < ALACEscapePacket.frameLimit
    {
      try appendEscapePacket(to: file)
    } else if framesInBlock > 0 {
      try sendBlock(to: file)
    }
    try check(avcodec_send_frame(context.pointer, nil))
    try takePackets(file)
  }

  /// Adds what is in the block without the encoder, which gives each packet at once.
  private func appendEscapePacket(to file: any PacketFile) throws(AudioFileError) {
    let planes = frame?.pointee.extended_data
    let packet = ALACEscapePacket.bytes(
      layout: layout, frameCount: framesInBlock, bitDepth: bitDepth
    ) { (channel, index) in
      guard let plane = planes?[channel].map(UnsafeRawPointer.init) else { return 0 }
      if format == AV_SAMPLE_FMT_S16P {
        return Int32(plane.assumingMemoryBound(to: Int16.self)[index])
      }
      return plane.assumingMemoryBound(to: Int32.self)[index] >> 8
    }
    guard let packet else {
      throw .encoderFailed(path, reason: "ALAC has no packets for the layout \(layout)")
    }
    framesInBlock = 0
    let failure = packet.withUnsafeBytes { bytes -> AudioFileError? in
      do throws(AudioFileError) {
        try file.append(bytes)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  private func sendBlock(to file: any PacketFile) throws(AudioFileError) {
    guard let frame else { return }
    frame.pointee.nb_samples = Int32(framesInBlock)
    frame.pointee.pts = framesSent
    try check(avcodec_send_frame(context.pointer, frame))
    framesSent += Int64(framesInBlock)
    framesInBlock = 0
    frame.pointee.nb_samples = Int32(framesPerPacket)
    try takePackets(file)
  }

  private func takePackets(_ file: any PacketFile) throws(AudioFileError) {
    guard let packet else { throw .cannotWrite(path, .noMemory) }
    while true {
      let status = avcodec_receive_packet(context.pointer, packet)
      if status == scaleaudio_averror_eagain || status == scaleaudio_averror_eof { return }
      try check(status)
      defer { av_packet_unref(packet) }
      try file.append(
        UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    }
  }

  private func check(_ status: Int32) throws(AudioFileError) {
    guard status < 0 else { return }
    throw .encoderFailed(path, reason: "libavcodec failed: \(LibAVFailure.text(status))")
  }

  // MARK: Samples

  /// Puts frames behind those that are in the block already.
  private func fill<Sample: PCMSample>(
    _ frames: Span<Sample>, _ order: [Int]
  ) throws(AudioFileError) {
    // The encoder may still hold the block before.
    guard let frame, av_frame_make_writable(frame) == 0, let planes = frame.pointee.extended_data
    else { throw .cannotWrite(path, .noMemory) }
    for (channel, source) in order.enumerated() {
      guard let plane = planes[channel].map(UnsafeMutableRawPointer.init) else { continue }
      let count = framesPerPacket - framesInBlock
      func room<T>(_ type: T.Type) -> UnsafeMutableBufferPointer<T> {
        UnsafeMutableBufferPointer(
          start: plane.assumingMemoryBound(to: type) + framesInBlock, count: count)
      }
      switch format {
      case AV_SAMPLE_FMT_S16P:
        Self.copy(frames, channel: source, of: channels, toShorts: room(Int16.self))
      case AV_SAMPLE_FMT_S32P:
        Self.copy(frames, channel: source, of: channels, toInts: room(Int32.self))
      default:
        Self.copy(frames, channel: source, of: channels, toFloats: room(Float.self))
      }
    }
  }

  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  private static func copy<Sample: PCMSample>(
    _ frames: Span<Sample>, channel: Int, of channels: Int,
    toFloats plane: UnsafeMutableBufferPointer<Float>
  ) {
    var index = channel
    for frame in 0..<frames.count / channels {
      plane[frame] = Float(frames[index].normalized)
      index += channels
    }
  }

  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  private static func copy<Sample: PCMSample>(
    _ frames: Span<Sample>, channel: Int, of channels: Int,
    toShorts plane: UnsafeMutableBufferPointer<Int16>
  ) {
    var clipping = Clipping()
    var index = channel
    for frame in 0..<frames.count / channels {
      plane[frame] = Int16(normalized: frames[index].normalized, clipping: &clipping)
      index += channels
    }
  }

  /// 24 bits stand at the top of 32.
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  private static func copy<Sample: PCMSample>(
    _ frames: Span<Sample>, channel: Int, of channels: Int,
    toInts plane: UnsafeMutableBufferPointer<Int32>
  ) {
    var clipping = Clipping()
    var index = channel
    for frame in 0..<frames.count / channels {
      let sample = Int24(normalized: frames[index].normalized, clipping: &clipping)
      plane[frame] = sample.value << 8
      index += channels
    }
  }
}
