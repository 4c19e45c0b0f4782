internal import AudioContainers
internal import AudioIO
internal import CLibAV

/// Going to another place of a track. A new decoder has no state of packets that were decoded before.
extension LibAVDecoder {
  /// Restarts decoding at a packet of the index; `false` if that is not possible.
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
  /// The bits of headers by which packets of nearly equal size are recognized, which includes sync words and rates: in
  /// AC-3 and E-AC-3 all but the lowest bits of the size, because at 44.1 kHz two sizes alternate.
  private static let headerBits: [String: [UInt8]] = [
    "ac3": [0xFF, 0xFF, 0, 0, 0xFE, 0xFF], "eac3": [0xFF, 0xFF, 0xF8, 0, 0xFF, 0xFF],
    "dts": Array(repeating: 0xFF, count: 9),
  ]
  /// Places at which packets of nearly equal size are looked for.
  private static let checkedPlaces = 64
  /// Bytes by which packets may be elsewhere than those before suggest.
  private static let strayBytes = 32

  /// Restarts decoding at a packet before a distant frame up to the block that holds it; `false` if that is not
  /// possible.
  ///
  /// Losses before the frame are those of packets that need others before them. After the last frame there is no block.
  func seek(
    finding target: Int, in input: borrowing InputFile
  ) throws(AudioFileError) -> Bool {
    switch finding {
    case .times: try seek(byTimeTo: target, in: input)
    case .counting: try seek(byCountingTo: target, in: input)
    case nil: false
    }
  }

  /// Where a packet of nearly equal ones begins; `nil` if packets have other sizes.
  ///
  /// A header is found from place to place, at first twice as far each time, where the sizes before suggest it.
  private func offset(
    ofPacket number: Int, after first: AVPacket, in input: borrowing InputFile
  ) throws(AudioFileError) -> Int? {
    let (origin, size) = (Int(first.pos), Int(first.size))
    guard number > Self.checkedPlaces, origin >= 0, let data = first.data,
      let bits = Self.headerBits[container.demuxerNames.first ?? ""],
      size > 3 * max(bits.count, Self.strayBytes)
    else { return nil }
    var (passed, offset, average) = (0, origin, Double(size))
    while passed < number {
      let step = min(max(1, passed), number / Self.checkedPlaces, number - passed)
      let distance = (average * Double(step)).rounded()
      guard distance < Double(input.size - offset), distance > Double(Self.strayBytes) else {
        return nil
      }
      let start = offset + Int(distance) - Self.strayBytes
      let found = try input.bytes(at: start, count: 2 * Self.strayBytes + bits.count)
      let places = (0...max(0, found.count - bits.count)).filter { place in
        found.count >= bits.count
          && bits.indices.allSatisfy { index in
            (found[place + index] ^ data[index]) & bits[index] == 0
          }
      }
      guard let place = places.min(by: { abs($0 - Self.strayBytes) < abs($1 - Self.strayBytes) })
      else { return nil }
      passed += step
      offset = start + place
      average = Double(offset - origin) / Double(passed)
    }
    return offset
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
        let place = try offset(ofPacket: start / count, after: packet.pointee, in: input)
      {
        passed = start / count * count
        let status = av_seek_frame(container.pointer, -1, Int64(place), AVSEEK_FLAG_BYTE)
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

  private func seek(
    byTimeTo target: Int, in input: borrowing InputFile
  ) throws(AudioFileError) -> Bool {
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
      let status =
        if let offset = try offset(of: wanted, in: input) {
          av_seek_frame(container.pointer, -1, Int64(offset), AVSEEK_FLAG_BYTE)
        } else {
          av_seek_frame(
            container.pointer, track.stream.pointee.index, wanted, AVSEEK_FLAG_BACKWARD)
        }
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

  /// Where a packet of a time begins, in formats whose demuxers would read all packets before; `nil` in others.
  private func offset(
    of time: Int64, in input: borrowing InputFile
  ) throws(AudioFileError) -> Int? {
    let base = track.stream.pointee.time_base
    guard container.demuxerNames.first == "flv", base.num == 1, base.den == 1000 else { return nil }
    return try FLVTags.offset(ofMilliseconds: time, in: input)
  }

  /// Times of packets are at least as fine, with their rounding.
  static let timesPerSecond = 500
  /// Seconds before a frame from which decoding begins: more than the overlaps, bit reservoirs and lead-ins of codecs.
  private static let leadInSeconds = 0.5
}
