internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CLibAV
internal import SystemPackage

/// A track opened with FFmpeg's libraries, with its length and layout determined.
struct LibAVSource {
  private(set) var description: SourceDescription
  /// The track, opened at its start; its first block is decoded.
  let blocks: LibAVDecodedBlocks
  /// The decoded frames that are the audio, in order.
  let ranges: [Range<Int>]
  /// The number of frames that decoding must yield, if the container declares it.
  let declaredFrames: Int?
  /// The number of frames that decoding yields, before encoder delay and padding are trimmed.
  let decodedFrames: Int
  /// The parameters with which the track was opened.
  let opening: LibAVDecodedBlocks.Opening
  /// True when samples after a seek to a distant frame may differ from the samples of sequential decoding.
  private let seeksNearby: Bool
  private let encoding: LibAVEncoding

  /// `holding` returns the row of the table for lossless or lossy audio, with FFmpeg's name of the format.
  init(
    _ input: borrowing InputFile, format: AudioFormat,
    holding: (_ isLossless: Bool, _ formatName: String) -> AudioFormat, _ options: ReadingOptions
  ) throws(AudioFileError) {
    let (number, salvaging) = (options.track, options.salvages)
    guard let probe = try LibAVProbe(input) else { throw .notAudio(input.path) }
    var opening = LibAVDecodedBlocks.Opening(
      probe: probe, trackNumber: number, salvaging: salvaging)
    // The end of an ADTS stream is found only by scanning all frames.
    opening.walks = options.estimates != .ofAnyPass || probe.names.first != "aac"
    let movie = probe.names.contains("mov") ? try Self.movie(input) : nil
    let header = try format.container.header?(input)
    var damage: AudioFileError?
    if let movie {
      damage = movie.isTruncated ? .truncated(input.path, expected: nil, found: nil) : nil
    } else {
      damage =
        opening.walks ? try LibAVExtent.damage(input, demuxer: probe.names.first, header) : nil
    }
    try LibAVEncryption.check(input, demuxer: probe.names, track: number, movie: movie)
    if options.estimates == .none,
      let offset = try LibAVExtent.passedDamage(in: input, demuxer: probe.names.first)
    {
      damage = .malformed(
        input.path, reason: "from byte \(offset) on, packets are damaged or missing")
      if options.endsAtDamage { opening.end = offset }
    }
    if let damage, !options.toleratesDamage {
      let lenient = LibAVDecodedBlocks.Opening(probe: probe, trackNumber: number, salvaging: true)
      do throws(AudioFileError) {
        _ = try Self.open(input, lenient, header)
      } catch .truncated(let path, _, found: 0) {
        // Salvaging would find nothing.
        throw .truncated(path, expected: nil, found: 0)
      } catch {}
      throw damage
    }
    let (properties, length, unused) = try Self.measure(
      input, opening, movie, header, options)
    if let promised = length.missed, !options.toleratesDamage {
      throw .truncated(input.path, expected: promised, found: length.decoded)
    }
    if let unused { blocks = unused } else { blocks = try Self.open(input, opening, header) }
    ranges = length.ranges
    declaredFrames = salvaging ? nil : properties.declaredFrames
    decodedFrames = length.decoded
    self.opening = opening
    seeksNearby = options.seeksNearby
    let seconds = properties.spec.seconds(frames: length.frameCount)
    let delay: Double
    if let movie {
      // Recordings that keep their times begin with the first of their tracks.
      delay = length.delay > seconds ? max(0, length.delay - movie.firstDelay) : length.delay
    } else {
      delay = try LibAVTimeline.delay(
        of: blocks.decoder, input, probe, properties.encoding,
        codecDelay: Double(properties.delay) / Double(properties.spec.sampleRate),
        length: seconds)
    }
    let tags = try Self.tags(
      of: input, blocks.decoder, movie, header, format: format,
      sampleRate: properties.spec.sampleRate, delay: delay)
    let encoding = properties.encoding
    self.encoding = encoding
    let ending =
      opening.walks ? try Self.warnings(aboutEndOf: input, demuxer: probe.names.first) : []
    description = SourceDescription(
      spec: properties.spec, frameCount: length.frameCount,
      format: holding(encoding.sampleFormat != nil, probe.longName),
      codec: encoding.name, codecKind: encoding.codec, sampleFormat: encoding.sampleFormat,
      bitRate: properties.bitRate ?? length.bitRate(properties), metadata: tags.metadata,
      warnings: (properties.warnings + length.warnings(properties, isTruncated: damage != nil)
        + Self.warnings(aboutStartOf: blocks.decoder)
        + (movie?.warnings ?? []) + ending + tags.warnings).map(AudioWarning.source),
      notCarried: tags.notCarried, lengthBasis: length.basis)
    description.delay = delay
    description.storage = try storage(of: input, movie, header)
  }

  /// The way to find distant frames; `nil` if only decoding from the start finds them.
  var seeking: LibAVSeeking? {
    if !opening.salvaging, description.lengthBasis != .estimated,
      let index = LibAVPacketIndex(
        blocks.decoder, encoding, decodedFrames: decodedFrames, seeksNearby: seeksNearby)
    {
      return .index(index)
    }
    return seeksNearby ? blocks.decoder.seekingWithoutIndex : nil
  }

  /// The index of an MP4 file; throws if the file has none, or has no room for what it declares.
  private static func movie(_ input: borrowing InputFile) throws(AudioFileError) -> MP4Index {
    let movie = try MP4Index(input)
    if let damage = movie.damage { throw .malformed(input.path, reason: damage) }
    if movie.hasMovie { return movie }
    throw .malformed(
      input.path,
      reason: "it has no index (moov): its recording was not finished, or its end is missing")
  }

  /// Determines the properties and length of a track. Returns the opened track if it was not decoded.
  ///
  /// Holding two indices of a long file at once would double the memory.
  private static func measure(
    _ input: borrowing InputFile, _ opening: LibAVDecodedBlocks.Opening, _ movie: MP4Index?,
    _ header: ContainerHeader?, _ options: ReadingOptions
  ) throws(AudioFileError) -> (LibAVProperties, LibAVLength, LibAVDecodedBlocks?) {
    let blocks = try open(input, opening, header)
    let properties = try LibAVProperties(
      blocks, movie, header, delay: try codecDelay(input, blocks.decoder))
    let mayEstimate =
      switch options.estimates {
      case .none: false
      case .ofDecoding: !options.salvages
      case .ofAnyPass: !options.salvages && properties.startIsKnown
      }
    let estimate = mayEstimate ? try LibAVEstimate.frames(input, blocks.decoder) : nil
    let length = try LibAVLength(
      input, blocks, properties, options, estimate: estimate)
    return (properties, length, length.basis == .counted ? nil : blocks)
  }

  /// The encoder delay in frames that Matroska states for a track; 0 for other containers.
  private static func codecDelay(
    _ input: borrowing InputFile, _ decoder: LibAVDecoder
  ) throws(AudioFileError) -> Int {
    guard decoder.container.demuxerNames.contains("matroska"), let block = decoder.block,
      let index = decoder.container.audioStreams.firstIndex(of: decoder.track.stream),
      case let delays = try MatroskaTracks.codecDelays(of: input), index < delays.count,
      case let seconds = Double(delays[index]) * 1e-9, seconds < Self.longestDelay
    else { return 0 }
    return Int((seconds * Double(block.sampleRate)).rounded())
  }

  /// A longer encoder delay is not plausible, in seconds.
  private static let longestDelay = 10.0

  /// Opens a track and decodes its first block.
  private static func open(
    _ input: borrowing InputFile, _ opening: LibAVDecodedBlocks.Opening, _ header: ContainerHeader?
  ) throws(AudioFileError) -> LibAVDecodedBlocks {
    let blocks = try LibAVDecodedBlocks(input, opening)
    // Chunks of RIFF have no sizes of packets, so AAC in them needs headers of its own: ADTS, or LOAS.
    if let header, header.waveFormat != nil,
      blocks.decoder.track.stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_AAC,
      case let first = try input.bytes(at: header.audioOffset, count: 2).bigEndianValue,
      first & 0xFFF6 != 0xFFF0, first & 0xFFE0 != 0x56E0
    {
      throw .unsupported(
        input.path, reason: "its AAC has no ADTS headers, so its frames cannot be located")
    }
    guard try blocks.next() != nil else {
      if let reason = blocks.lostEverything { throw blocks.decoder.lack(reason) }
      let packets = avformat_index_get_entries_count(blocks.decoder.track.stream)
      if blocks.isDamaged || packets > 0 {
        throw .truncated(input.path, expected: nil, found: 0)
      }
      throw .malformed(input.path, reason: "its audio track is empty")
    }
    return blocks
  }

  /// Warnings about data after the last frame, or about missing data.
  private static func warnings(
    aboutEndOf input: borrowing InputFile, demuxer: String?
  ) throws(AudioFileError) -> [String] {
    switch demuxer {
    case "aac":
      let tail = try ADTSTail(of: input)
      var warnings: [String] = []
      if tail.gapBytes > 0 {
        warnings.append("\(tail.gapBytes) bytes before or between frames are not audio")
      }
      if let junk = tail.junkOffset { warnings.append(junkWarning(junk)) }
      return warnings
    case "voc":
      return try VOCBlocks(of: input).repeats
        ? ["its blocks that are to be repeated are read once"] : []
    case "ogg": return try OggStreamEnd(of: input)?.isOpen == true ? [OggStreamEnd.openWarning] : []
    default: return []
    }
  }

  private static func warnings(aboutStartOf decoder: LibAVDecoder) -> [String] {
    guard decoder.splitBytes > 0 else { return [] }
    return [
      "the file starts in the middle of a frame, so it was probably split; skipped \(decoder.splitBytes) bytes"
    ]
  }

  private static func junkWarning(_ offset: Int) -> String {
    "the bytes from \(offset) on, after the last frame, are not audio"
  }

  /// The metadata of a track, with `delay` seconds before its first frame.
  ///
  /// The tags of most of these containers are read completely; libavformat reads the others, and all chapters outside MP4.
  private static func tags(
    of input: borrowing InputFile, _ decoder: LibAVDecoder, _ movie: MP4Index?,
    _ header: ContainerHeader?, format: AudioFormat, sampleRate: Int, delay: Double
  ) throws(AudioFileError) -> TagContents {
    let audio = decoder.container.streams.filter {
      $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    }
    let reading = TagReading(
      sampleRate: sampleRate, audioTrack: audio.firstIndex { $0 == decoder.track.stream } ?? 0,
      delay: delay)
    let container = movie.map { AudioFormat.Container.mp4(of: $0) } ?? format.container
    var tags = try TagReader.read(input, in: container, reading)
    var others = TagContents()
    others.metadata = LibAVTags.metadata(
      of: decoder.container, decoder.track, sampleRate: sampleRate, delay: delay)
    // The names of some fields differ, so these fields would occur twice.
    if !tags.metadata.comments.isEmpty { others.metadata.comments = [] }
    if movie != nil { others.metadata.chapters = [] }
    tags.complete(with: others)
    if delay != 0 { tags.metadata.moveTimedTexts(earlierBy: delay) }
    if let header {
      let marks = try MarkReader.read(input, header, form: format.metadata)
      tags.metadata = marks.added(to: tags.metadata)
      marks.lost.forEach { tags.note($0) }
      tags.warnings += marks.warnings
      UnsupportedChunks.losses(in: header, of: format.metadata, besides: marks.foreignChunks)
        .forEach { tags.note($0) }
    }
    return tags
  }
}

/// The properties of a track according to its headers and its first block.
struct LibAVProperties {
  let spec: AudioSpec
  let encoding: LibAVEncoding
  let warnings: [String]
  /// The bit rate of a lossy track in bits per second, if the container states it.
  let bitRate: Int?
  /// The number of frames that decoding must yield, if the container declares it to the frame.
  let declaredFrames: Int?
  /// The encoder delay in frames that Matroska states; 0 for other containers.
  let delay: Int
  /// The frames of the first block that was decoded.
  private let blockFrames: Int
  private let movie: MP4Index?
  /// The header of a container that libsndfile also reads.
  private let header: ContainerHeader?
  /// The track's part of the movie.
  private let part: MP4IndexTrack?
  /// True when the first packet has a duration but decodes to no frames.
  private let isFirstPacketSilent: Bool
  /// The content of an `iTunSMPB` tag.
  private let gapless: String?

  init(
    _ blocks: LibAVDecodedBlocks, _ movie: MP4Index?, _ header: ContainerHeader?, delay: Int
  ) throws(AudioFileError) {
    self.delay = delay
    let decoder = blocks.decoder
    let track = decoder.track
    guard let block = decoder.block else {
      throw .malformed(decoder.container.path, reason: "its audio track is empty")
    }
    var warnings = track.warnings
    let parameters = track.stream.pointee.codecpar.pointee
    isFirstPacketSilent = parameters.codec_id == AV_CODEC_ID_VORBIS
    let encoding = LibAVEncoding(track, block, profile: decoder.profile)
    self.encoding = encoding
    let part = movie?.tracks[Int(track.stream.pointee.id)]
    self.part = part
    // Other codecs have an order of their own, which libavcodec changes. Layouts in files that FFmpeg wrote have
    // FFmpeg's meaning.
    let encoder = LibAVTags.value("encoder", of: decoder.container) ?? ""
    let given = encoding.isPCM && !encoder.hasPrefix("Lavf") ? part?.coreAudioLayout : nil
    let layout =
      given.flatMap {
        CoreAudioLayout.layout($0, channelCount: block.channelCount, isWrittenByLavf: false)
      } ?? LibAVLayout.layout(block.layout, warnings: &warnings)
    self.warnings = warnings
    spec = AudioSpec(sampleRate: block.sampleRate, layout: layout)
    bitRate = encoding.isLossy && parameters.bit_rate > 0 ? Int(parameters.bit_rate) : nil
    self.movie = movie
    self.header = header
    blockFrames = block.frameCount
    gapless = LibAVTags.value("iTunSMPB", of: decoder.container)
    let isExact = !encoding.isLossy
    let isPCM = encoding.isPCM
    let indexed = part.flatMap {
      MP4Timing.decodedFrames(
        $0, sampleRate: block.sampleRate, blockFrames: block.frameCount,
        isExact: isExact, isPCM: isPCM)
    }
    declaredFrames =
      encoding.hasPauses
      ? nil : indexed ?? Self.headerFrames(decoder, sampleRate: block.sampleRate)
  }

  /// The number of frames that the container declares, and how many of them decoding may miss.
  var promise: (frames: Int, tolerance: Int)? {
    // Packets of CAF; the last may be short.
    if let frames = header?.codedFrames {
      return (frames, max(header?.framesPerBlock ?? 0, blockFrames))
    }
    guard let part, let movie else { return nil }
    return MP4Timing.promisedFrames(part, movie, sampleRate: spec.sampleRate)
  }

  /// True when the first frame of the audio does not depend on the number of decoded frames.
  var startIsKnown: Bool {
    gapless == nil && (header?.codedFrames.map { extent(decoded: $0) != nil } ?? true)
  }

  /// The part of `decoded` frames that is audio, and its place in time; `nil` if this is not MP4.
  func timing(decoded: Int) -> MP4Timing? {
    part.map {
      MP4Timing(
        $0, movieTimescale: movie?.timescale ?? 0, sampleRate: spec.sampleRate, decoded: decoded,
        isFirstPacketSilent: isFirstPacketSilent, gapless: gapless)
    }
  }

  /// The part of `decoded` frames that is audio according to CAF's packet table; `nil` if the table is missing or
  /// implausible.
  func extent(decoded: Int) -> Range<Int>? {
    guard let header, header.codedFrames != nil, let frames = header.declaredFrames, frames > 0,
      header.delay >= 0,
      header.bytesPerFrame == nil
    else { return nil }
    let (end, overflows) = header.delay.addingReportingOverflow(frames)
    guard !overflows, end <= decoded else { return nil }
    // A larger difference means a wrong number.
    let block = max(header.framesPerBlock ?? 0, blockFrames)
    return decoded - end <= block ? header.delay..<end : nil
  }

  /// Demuxers of lossless formats whose header counts the frames.
  private static let counting: Set = ["ape", "wv", "tta", "tak"]

  private static func headerFrames(_ decoder: LibAVDecoder, sampleRate: Int) -> Int? {
    let stream = decoder.track.stream.pointee
    guard counting.contains(decoder.container.demuxerNames.first ?? ""), stream.duration > 0,
      stream.time_base.num == 1, Int(stream.time_base.den) == sampleRate
    else { return nil }
    return Int(exactly: stream.duration)
  }
}
