internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CLibAV

extension LibAVSource {
  /// Facts about the storage of the track, whose `description` is otherwise complete.
  func storage(
    of input: borrowing InputFile, _ movie: MP4Index?, _ header: ContainerHeader?
  ) throws(AudioFileError) -> StorageDescription {
    let decoder = blocks.decoder
    let parameters = decoder.track.stream.pointee.codecpar.pointee
    var facts = StorageDescription()
    facts.tracks = LibAVTrackList.tracks(of: decoder.container, taken: decoder.track)
    // libavformat omits the titles.
    for (index, track) in (movie?.soundTracks ?? []).enumerated()
    where index < facts.tracks.count {
      facts.tracks[index].title = facts.tracks[index].title ?? track.title
    }
    if parameters.codec_id == AV_CODEC_ID_AAC { facts.profile = profile(parameters.profile) }
    facts.video = LibAVTrackList.video(of: decoder.container)
    if parameters.bits_per_raw_sample > 0, description.sampleFormat != nil {
      facts.bitDepth = Int(parameters.bits_per_raw_sample)
    }
    if parameters.bit_rate > 0 { facts.averageBitRate = Int(parameters.bit_rate) }
    if av_get_exact_bits_per_sample(parameters.codec_id) > 0 {
      facts.bitRateMode = .constant
    } else {
      addTrimming(to: &facts, parameters, header)
    }
    facts.isLossy = try Self.isHybridWavPack(input)
    return facts
  }

  /// The name of an AAC profile: what decoding has shown, otherwise what the configuration declares.
  private func profile(_ number: Int32) -> String? {
    if description.codec.hasPrefix("HE-AAC v2") { return "HEv2" }
    if description.codec.hasPrefix("HE-AAC") { return "HE" }
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

  /// Adds the frames trimmed before and after the audio: by the packet table in CAF, by the ranges in MP4 and
  /// Matroska, otherwise by libavcodec.
  private func addTrimming(
    to facts: inout StorageDescription, _ parameters: AVCodecParameters, _ header: ContainerHeader?
  ) {
    if let header, let coded = header.codedFrames, description.lengthBasis != .estimated {
      facts.delay = header.delay
      facts.padding = max(0, coded &- header.delay &- description.frameCount)
    } else if description.format.container == .mp4, let first = ranges.first,
      let last = ranges.last
    {
      guard description.lengthBasis != .estimated else { return }
      facts.delay = first.lowerBound
      facts.padding = max(0, decodedFrames - last.upperBound)
    } else if description.format.container == .matroska {
      guard let start = ranges.first?.lowerBound, start > 0 else { return }
      facts.delay = start
      facts.padding = Int(parameters.trailing_padding)
    } else if parameters.initial_padding > 0 || parameters.trailing_padding > 0 {
      facts.delay = Int(parameters.initial_padding)
      facts.padding = Int(parameters.trailing_padding)
    }
  }

  /// True for WavPack in hybrid mode, where the file is lossy without its correction file.
  ///
  /// Source: WavPack 4 & 5 Binary File / Block Format, "Block Header": flags at byte 24, bit 3.
  private static func isHybridWavPack(
    _ input: borrowing InputFile
  ) throws(AudioFileError) -> Bool {
    let bytes = try input.bytes(at: ID3Tag.end(of: input), count: 25)
    return bytes.starts(with: Array("wvpk".utf8)) && bytes.count > 24 && bytes[24] & 8 != 0
  }
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
        number: index + 1, codec: LibAVCodecName.name(of: parameters.codec_id),
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
    let name = LibAVCodecName.name(of: parameters.codec_id)
    guard parameters.width > 0, parameters.height > 0 else { return name }
    return "\(name), \(parameters.width) x \(parameters.height)"
  }
}
