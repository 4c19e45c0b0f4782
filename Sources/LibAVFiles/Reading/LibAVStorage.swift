internal import AudioContainers
package import AudioIO
internal import AudioModel
internal import CLibAV

extension LibAVReader {
  /// How the track being read is stored; see ``FrameStream/storage(of:countsPackets:)``.
  package func storage(
    of input: borrowing InputFile, countsPackets: Bool
  ) throws(AudioFileError) -> StorageDescription {
    let decoder = opened.blocks.decoder
    let stream = decoder.track.stream.pointee
    let parameters = stream.codecpar.pointee
    var facts = StorageDescription(container: source.format.containerName)
    facts.tracks = LibAVTrackList.tracks(of: decoder.container, taken: decoder.track)
    if decoder.container.demuxerNames.contains("mov") {
      // libavformat leaves the titles out.
      for (index, track) in try MP4Index(input).soundTracks.enumerated()
      where index < facts.tracks.count {
        facts.tracks[index].title = facts.tracks[index].title ?? track.title
      }
    }
    if parameters.codec_id == AV_CODEC_ID_AAC { facts.profile = profile(parameters.profile) }
    facts.video = LibAVTrackList.video(of: decoder.container)
    if parameters.bits_per_raw_sample > 0, source.sampleFormat != nil {
      facts.bitDepth = Int(parameters.bits_per_raw_sample)
    }
    facts.declaredBitRate = Self.declaredBitRate(
      decoder, parameters, trackCount: facts.tracks.count)
    let isPCM = av_get_exact_bits_per_sample(parameters.codec_id) > 0
    if !isPCM { addTrimming(to: &facts, parameters) }
    var packets = LibAVPackets()
    let isIndexed =
      opened.opening.probe.hasIndex && packets.takeIndex(of: decoder.track, isPCM: isPCM)
    if !isIndexed {
      try packets.take(of: input, opened.opening, most: countsPackets ? Int.max : 1)
    }
    if isIndexed || countsPackets {
      packets.add(to: &facts, isPCM: isPCM)
    } else {
      facts.audioOffset = packets.offset
      facts.needsCounting = true
    }
    facts.isLossy = packets.isHybridWavPack
    if !isPCM, parameters.frame_size > 0 {
      facts.packets = facts.packets ?? StorageDescription.Packets()
      facts.packets?.frameCount = Int(parameters.frame_size)
    }
    if isPCM { facts.bitRateMode = .constant }
    if source.format.container == .caf,
      let header = try source.format.container.header?(input)
    {
      facts.audioOffset = header.audioOffset
      facts.audioByteCount = header.availableBytes(fileSize: input.size)
      try ContainerStorage.addPacketTable(to: &facts, input, header)
    }
    return facts
  }

  /// The name of an AAC profile: what decoding has shown, otherwise what the configuration declares.
  private func profile(_ number: Int32) -> String? {
    if source.codec.hasPrefix("HE-AAC v2") { return "HEv2" }
    if source.codec.hasPrefix("HE-AAC") { return "HE" }
    return switch number {
    case FF_PROFILE_AAC_MAIN: "Main"
    case FF_PROFILE_AAC_LOW: "LC"
    case FF_PROFILE_AAC_SSR: "SSR"
    case FF_PROFILE_AAC_LTP: "LTP"
    case FF_PROFILE_AAC_LD: "LD"
    case FF_PROFILE_AAC_ELD: "ELD"
    // Unified speech and audio coding, which FFmpeg decodes from version 7.1 on.
    case 41: "xHE"
    default: nil
    }
  }

  /// The bit rate of the track, or of the file if the track is its only one.
  private static func declaredBitRate(
    _ decoder: LibAVDecoder, _ parameters: AVCodecParameters, trackCount: Int
  ) -> Int? {
    if parameters.bit_rate > 0 { return Int(parameters.bit_rate) }
    let whole = decoder.container.pointer.pointee.bit_rate
    return decoder.container.streams.count == 1 && whole > 0 ? Int(whole) : nil
  }

  /// Adds the frames trimmed before and after the audio: here for MP4, otherwise by libavcodec.
  private func addTrimming(to facts: inout StorageDescription, _ parameters: AVCodecParameters) {
    if source.format.container == .mp4, let first = opened.ranges.first,
      let last = opened.ranges.last
    {
      guard source.lengthBasis != .estimated else { return }
      facts.delay = first.lowerBound
      facts.padding = max(0, opened.decodedFrames - last.upperBound)
    } else if parameters.initial_padding > 0 || parameters.trailing_padding > 0 {
      facts.delay = Int(parameters.initial_padding)
      facts.padding = Int(parameters.trailing_padding)
    }
  }
}

extension LibAVProbe {
  /// Whether the demuxer's index contains every packet rather than only seek points.
  fileprivate var hasIndex: Bool { names.contains("mov") }
}

/// The audio tracks of a container.
private enum LibAVTrackList {
  static func tracks(
    of container: LibAVContainer, taken: LibAVTrack
  ) -> [StorageDescription.Track] {
    container.audioStreams.enumerated().map { index, stream in
      let parameters = stream.pointee.codecpar.pointee
      var unused: [String] = []
      let layout =
        parameters.ch_layout.nb_channels > 0
        ? LibAVLayout.layout(parameters.ch_layout, warnings: &unused).description : nil
      return StorageDescription.Track(
        number: index + 1, codec: name(of: parameters.codec_id),
        sampleRate: Int(max(0, parameters.sample_rate)),
        channelCount: Int(max(0, parameters.ch_layout.nb_channels)), layout: layout,
        language: LibAVTags.value("language", of: stream),
        title: LibAVTags.value("title", of: stream),
        isSelected: stream.pointee.index == taken.stream.pointee.index)
    }
  }

  /// The first video track; a cover is a picture.
  static func video(of container: LibAVContainer) -> String? {
    let stream = container.streams.first {
      $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    }
    guard let parameters = stream?.pointee.codecpar.pointee else { return nil }
    let name = name(of: parameters.codec_id)
    guard parameters.width > 0, parameters.height > 0 else { return name }
    return "\(name), \(parameters.width) x \(parameters.height)"
  }

  private static func name(of id: AVCodecID) -> String {
    avcodec_descriptor_get(id)?.pointee.long_name.map { String(cString: $0) }
      ?? String(cString: avcodec_get_name(id))
  }
}

/// The count and sizes of a track's packets.
struct LibAVPackets {
  private var packets = StorageDescription.Packets()
  private var byteCount = 0
  /// The offset of the first packet in the file, in bytes.
  private(set) var offset: Int?
  /// Whether the first packet is WavPack in hybrid mode, in which the file alone is lossy.
  private(set) var isHybridWavPack = false

  private mutating func add(byteCount size: Int, offset position: Int64) {
    packets.add(byteCount: size)
    byteCount += size
    if let position = Int(exactly: position), position >= 0 {
      offset = min(offset ?? position, position)
    }
  }

  /// Adds the entries of the demuxer's index; `false` if the index is incomplete.
  ///
  /// - Parameters:
  ///   - track: The track whose index it is.
  ///   - isPCM: Whether an entry covers many samples rather than one packet.
  mutating func takeIndex(of track: LibAVTrack, isPCM: Bool) -> Bool {
    var found = LibAVPackets()
    let count = avformat_index_get_entries_count(track.stream)
    for index in 0..<max(0, count) {
      // The sizes are numbers from the file, in 30 bits with a sign.
      guard let entry = avformat_index_get_entry(track.stream, index), entry.pointee.size >= 0
      else { return false }
      found.add(byteCount: Int(entry.pointee.size), offset: entry.pointee.pos)
    }
    // Fragmented files have packets that are not in the index.
    let parameters = track.stream.pointee.codecpar.pointee
    let sampleBits =
      Int(av_get_exact_bits_per_sample(parameters.codec_id))
      * Int(parameters.ch_layout.nb_channels)
    let indexed = isPCM ? found.byteCount * 8 / max(1, sampleBits) : Int(count)
    guard count > 0, Int64(indexed) == track.stream.pointee.nb_frames else { return false }
    self = found
    return true
  }

  /// Reads at most `most` packets of the track, without decoding them.
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
    // PCM has no packets; the demuxer chooses how much to read at a time.
    if isPCM { return }
    facts.packets = packets
    facts.bitRateMode = packets.bitRateMode
  }
}
