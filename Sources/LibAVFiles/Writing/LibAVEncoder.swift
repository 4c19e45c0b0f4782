internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CLibAV
internal import SystemPackage

/// A libavcodec encoder and the block of frames being filled for it.
final class LibAVEncoder {
  /// Frames in every packet except the last.
  let framesPerPacket: Int
  /// Frames that a decoder outputs before the first encoded one.
  let delay: Int
  /// The encoder's configuration for decoders.
  let extradata: [UInt8]
  private let path: FilePath
  private let context: LibAVContext
  private let codec: AudioFormat.PacketEncoding.Codec
  private let layout: ChannelLayout
  private let channels: Int
  private let bitDepth: Int
  private let format: AVSampleFormat
  // Freed by libavutil's functions, which take a pointer to the pointer.
  private var frame: UnsafeMutablePointer<AVFrame>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var framesInBlock = 0
  private var framesSent: Int64 = 0

  init(
    _ codec: AudioFormat.PacketEncoding.Codec, layout: ChannelLayout, sampleRate: Int,
    bitRate: Int?, bitDepth: Int, isFloat: Bool = false, path: FilePath
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
    if codec == .wavPack {
      format = Self.wavPackFormat(bitDepth: bitDepth, isFloat: isFloat)
      context.pointer.pointee.sample_fmt = format
    } else if codec == .alac {
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
    delay = Int(context.pointer.pointee.initial_padding)
    extradata = context.extradata
    self.context = context
    guard framesPerPacket > 0, delay >= 0 else {
      throw .encoderFailed(path, reason: "libavcodec's encoder has no fixed block of frames")
    }
    frame = try makeFrame()
    packet = av_packet_alloc()
  }

  deinit {
    av_frame_free(&frame)
    av_packet_free(&packet)
  }

  private static func wavPackFormat(bitDepth: Int, isFloat: Bool) -> AVSampleFormat {
    if isFloat { return AV_SAMPLE_FMT_FLTP }
    // WavPack's own decoder finds libavcodec's 8 bits damaged, so 8 bits are encoded as 16.
    return bitDepth <= 16 ? AV_SAMPLE_FMT_S16P : AV_SAMPLE_FMT_S32P
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

  /// Encodes interleaved frames; `order` gives the source channel of each channel of the encoder.
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

  /// Encodes the remaining frames.
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

  /// Writes the block as an uncompressed packet, without the encoder.
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
    try packet.withUnsafeBufferPointer { (bytes) throws(AudioFileError) in
      try file.append(UnsafeRawBufferPointer(bytes))
    }
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

  /// Appends frames to the block.
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  private func fill<Sample: PCMSample>(
    _ frames: Span<Sample>, _ order: [Int]
  ) throws(AudioFileError) {
    // The encoder may still reference the previous block.
    guard let frame, av_frame_make_writable(frame) == 0, let planes = frame.pointee.extended_data
    else { throw .cannotWrite(path, .noMemory) }
    var clipping = Clipping()
    for (channel, source) in order.enumerated() {
      guard let plane = planes[channel].map(UnsafeMutableRawPointer.init) else { continue }
      switch format {
      case AV_SAMPLE_FMT_S16P where bitDepth == 8:
        copy(frames, channel: source, into: plane) {
          Int16(Int8(normalized: $0.normalized, clipping: &clipping))
        }
      case AV_SAMPLE_FMT_S16P:
        copy(frames, channel: source, into: plane) {
          Int16(normalized: $0.normalized, clipping: &clipping)
        }
      case AV_SAMPLE_FMT_S32P where codec == .wavPack && bitDepth == 32:
        copy(frames, channel: source, into: plane) {
          Int32(normalized: $0.normalized, clipping: &clipping)
        }
      case AV_SAMPLE_FMT_S32P where codec == .wavPack:
        copy(frames, channel: source, into: plane) {
          Int24(normalized: $0.normalized, clipping: &clipping).value
        }
      case AV_SAMPLE_FMT_S32P:
        // 24 bits are stored at the top of 32.
        copy(frames, channel: source, into: plane) {
          Int24(normalized: $0.normalized, clipping: &clipping).value << 8
        }
      default:
        copy(frames, channel: source, into: plane) { Float($0.normalized) }
      }
    }
  }

  /// Converts one channel of interleaved frames and writes it to a plane, after the frames already there.
  @inline(__always)
  private func copy<Sample: PCMSample, Stored: BitwiseCopyable>(
    _ frames: Span<Sample>, channel: Int, into plane: UnsafeMutableRawPointer,
    _ convert: (Sample) -> Stored
  ) {
    let room = UnsafeMutableBufferPointer(
      start: plane.assumingMemoryBound(to: Stored.self) + framesInBlock,
      count: framesPerPacket - framesInBlock)
    var index = channel
    for frame in 0..<frames.count / channels {
      room[frame] = convert(frames[index])
      index += channels
    }
  }
}

/// An ALAC packet of uncompressed samples.
///
/// libavcodec 59 aborts if the last packet of more than two channels has one or two frames, because
/// its buffer is too small for the headers of all elements. Such packets are written here.
/// Source: Apple, `ALACEncoder.cpp` (`EncodeMonoEscape`, `EncodeStereoEscape`).
enum ALACEscapePacket {
  /// Packets of fewer frames are written here.
  static let frameLimit = 16

  /// The channels of each element of a packet, by channel count.
  private static let elements: [Int: [[Speaker]]] = [
    3: [[.frontCenter], [.frontLeft, .frontRight]],
    4: [[.frontCenter], [.frontLeft, .frontRight], [.backCenter]],
    5: [[.frontCenter], [.frontLeft, .frontRight], [.backLeft, .backRight]],
    6: [[.frontCenter], [.frontLeft, .frontRight], [.backLeft, .backRight], [.lowFrequency]],
    7: [
      [.frontCenter], [.frontLeft, .frontRight], [.backLeft, .backRight], [.backCenter],
      [.lowFrequency],
    ],
    8: [
      [.frontCenter], [.frontLeftOfCenter, .frontRightOfCenter], [.frontLeft, .frontRight],
      [.backLeft, .backRight], [.lowFrequency],
    ],
  ]

  /// The packet; `sample` returns the sample of a channel of `layout` in a frame, in the low bits.
  ///
  /// Returns `nil` for layouts that ALAC does not support, and for one and two channels.
  static func bytes(
    layout: ChannelLayout, frameCount: Int, bitDepth: Int, sample: (Int, Int) -> Int32
  ) -> [UInt8]? {
    guard let elements = elements[layout.channelCount], let speakers = layout.speakers else {
      return nil
    }
    var bits = BitWriter()
    var counts = [0, 0]
    for element in elements {
      let kind = element.count - 1
      bits.put(kind, count: 3)
      bits.put(counts[kind], count: 4)
      counts[kind] += 1
      bits.put(0, count: 12)
      // Flags: a frame count follows, no shifted-off bits, uncompressed samples.
      bits.put(0b1001, count: 4)
      bits.put(frameCount, count: 32)
      let channels = element.compactMap { speakers.firstIndex(of: $0) }
      guard channels.count == element.count else { return nil }
      for frame in 0..<frameCount {
        for channel in channels { bits.put(Int(sample(channel, frame)), count: bitDepth) }
      }
    }
    bits.put(0b111, count: 3)
    return bits.bytes
  }
}
