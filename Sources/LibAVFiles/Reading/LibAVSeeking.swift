internal import AudioIO
internal import CLibAV

/// The way to find the packets before a distant frame.
enum LibAVSeeking {
  /// By an index, exact to the frame. If packets are decoded independently, samples equal those of sequential decoding.
  case index(LibAVPacketIndex)
  /// By the times of packets, which may be rounded.
  case times
  /// By counting the frames of all packets before it, which are not decoded.
  case counting
}

/// Seeking in a track. A new decoder has no state from earlier packets, so decoding begins before the requested frame,
/// and samples may differ inaudibly from sequential decoding.
extension LibAVDecoder {
  /// Frames to decode before the requested frame: more than the overlap of two packets in AAC, Vorbis and Windows
  /// Media, the ten packets that MP3 may refer back to, and the 80 ms of Opus.
  var leadInFrames: Int {
    guard let block else { return 0 }
    return max(10 * block.frameCount, block.sampleRate / 2)
  }

  /// The way to find distant frames without an index; `nil` if only decoding finds them.
  var seekingWithoutIndex: LibAVSeeking? {
    let name = container.demuxerNames.first ?? ""
    guard firstTime != nil, !["caf", "voc"].contains(name) else { return nil }
    if Self.countable.contains(name) { return .counting }
    // Demuxers without their own index do not know the time that a seek reached.
    return container.pointer.pointee.iformat.pointee.flags & AVFMT_GENERIC_INDEX == 0 ? .times : nil
  }

  /// Demuxers of formats without timestamps. In MLP and TrueHD, which have none either, decoding begins only at some
  /// packets.
  private static let countable: Set = ["aac", "ac3", "eac3", "dts"]

  /// Restarts decoding at a packet of an index and decodes up to the block that holds a frame; `false` if that is not
  /// possible.
  func seek(
    to start: LibAVPacketIndex.Start, for target: Int
  ) throws(AudioFileError) -> Bool {
    guard let spec = block?.spec, let packet else { return false }
    let isThere =
      if let position = start.position { try goTo(position: position) } else {
        try goTo(time: start.timestamp)
      }
    if !isThere { return false }
    repeat {
      if try !readPacket(packet) { return false }
    } while packet.pointee.stream_index != track.stream.pointee.index
    guard [packet.pointee.pts, packet.pointee.dts].contains(start.timestamp) else { return false }
    isHoldingPacket = true
    try restart(spec)
    decodedFrames = start.frame
    return try decode(through: target) && decodedFrames > target
  }

  /// Restarts decoding at the packet that counting finds before a distant frame, and decodes up to the block that holds
  /// it; `false` if that is not possible. After the last frame there is no block.
  func seek(byCountingTo target: Int) throws(AudioFileError) -> Bool {
    guard let spec = block?.spec, let packet else { return false }
    let start = target - leadInFrames
    var passed = countedFrames ?? .max
    if passed > start {
      guard try goTo(position: 0) else { return false }
      passed = 0
    }
    while passed < start {
      guard try readPacket(packet) else { break }
      guard packet.pointee.stream_index == track.stream.pointee.index else { continue }
      let count = frames(of: packet.pointee.duration)
      if count == 0 { return false }
      passed += count
    }
    isHoldingPacket = false
    try restart(spec)
    (decodedFrames, countedFrames) = (passed, passed)
    return try decode(through: target)
  }

  /// Restarts decoding at a packet whose time is before that of a distant frame, and decodes up to the block that holds
  /// it; `false` if that is not possible. After the last frame there is no block.
  func seek(byTimeTo target: Int) throws(AudioFileError) -> Bool {
    guard let firstTime, let spec = block?.spec else { return false }
    let base = track.stream.pointee.time_base
    guard base.num > 0, base.den > 0 else { return false }
    let unit = Double(base.num) / Double(base.den) * Double(spec.sampleRate)
    // Retries earlier, because a demuxer may seek too far.
    for lead in [leadInFrames, 4 * spec.sampleRate, 16 * spec.sampleRate] {
      guard let time = Int64(exactly: (Double(max(0, target - lead)) / unit).rounded(.down)),
        case let (wanted, overflows) = time.addingReportingOverflow(firstTime), !overflows,
        try goTo(time: wanted)
      else { return false }
      isHoldingPacket = false
      try restart(spec)
      decodedFrames = 0
      var losses = 0
      steps: while losses < Self.maximumFailures {
        switch try step() {
        case .end: return true
        case .loss: losses += 1
        case .block:
          guard let frames = block?.frameCount, let blockTime else { return false }
          let start = Double(blockTime) - Double(firstTime)
          guard let place = Int(exactly: (start * unit).rounded()), place >= 0 else { return false }
          if place - target > spec.sampleRate / Self.timesPerSecond { break steps }
          decodedFrames = place + frames
          if decodedFrames > target { return true }
        }
      }
    }
    return false
  }

  /// Decodes up to the block that holds a frame, or to the end; `false` after too many losses. Packets that depend on
  /// earlier ones count as losses.
  private func decode(through target: Int) throws(AudioFileError) -> Bool {
    var losses = 0
    while decodedFrames <= target {
      switch try step() {
      case .end: return true
      case .loss: losses += 1
      case .block: continue
      }
      if losses == Self.maximumFailures { return false }
    }
    return true
  }

  private func readPacket(
    _ packet: UnsafeMutablePointer<AVPacket>
  ) throws(AudioFileError) -> Bool {
    av_packet_unref(packet)
    let status = av_read_frame(container.pointer, packet)
    if let cause = container.readFailure { throw .cannotRead(container.path, cause) }
    return status >= 0
  }

  private func goTo(time: Int64) throws(AudioFileError) -> Bool {
    let status = av_seek_frame(
      container.pointer, track.stream.pointee.index, time, AVSEEK_FLAG_BACKWARD)
    if let cause = container.readFailure { throw .cannotRead(container.path, cause) }
    return status >= 0
  }

  private func goTo(position: Int64) throws(AudioFileError) -> Bool {
    let status = av_seek_frame(container.pointer, -1, position, AVSEEK_FLAG_BYTE)
    if let cause = container.readFailure { throw .cannotRead(container.path, cause) }
    return status >= 0
  }

  /// Packet times are at least this precise, including their rounding.
  static let timesPerSecond = 500
}
