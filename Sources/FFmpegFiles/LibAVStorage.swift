package import AudioContainers
package import AudioIO
internal import AudioModel
internal import CLibAV

extension LibAVReader {
  /// How the track that is read is stored; see ``AudioFiles/storage(of:as:countsPackets:)``.
  package func storage(
    of input: borrowing InputFile, countsPackets: Bool
  ) throws(AudioFileError) -> StorageDescription {
    let decoder = opened.blocks.decoder
    let stream = decoder.track.stream.pointee
    let parameters = stream.codecpar.pointee
    var facts = StorageDescription(container: source.format.containerName)
    facts.tracks = LibAVTrackList.tracks(of: decoder.container, taken: decoder.track)
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
      let header = try ContainerHeader.read(input, format: source.format)
    {
      facts.audioOffset = header.audioOffset
      facts.audioByteCount = header.availableBytes(fileSize: input.size)
      try ContainerStorage.addPacketTable(to: &facts, input, header)
    }
    return facts
  }

  /// The track's own rate, or the file's where it is the only one.
  private static func declaredBitRate(
    _ decoder: LibAVDecoder, _ parameters: AVCodecParameters, trackCount: Int
  ) -> Int? {
    if parameters.bit_rate > 0 { return Int(parameters.bit_rate) }
    let whole = decoder.container.pointer.pointee.bit_rate
    return decoder.container.streams.count == 1 && whole > 0 ? Int(whole) : nil
  }

  /// What is cut off before and behind the audio: by this project in MP4, else by libavcodec.
  private func addTrimming(to facts: inout StorageDescription, _ parameters: AVCodecParameters) {
    if opened.opening.keepsPriming, let first = opened.ranges.first, let last = opened.ranges.last {
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
  /// Whether the demuxer keeps an index of every packet, rather than of some to seek to.
  fileprivate var hasIndex: Bool { names.contains("mov") }
}

/// The tracks of audio in a container.
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

  private static func name(of id: AVCodecID) -> String {
    avcodec_descriptor_get(id)?.pointee.long_name.map { String(cString: $0) }
      ?? String(cString: avcodec_get_name(id))
  }
}

/// How long a track is by what its container says roughly.
enum LibAVEstimate {
  /// Frames by the duration of the track or of the container; `nil` where neither tells one.
  static func frames(
    _ input: borrowing InputFile, _ decoder: LibAVDecoder
  ) throws(AudioFileError) -> Int? {
    guard let rate = decoder.block?.sampleRate else { return nil }
    // CAF's packet table tells the frames, which libavformat leaves out.
    if decoder.container.demuxerNames.first == "caf",
      let frames = try CAFHeader.read(input).declaredFrames, frames > 0
    {
      return frames
    }
    let stream = decoder.track.stream.pointee
    if stream.duration > 0, stream.time_base.den > 0 {
      let base = Double(stream.time_base.num) / Double(stream.time_base.den)
      return frames(seconds: Double(stream.duration) * base, rate)
    }
    let duration = decoder.container.pointer.pointee.duration
    return duration > 0 ? frames(seconds: Double(duration) / Double(AV_TIME_BASE), rate) : nil
  }

  private static func frames(seconds: Double, _ rate: Int) -> Int? {
    let frames = (seconds * Double(rate)).rounded()
    return frames >= 1 ? Int(exactly: frames) : nil
  }
}
