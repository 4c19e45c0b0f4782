internal import AudioIO
internal import CLibAV

/// Going to another place of a track. A decoder made anew has no state of packets that were decoded before.
extension LibAVDecoder {
  /// Begins decoding anew with a packet of the index; `false` if that is not possible.
  ///
  /// The decoder is a new one: none of its state is of packets that were decoded before.
  func seek(
    to start: LibAVPacketIndex.Start, needsTwin: Bool
  ) throws(AudioFileError) -> Bool {
    guard let spec = block?.spec else { return false }
    let status =
      if let position = start.position {
        av_seek_frame(container.pointer, -1, position, AVSEEK_FLAG_BYTE)
      } else {
        av_seek_frame(
          container.pointer, track.stream.pointee.index, start.timestamp, AVSEEK_FLAG_BACKWARD)
      }
    if let cause = container.readFailure { throw .cannotRead(container.path, cause) }
    if status < 0 { return false }
    try restart(spec)
    if needsTwin, start.frame > 0 {
      twin = LibAVTwin(try openedContext(), channelCount: spec.channelCount)
      if twin == nil { return false }
    }
    awaited = start
    decodedFrames = start.frame
    return true
  }

  /// How a distant frame is found where no packet is known at which decoding can begin.
  enum Finding {
    /// By the times of packets.
    case times
    /// By counting the frames of all packets before it, which are not decoded.
    case counting
  }

  /// How a distant frame is found; `nil` if only decoding finds it.
  var finding: Finding? {
    guard firstTime != nil else { return nil }
    if Self.countable.contains(container.demuxerNames.first ?? "") { return .counting }
    // Demuxers without an index of their own do not know the times where they go.
    return container.pointer.pointee.iformat.pointee.flags & AVFMT_GENERIC_INDEX == 0 ? .times : nil
  }

  /// Demuxers of formats without timestamps whose packets are decoded independently, except for overlaps.
  private static let countable: Set = ["aac", "ac3", "eac3", "dts"]
  /// The bytes that hold the sync word and the size of a packet in formats whose packets may all have one size.
  private static let sizeBytes = ["ac3": [0, 1, 4, 5], "eac3": Array(0..<6), "dts": Array(0..<9)]
  /// Places at which packets of one size are looked for.
  private static let checkedPlaces = 64

  /// Decodes anew from a packet before a distant frame up to the block that holds it; `false` if that is not possible.
  ///
  /// Losses before the frame are those of packets that need others before them. Behind the last frame there is no block.
  func seek(
    finding target: Int, in input: borrowing InputFile
  ) throws(AudioFileError) -> Bool {
    switch finding {
    case .times: try seek(byTimeTo: target)
    case .counting: try seek(byCountingTo: target, in: input)
    case nil: false
    }
  }

  /// How many packets of the size of the first one there are to a number of frames; 0 if their sizes differ.
  private func equalPackets(
    before start: Int, of first: AVPacket, frames: Int, in input: borrowing InputFile
  ) throws(AudioFileError) -> Int {
    let (origin, size, count) = (Int(first.pos), Int(first.size), start / frames)
    guard count > Self.checkedPlaces, origin >= 0, size > 0,
      let places = Self.sizeBytes[container.demuxerNames.first ?? ""],
      let longest = places.max(), longest < size, let data = first.data,
      case let (length, overflows) = size.multipliedReportingOverflow(by: count + 1), !overflows,
      length <= input.size - origin
    else { return 0 }
    for place in 0...Self.checkedPlaces {
      let packet = count * place / Self.checkedPlaces
      let found = try input.bytes(at: origin + packet * size, count: longest + 1)
      guard found.count > longest, places.allSatisfy({ found[$0] == data[$0] }) else { return 0 }
    }
    return count
  }

  private func seek(
    byCountingTo target: Int, in input: borrowing InputFile
  ) throws(AudioFileError) -> Bool {
    guard let spec = block?.spec, let packet else { return false }
    let status = av_seek_frame(container.pointer, -1, 0, AVSEEK_FLAG_BYTE)
    if let cause = container.readFailure { throw .cannotRead(container.path, cause) }
    if status < 0 { return false }
    let start = target - Int(Self.leadInSeconds * Double(spec.sampleRate))
    var passed = 0
    while passed < start {
      av_packet_unref(packet)
      if av_read_frame(container.pointer, packet) < 0 {
        if let cause = container.readFailure { throw .cannotRead(container.path, cause) }
        break
      }
      guard packet.pointee.stream_index == track.stream.pointee.index else { continue }
      let count = frames(of: packet.pointee.duration)
      if count == 0 { return false }
      if passed == 0,
        case let packets = try equalPackets(
          before: start, of: packet.pointee, frames: count, in: input), packets > 0
      {
        passed = packets * count
        let place = packet.pointee.pos + Int64(packets) * Int64(packet.pointee.size)
        let status = av_seek_frame(container.pointer, -1, place, AVSEEK_FLAG_BYTE)
        if let cause = container.readFailure { throw .cannotRead(container.path, cause) }
        if status < 0 { return false }
        break
      }
      passed += count
    }
    try restart(spec)
    decodedFrames = passed
    while decodedFrames <= target {
      switch try step() {
      case .end: return true
      case .loss: return false
      case .block: continue
      }
    }
    return true
  }

  private func seek(byTimeTo target: Int) throws(AudioFileError) -> Bool {
    guard let firstTime, let spec = block?.spec else { return false }
    let base = track.stream.pointee.time_base
    guard base.num > 0, base.den > 0 else { return false }
    let unit = Double(base.num) / Double(base.den) * Double(spec.sampleRate)
    // Twice as early where a demuxer goes too far.
    for lead in [Self.leadInSeconds, 4, 16] {
      let frame = max(0, Double(target) - lead * Double(spec.sampleRate))
      guard let time = Int64(exactly: (frame / unit).rounded(.down)),
        case let (wanted, overflows) = time.addingReportingOverflow(firstTime), !overflows
      else { return false }
      let status = av_seek_frame(
        container.pointer, track.stream.pointee.index, wanted, AVSEEK_FLAG_BACKWARD)
      if let cause = container.readFailure { throw .cannotRead(container.path, cause) }
      if status < 0 { return false }
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
          decodedFrames = max(place, 0) + frames
          if decodedFrames > target { return true }
        }
      }
    }
    return false
  }

  /// Times of packets are at least as fine, with their rounding.
  static let timesPerSecond = 500
  /// Seconds before a frame from which decoding begins: more than the overlaps, bit reservoirs and lead-ins of codecs.
  private static let leadInSeconds = 0.5
}
