internal import AudioIO
internal import AudioModel
internal import CLibAV
internal import SystemPackage

/// An audio track of a container.
struct LibAVTrack {
  let stream: UnsafeMutablePointer<AVStream>
  let decoder: UnsafePointer<AVCodec>
  /// Warnings about the choice of track.
  let warnings: [String]

  /// Selects the track with a number counted from 1, or the first that can be decoded.
  init(of container: LibAVContainer, number: Int?) throws(AudioFileError) {
    let tracks = container.audioStreams
    let path = container.path
    guard let first = tracks.first else {
      if let codec = container.unknownCodec { throw Self.lack(of: codec, path) }
      throw .unsupported(
        path, reason: "it has no audio track\(container.holdsVideo ? ", only video" : "")",
        remedy: .act("name a file with sound"))
    }
    var warnings: [String] = []
    if let number {
      guard tracks.indices.contains(number - 1) else {
        throw .unsupported(
          path,
          reason: "there is no audio track \(number), only \(tracks.count)",
          remedy: .set(.track, to: "from 1 to \(tracks.count)"))
      }
      stream = tracks[number - 1]
    } else {
      stream = tracks.first { Self.decoder(of: $0) != nil } ?? first
      if tracks.count > 1 {
        let place = 1 + (tracks.firstIndex(of: stream) ?? 0)
        warnings.append(
          "it has \(tracks.count) audio tracks; track \(place) is converted, and others can be "
            + "selected by number")
      }
    }
    if Self.isEncrypted(stream) {
      throw LibAVEncryption.error(path)
    }
    guard let decoder = Self.decoder(of: stream) else {
      // The blocks of samples in VOC state the encoding.
      if container.demuxerNames.first == "voc",
        stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_NONE
      {
        throw .unsupported(
          path, reason: "it has a header and no samples",
          remedy: .act("name a file with sound"))
      }
      throw Self.lack(
        of: LibAVCodecName.name(of: stream) ?? container.unknownCodec ?? "a codec without a name",
        path)
    }
    self.decoder = decoder
    self.warnings = warnings
  }

  /// Returns true if an encoded frame can begin at the start of a packet, and for codecs whose packets do not show it.
  func mayBegin(at packet: AVPacket) -> Bool {
    guard packet.size >= 4, let data = packet.data else { return true }
    let bytes = UnsafeBufferPointer(start: data, count: 4)
    switch stream.pointee.codecpar.pointee.codec_id {
    case AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3:
      return bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0
    case AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3: return bytes.starts(with: [0x0B, 0x77])
    default: return true
    }
  }

  /// True when packets show where frames begin.
  var showsFrames: Bool {
    [
      AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3, AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3,
    ].contains(stream.pointee.codecpar.pointee.codec_id)
  }

  /// The error for a codec without a decoder.
  private static func lack(of codec: String, _ path: FilePath) -> AudioFileError {
    .unsupported(
      path, reason: "its audio is \(codec), which cannot be decoded here",
      remedy: .act("convert it to WAV or FLAC with a program that decodes it"))
  }

  private static func decoder(
    of stream: UnsafeMutablePointer<AVStream>
  ) -> UnsafePointer<AVCodec>? {
    guard let decoder = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id) else {
      return nil
    }
    // FFmpeg's experimental decoders, such as Sonic's, may not read the same files in later versions.
    return decoder.pointee.capabilities & AV_CODEC_CAP_EXPERIMENTAL == 0 ? decoder : nil
  }

  /// Returns true if the sample description is for encrypted audio: iTunes, Common Encryption, Audible.
  private static func isEncrypted(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    let tag = stream.pointee.codecpar.pointee.codec_tag
    return ["drms", "enca", "aavd"].contains { name in
      name.utf8.littleEndianValue == UInt64(tag)
    }
  }
}

/// The names of codecs that libavcodec does not decode.
enum LibAVCodecName {
  /// The display name of a codec: one for all containers and libraries, or that of libavcodec.
  static func name(of id: AVCodecID) -> String {
    if let name = names[id.rawValue] { return name }
    let short = String(cString: avcodec_get_name(id))
    let bits = av_get_exact_bits_per_sample(id)
    if bits > 0, let match = short.wholeMatch(of: /pcm_([suf])[0-9].*/) {
      return "PCM \(bits)-bit" + (match.1 == "f" ? " float" : "")
    }
    return avcodec_descriptor_get(id)?.pointee.long_name.map { String(cString: $0) } ?? short
  }

  /// The names that other libraries have for these.
  private static let names: [UInt32: String] = Dictionary(
    uniqueKeysWithValues: [
      (AV_CODEC_ID_MP1, "MPEG layer I"), (AV_CODEC_ID_MP2, "MPEG layer II"),
      (AV_CODEC_ID_MP3, "MP3"), (AV_CODEC_ID_FLAC, "FLAC"), (AV_CODEC_ID_OPUS, "Opus"),
      (AV_CODEC_ID_VORBIS, "Vorbis"), (AV_CODEC_ID_PCM_ALAW, "A-Law"),
      (AV_CODEC_ID_PCM_MULAW, "U-Law"), (AV_CODEC_ID_GSM, "GSM 6.10"),
      (AV_CODEC_ID_GSM_MS, "GSM 6.10"), (AV_CODEC_ID_ADPCM_MS, "Microsoft ADPCM"),
      (AV_CODEC_ID_ADPCM_IMA_WAV, "IMA ADPCM"), (AV_CODEC_ID_ADPCM_IMA_QT, "IMA ADPCM"),
    ].map { ($0.0.rawValue, $0.1) })

  /// Names of the sample descriptions of MP4: mp4ra.org/registered-types/codecs.
  private static let tags = [
    "ac-4": "AC-4", "mha1": "MPEG-H 3D Audio", "mha2": "MPEG-H 3D Audio",
    "mhm1": "MPEG-H 3D Audio", "mhm2": "MPEG-H 3D Audio", "dtsx": "DTS:X", "dtsy": "DTS:X",
    "iamf": "IAMF", "sawb": "AMR-WB+", "sawp": "AMR-WB+", "ssmv": "SMV", "Qclq": "QCELP",
  ]

  /// The name of the codec, or the four characters of its sample description; `nil` if it has neither.
  static func name(of stream: UnsafeMutablePointer<AVStream>) -> String? {
    let parameters = stream.pointee.codecpar.pointee
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: parameters.codec_tag >> (8 * $0)) }
    let tag =
      bytes.allSatisfy { (0x20..<0x7F).contains($0) } ? String(decoding: bytes, as: UTF8.self) : nil
    if let tag, let name = tags[tag] { return name }
    if avcodec_descriptor_get(parameters.codec_id) != nil {
      return name(of: parameters.codec_id)
    }
    return tag.map { "`\($0)`" }
  }
}

/// Conversion of libavcodec's channel layouts.
enum LibAVLayout {
  /// The layout of interleaved frames; unspecified, with a warning, if it has unsupported speakers.
  static func layout(_ layout: AVChannelLayout, warnings: inout [String]) -> ChannelLayout {
    let count = Int(layout.nb_channels)
    switch layout.order {
    case AV_CHANNEL_ORDER_UNSPEC:
      return .assumed(channelCount: count)
    case AV_CHANNEL_ORDER_NATIVE:
      // libavutil numbers the first 18 positions as WAVE does.
      if let mask = UInt32(exactly: layout.u.mask),
        let known = ChannelLayout(mask: mask, channelCount: count)
      {
        return known
      }
      // A stereo downmix (`DL DR`) is treated as stereo.
      if count == 2 { return .stereo }
    case AV_CHANNEL_ORDER_CUSTOM:
      if let known = custom(layout, count: count) { return known }
    default:
      break
    }
    warnings.append(
      "its channel layout (\(name(of: layout))) is not supported; "
        + "its \(count) channels are kept in their order, their positions are not")
    return .unspecified(count)
  }

  private static func custom(_ layout: AVChannelLayout, count: Int) -> ChannelLayout? {
    guard let map = layout.u.map else { return nil }
    var speakers: [Speaker] = []
    for index in 0..<count {
      guard let number = UInt8(exactly: map[index].id.rawValue),
        let speaker = Speaker(rawValue: number)
      else { return nil }
      speakers.append(speaker)
    }
    return ChannelLayout(speakers)
  }

  private static func name(of layout: AVChannelLayout) -> String {
    var layout = layout
    var buffer = [CChar](repeating: 0, count: 256)
    av_channel_layout_describe(&layout, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension LibAVTrack {
  /// A duration in the track's time base, in frames at a sample rate; 0 if it is unknown or exceeds an hour.
  func frames(of time: Int64, rate: Int) -> Int {
    guard time > 0 else { return 0 }
    let base = stream.pointee.time_base
    let frames = Double(time) * Double(base.num) / Double(max(1, base.den)) * Double(rate)
    return frames < Double(3600 * rate) ? Int(frames.rounded()) : 0
  }

  /// Returns true for a packet of zeros that pad a Wave64 chunk to a multiple of 8 bytes, which ffmpeg counts as audio.
  static func isPadding(_ packet: AVPacket) -> Bool {
    guard packet.size < 8, let data = packet.data else { return false }
    return UnsafeBufferPointer(start: data, count: Int(packet.size)).allSatisfy { $0 == 0 }
  }

  /// Drops such zeros after the blocks of a Windows Media packet.
  func leaveOutPadding(of packet: UnsafeMutablePointer<AVPacket>) {
    let parameters = stream.pointee.codecpar.pointee
    guard [AV_CODEC_ID_WMAV1, AV_CODEC_ID_WMAV2].contains(parameters.codec_id),
      parameters.block_align > 8, let data = packet.pointee.data
    else { return }
    let rest = packet.pointee.size % parameters.block_align
    let blocks = packet.pointee.size - rest
    guard blocks > 0, (1..<8).contains(rest),
      UnsafeBufferPointer(start: data + Int(blocks), count: Int(rest)).allSatisfy({ $0 == 0 })
    else { return }
    packet.pointee.size = blocks
  }
}
