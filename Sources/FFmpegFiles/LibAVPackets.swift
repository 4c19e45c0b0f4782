internal import AudioIO
internal import CLibAV

/// The packets of a track, added up.
struct LibAVPackets {
  private var packets = StorageDescription.Packets()
  private var byteCount = 0
  /// Where the first in the file stands, in bytes.
  private(set) var offset: Int?
  /// Whether the first one read is of WavPack in its hybrid mode, where the file by itself is lossy.
  private(set) var isHybridWavPack = false

  private mutating func add(byteCount size: Int, offset position: Int64) {
    packets.add(byteCount: size)
    byteCount += size
    if let position = Int(exactly: position), position >= 0 {
      offset = min(offset ?? position, position)
    }
  }

  /// Takes the entries of the demuxer's index; `false` where it does not tell of all.
  ///
  /// - Parameters:
  ///   - track: The track whose index it is.
  ///   - isPCM: Whether an entry is of many samples, rather than of one packet.
  mutating func takeIndex(of track: LibAVTrack, isPCM: Bool) -> Bool {
    var found = LibAVPackets()
    let count = avformat_index_get_entries_count(track.stream)
    for index in 0..<max(0, count) {
      guard let entry = avformat_index_get_entry(track.stream, index) else { return false }
      found.add(byteCount: Int(entry.pointee.size), offset: entry.pointee.pos)
    }
    // In fragments there is more than the index tells.
    let parameters = track.stream.pointee.codecpar.pointee
    let sampleBits =
      Int(av_get_exact_bits_per_sample(parameters.codec_id))
      * Int(parameters.ch_layout.nb_channels)
    let told = isPCM ? found.byteCount * 8 / max(1, sampleBits) : Int(count)
    guard count > 0, Int64(told) == track.stream.pointee.nb_frames else { return false }
    self = found
    return true
  }

  /// Reads the packets of the track, or the first `most` of them, without decoding them.
  mutating func take(
    of input: borrowing InputFile, _ opening: LibAVBlockSource.Opening, most: Int
  ) throws(AudioFileError) {
    let container = try LibAVContainer(input, opening.probe)
    let track = try LibAVTrack(of: container, number: opening.trackNumber)
    container.select(track.stream)
    var packet = av_packet_alloc()
    defer { av_packet_free(&packet) }
    guard let packet else { throw .cannotRead(input.path, .noMemory) }
    while packets.count ?? 0 < most, av_read_frame(container.pointer, packet) >= 0 {
      if packet.pointee.stream_index == track.stream.pointee.index, packet.pointee.size > 0 {
        if packets.count == nil { isHybridWavPack = Self.isHybridWavPack(packet.pointee) }
        add(byteCount: Int(packet.pointee.size), offset: packet.pointee.pos)
      }
      av_packet_unref(packet)
    }
    if let cause = container.readFailure { throw .cannotRead(input.path, cause) }
  }

  /// Source: WavPack 4 & 5 Binary File / Block Format, "Block Header": flags at byte 24, bit 3.
  private static func isHybridWavPack(_ packet: AVPacket) -> Bool {
    let bytes = UnsafeBufferPointer(start: packet.data, count: Int(packet.size))
    return bytes.starts(with: Array("wvpk".utf8)) && bytes.count > 24 && bytes[24] & 8 != 0
  }

  func add(to facts: inout StorageDescription, isPCM: Bool) {
    guard packets.count != nil else { return }
    facts.audioByteCount = byteCount
    facts.audioOffset = offset
    // PCM has no packets; how much is read of it at a time is the demuxer's affair.
    if isPCM { return }
    facts.packets = packets
    facts.bitRateMode = packets.bitRateMode
  }
}
