internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CLibAV
internal import SystemPackage

/// A decoder of one track of a container.
///
/// A libavcodec frame is called a block here; it contains several PCM frames.
final class LibAVDecoder {
  /// The result of one decoding step.
  enum Step {
    /// A block, in ``block``.
    case block
    case end
    /// A packet that cannot be decoded.
    case loss(Loss)
  }

  /// A packet that was lost.
  struct Loss {
    var reason: String
    /// The number of frames in the packet; 0 if unknown.
    var frames: Int
    /// True when the file ends within the packet.
    var isTruncated: Bool
  }

  /// Gaps between packets.
  struct Gaps {
    private(set) var widest: Int64 = 0
    private var sum = 0.0
    private var count = 0

    /// The mean without the widest one; 0 if there are no others.
    var mean: Double { count > 1 ? (sum - Double(widest)) / Double(count - 1) : 0 }
    /// The ends of the packets before the wide gaps, in order, and the widths of those.
    private(set) var wide: [(start: Int64, width: Int64)] = []
    /// More gaps than these are only counted among all.
    private static let mostWide = 1000

    fileprivate mutating func add(_ gap: Int64, after end: Int64, isWide: Bool) {
      widest = max(widest, gap)
      sum += Double(gap)
      count += 1
      if isWide, wide.count < Self.mostWide { wide.append((end, gap)) }
    }
  }

  let container: LibAVContainer
  let track: LibAVTrack
  /// The most recently decoded block.
  private(set) var block: LibAVBlock?
  /// Frames decoded so far, including this block.
  var decodedFrames = 0
  /// Frames of speech pauses, for which the AMR decoder outputs nothing.
  private(set) var pausedFrames = 0
  /// Total bytes of the packets read so far.
  private(set) var packetBytes = 0
  /// The codec's profile, which in AAC may be known only once a packet is decoded.
  var profile: Int32 { context?.pointee.profile ?? FF_PROFILE_UNKNOWN }
  private var context: UnsafeMutablePointer<AVCodecContext>?
  private(set) var packet: UnsafeMutablePointer<AVPacket>?
  /// The part of the packet that is decoded next, if it contains several encoded frames.
  private var part: UnsafeMutablePointer<AVPacket>?
  private var frame: UnsafeMutablePointer<AVFrame>?
  private var isDraining = false
  /// True when the packet was read by seeking and is the next one to decode.
  var isHoldingPacket = false
  private var failuresInARow = 0
  /// Bytes dropped before the first complete frame, if the track begins within a frame.
  private(set) var splitBytes = 0
  private let isSalvaging: Bool
  private let keepsDelay: Bool
  private let end: Int?
  /// Pauses still to come that the demuxer leaves out, in the order of the file.
  private(set) var silences: [VOCBlocks.Silence]
  /// The times of the first block and of this one, in the track's time base; `nil` if unknown.
  private(set) var firstTime, blockTime: Int64?
  /// The end of the packets read so far, in the track's time base; `nil` if unknown.
  private(set) var packetEnd: Int64?
  /// The gaps between the time of a packet and the end of the one before, in the track's time base.
  private(set) var gaps = Gaps()
  /// Frames of all packets read so far, once a seek has counted them from the first.
  var countedFrames: Int?

  /// Demuxers that take many blocks at a time, so a short last packet is not a truncated one.
  private static let shortening: Set = ["adx"]

  /// Demuxers of streams without a length. Discs and recorders split them anywhere, even within a frame.
  private static let splitting: Set = ["mpeg", "mpegts"]
  /// True when the stream may begin and end within a frame.
  var isSplit: Bool { Self.splitting.contains(container.demuxerNames.first ?? "") }
  /// Maximum number of bytes before the first frame: libavcodec may need several frames to find a frame start.
  private static let mostSplitBytes = 1 << 14

  /// Number of consecutive failures that ends a track.
  static let maximumFailures = 256

  /// - Parameters:
  ///   - keepsDelay: True to deliver frames that the container marks as skipped.
  ///   - salvaging: True when the decoder may conceal damage in packets.
  ///   - end: The file offset of the first packet after the track.
  ///   - silences: Pauses that the demuxer leaves out.
  init(
    _ container: LibAVContainer, _ track: LibAVTrack, keepsDelay: Bool, salvaging: Bool,
    end: Int? = nil, silences: [VOCBlocks.Silence] = []
  ) throws(AudioFileError) {
    self.silences = silences
    self.container = container
    self.track = track
    isSalvaging = salvaging
    self.end = end
    self.keepsDelay = keepsDelay
    container.select(track.stream)
    packet = av_packet_alloc()
    part = av_packet_alloc()
    frame = av_frame_alloc()
    guard packet != nil, part != nil, frame != nil else {
      throw .cannotRead(container.path, .noMemory)
    }
    context = try openedContext()
  }

  /// A decoder at its start.
  func openedContext() throws(AudioFileError) -> UnsafeMutablePointer<AVCodecContext> {
    guard let context = avcodec_alloc_context3(track.decoder) else {
      throw .cannotRead(container.path, .noMemory)
    }
    var status = avcodec_parameters_to_context(context, track.stream.pointee.codecpar)
    if status >= 0 {
      context.pointee.pkt_timebase = track.stream.pointee.time_base
      context.pointee.thread_count = 1
      if keepsDelay { context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL }
      if !isSalvaging { context.pointee.err_recognition |= AV_EF_CRCCHECK | AV_EF_EXPLODE }
      status = avcodec_open2(context, track.decoder, nil)
    }
    if status >= 0 { return context }
    var unused: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&unused)
    // Values of the file decide how much; what one may ask for is limited.
    if status == -ENOMEM {
      throw .limitExceeded(container.path, reason: "its decoder asks for too much memory")
    }
    throw lack("its decoder does not start: \(LibAVFailure.text(status))")
  }

  deinit {
    av_frame_free(&frame)
    av_packet_free(&packet)
    av_packet_free(&part)
    avcodec_free_context(&context)
  }

  /// Replaces the decoder with a new one, which has no state from earlier packets.
  func restart(_ spec: LibAVBlock.Spec) throws(AudioFileError) {
    if let packet, !isHoldingPacket { av_packet_unref(packet) }
    if let part { av_packet_unref(part) }
    if let frame { av_frame_unref(frame) }
    avcodec_free_context(&context)
    context = try openedContext()
    // A block without frames that keeps the properties.
    block = LibAVBlock(silentFrames: 0, spec)
    (isDraining, failuresInARow) = (false, 0)
  }

  /// Decodes up to the next block, loss, or the end.
  func step() throws(AudioFileError) -> Step {
    guard let context, let packet, let part, let frame else { return .end }
    while true {
      let status = avcodec_receive_frame(context, frame)
      if status >= 0 {
        if let loss = try take(frame) { return .loss(loss) }
        if let block, block.frameCount > 0 { return .block }
        continue
      }
      if status == scaleaudio_averror_eof { return .end }
      guard status == scaleaudio_averror_eagain else {
        if let loss = loss(
          "a packet cannot be decoded: \(LibAVFailure.text(status))", frames: 0)
        {
          return .loss(loss)
        }
        return .end
      }
      if isDraining { return .end }
      if !silences.isEmpty, try takeSilence(context, packet) { return .block }
      if amr != nil, packet.pointee.size > 0 {
        if let loss = feedPart(context, of: packet, part) { return .loss(loss) }
        if takePause(part) { return .block }
      } else if let loss = try feed(context, packet) {
        return .loss(loss)
      }
    }
  }

  /// Sends the next packet of the track to the decoder, or signals the end.
  private func feed(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ packet: UnsafeMutablePointer<AVPacket>
  ) throws(AudioFileError) -> Loss? {
    var status: Int32 = 0
    if isHoldingPacket {
      isHoldingPacket = false
    } else {
      av_packet_unref(packet)
      status = av_read_frame(container.pointer, packet)
    }
    if let cause = container.readFailure { throw .cannotRead(container.path, cause) }
    if status < 0 {
      if status != scaleaudio_averror_eof, !container.isEnd(status),
        let loss = loss("a packet cannot be read: \(LibAVFailure.text(status))", frames: 0)
      {
        return loss
      }
      isDraining = true
      avcodec_send_packet(context, nil)
      return nil
    }
    // libavcodec's FLAC encoder adds an empty packet at the end, with only a new header.
    let name = container.demuxerNames.first ?? ""
    guard packet.pointee.stream_index == track.stream.pointee.index, packet.pointee.size > 0,
      !(name == "w64" && LibAVTrack.isPadding(packet.pointee))
    else {
      av_packet_unref(packet)
      return nil
    }
    if block == nil, !track.mayBegin(at: packet.pointee), takeSplit(packet.pointee) {
      av_packet_unref(packet)
      return nil
    }
    if name == "w64" { track.leaveOutPadding(of: packet) }
    if let end, packet.pointee.pos >= end {
      av_packet_unref(packet)
      isDraining = true
      avcodec_send_packet(context, nil)
      return nil
    }
    packetBytes += Int(packet.pointee.size)
    let duration = frames(of: packet.pointee.duration)
    countedFrames = countedFrames.map { $0 + duration }
    if packet.pointee.pts != scaleaudio_av_nopts_value {
      let (end, overflows) = packet.pointee.pts.addingReportingOverflow(packet.pointee.duration)
      if let packetEnd,
        case let (gap, exceeds) = packet.pointee.pts.subtractingReportingOverflow(packetEnd),
        !exceeds
      {
        gaps.add(
          max(0, gap), after: packetEnd,
          isWide: frames(of: gap) > (block?.sampleRate ?? 0) / 10 && block != nil)
      }
      if !overflows { packetEnd = max(packetEnd ?? end, end) }
    }
    if packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0, !Self.shortening.contains(name) {
      var found = loss("a packet is cut off or damaged", frames: duration)
      found?.isTruncated = packet.pointee.pos >= 0
      av_packet_unref(packet)
      return found
    }
    if amr != nil { return nil }
    return send(packet, to: context, frames: duration)
  }

  /// Treats a packet before the first block as part of an incomplete frame; `false` if it cannot be one.
  private func takeSplit(_ packet: AVPacket) -> Bool {
    guard block == nil, isSplit, track.showsFrames,
      splitBytes + Int(packet.size) <= Self.mostSplitBytes
    else { return false }
    splitBytes += Int(packet.size)
    return true
  }

  private func send(
    _ packet: UnsafeMutablePointer<AVPacket>, to context: UnsafeMutablePointer<AVCodecContext>,
    frames: Int
  ) -> Loss? {
    let sent = avcodec_send_packet(context, packet)
    if sent < 0, sent != scaleaudio_averror_eof, !takeSplit(packet.pointee) {
      return loss("a packet cannot be decoded: \(LibAVFailure.text(sent))", frames: frames)
    }
    return nil
  }

  // MARK: AMR

  /// The encoded frames of AMR, each of 20 ms; `nil` for other codecs.
  private var amr: AMRFrame? {
    switch track.stream.pointee.codecpar.pointee.codec_id {
    case AV_CODEC_ID_AMR_NB: .narrow
    case AV_CODEC_ID_AMR_WB: .wide
    default: nil
    }
  }

  /// Sends the next encoded frame of a packet to the decoder, unless it is a pause.
  ///
  /// A packet of 3GP may contain several, and libavcodec would decode only the first.
  private func feedPart(
    _ context: UnsafeMutablePointer<AVCodecContext>, of packet: UnsafeMutablePointer<AVPacket>,
    _ part: UnsafeMutablePointer<AVPacket>
  ) -> Loss? {
    av_packet_unref(part)
    guard let amr, let first = packet.pointee.data?.pointee, av_packet_ref(part, packet) >= 0
    else {
      av_packet_unref(packet)
      return loss("a packet is empty", frames: 0)
    }
    let size = min(Int32(amr.byteCount(of: first)), packet.pointee.size)
    part.pointee.size = size
    packet.pointee.data += Int(size)
    packet.pointee.size -= size
    if packet.pointee.size == 0 { av_packet_unref(packet) }
    return isPause(part) ? nil : send(part, to: context, frames: (block?.sampleRate ?? 0) / 50)
  }

  /// Returns true for an AMR packet that is a pause, which libavcodec reports as damage.
  private func isPause(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    guard let amr, packet.pointee.size > 0, let first = packet.pointee.data?.pointee
    else { return false }
    return amr.isPause(first)
  }

  /// Creates a block of 20 ms of silence for a pause; `false` for any other packet.
  private func takePause(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    guard isPause(packet) else { return false }
    let isWide = amr == .wide
    let spec =
      block?.spec
      ?? LibAVBlock.Spec(
        sampleRate: isWide ? 16000 : 8000, channelCount: 1, format: AV_SAMPLE_FMT_FLTP.rawValue)
    av_packet_unref(packet)
    let silence = LibAVBlock(silentFrames: spec.sampleRate / 50, spec)
    block = silence
    failuresInARow = 0
    decodedFrames += silence.frameCount
    pausedFrames += silence.frameCount
    return true
  }

  // MARK: Silence

  /// Creates a block of silence if a pause comes before the next packet, which is held, or before the end; `false` if
  /// none does.
  private func takeSilence(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ packet: UnsafeMutablePointer<AVPacket>
  ) throws(AudioFileError) -> Bool {
    if !isHoldingPacket {
      av_packet_unref(packet)
      isHoldingPacket = av_read_frame(container.pointer, packet) >= 0
      if let cause = container.readFailure { throw .cannotRead(container.path, cause) }
    }
    guard let next = silences.first,
      !isHoldingPacket || packet.pointee.pos > Int64(next.offset)
    else { return false }
    silences.removeFirst()
    let parameters = track.stream.pointee.codecpar.pointee
    let spec =
      block?.spec
      ?? LibAVBlock.Spec(
        sampleRate: Int(parameters.sample_rate),
        channelCount: Int(parameters.ch_layout.nb_channels),
        format: context.pointee.sample_fmt.rawValue)
    guard (1...AudioLimits.sampleRate).contains(spec.sampleRate),
      (1...AudioLimits.channelCount).contains(spec.channelCount)
    else { return false }
    let silence = LibAVBlock(
      silentFrames: Int((next.seconds * Double(spec.sampleRate)).rounded()), spec)
    block = silence
    decodedFrames += silence.frameCount
    return true
  }

  // MARK: Losses

  /// A loss; `nil` after too many consecutive failures.
  private func loss(_ reason: String, frames: Int) -> Loss? {
    failuresInARow += 1
    guard failuresInARow < Self.maximumFailures else { return nil }
    return Loss(reason: reason, frames: frames, isTruncated: false)
  }

  /// The error for a track that libavcodec does not decode at all. Salvaging would not help.
  func lack(_ reason: String) -> AudioFileError {
    let codec = String(cString: track.decoder.pointee.name)
    let isUnified =
      codec == "aac" && AACConfiguration.isUnified(track.stream.pointee.codecpar.pointee)
    return .unsupported(
      container.path,
      reason: isUnified
        ? "its audio is xHE-AAC, which FFmpeg's libraries decode from version 7.1 on"
        : "its audio is a variant of \(codec) that FFmpeg's libraries do not decode (\(reason))")
  }

  /// Drops frames at the end of a block that the container marks as padding, which libavcodec leaves to programs that
  /// trim themselves.
  ///
  /// Source: libavutil, `AV_FRAME_DATA_SKIP_SAMPLES`: 32 bits of frames at the start, 32 bits of frames at the end.
  private func dropPadding(_ frame: UnsafeMutablePointer<AVFrame>) {
    guard keepsDelay, container.demuxerNames.contains("matroska") else { return }
    for index in 0..<Int(frame.pointee.nb_side_data) {
      guard let side = frame.pointee.side_data?[index]?.pointee,
        side.type == AV_FRAME_DATA_SKIP_SAMPLES, side.size >= 8, let data = side.data
      else { continue }
      let padding = UnsafeBufferPointer(start: data + 4, count: 4).littleEndianValue
      frame.pointee.nb_samples -= Int32(min(UInt64(max(0, frame.pointee.nb_samples)), padding))
    }
  }

  /// A duration in the track's time base, in frames; 0 if it is unknown or exceeds an hour.
  func frames(of time: Int64) -> Int {
    block.map { track.frames(of: time, rate: $0.sampleRate) } ?? 0
  }

  /// Checks a block from libavcodec and stores it.
  private func take(_ frame: UnsafeMutablePointer<AVFrame>) throws(AudioFileError) -> Loss? {
    dropPadding(frame)
    let next = try LibAVBlock(frame, path: container.path)
    if let block, block.spec != next.spec {
      // A damaged header can contain any values.
      if isSalvaging { return loss("a packet has a different sample format", frames: 0) }
      throw .unsupported(
        container.path,
        reason: "its audio changes from \(block.spec) to \(next.spec) at frame \(decodedFrames)")
    }
    block = next
    if frame.pointee.decode_error_flags != 0 || frame.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0,
      let loss = loss("a packet is damaged", frames: next.frameCount)
    {
      return loss
    }
    failuresInARow = 0
    let time = frame.pointee.best_effort_timestamp
    blockTime = time == Int64.min ? nil : time
    if decodedFrames == 0, firstTime == nil { firstTime = blockTime }
    decodedFrames += next.frameCount
    return nil
  }
}
