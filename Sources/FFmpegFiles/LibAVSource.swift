internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import AudioTags
internal import CLibAV
internal import SystemPackage

/// A track opened through FFmpeg's libraries, with its length and layout found out.
struct LibAVSource {
  let description: SourceDescription
  /// The track, opened at its beginning; its first block is decoded.
  let blocks: LibAVBlockSource
  /// The decoded frames that are the audio, in order.
  let ranges: [Range<Int>]
  /// The frames that decoding must give, where the container promises it.
  let promisedFrames: Int?
  /// The frames that decoding gives, before the encoder's delay and padding are cut off.
  let decodedFrames: Int
  /// How the track was opened.
  let opening: LibAVBlockSource.Opening

  init(
    _ input: borrowing InputFile, format: AudioFormat, track number: Int?, salvaging: Bool,
    estimating: Bool = false
  ) throws(AudioFileError) {
    guard let probe = try LibAVProbe(input) else { throw .notAudio(input.path) }
    let opening = LibAVBlockSource.Opening(
      probe: probe, trackNumber: number, salvaging: salvaging)
    let movie = probe.names.contains("mov") ? try Self.movie(input) : nil
    var isCut = movie?.isCut ?? false
    if movie == nil { isCut = try LibAVExtent.isCut(input, demuxer: probe.names) }
    if isCut && !salvaging { throw .truncated(input.path, expected: nil, found: nil) }
    let (facts, length, unused) = try Self.measure(
      input, opening, movie, estimating: estimating && !salvaging)
    if let unused { blocks = unused } else { blocks = try Self.open(input, opening) }
    ranges = length.ranges
    promisedFrames = length.promised
    decodedFrames = length.decoded
    self.opening = opening
    let frameCount = length.ranges.reduce(0) { $0 + $1.count }
    var warnings = facts.warnings
    if isCut || length.isDamaged {
      warnings.append(
        SalvageReport(
          decoded: frameCount - length.silentFrames, silent: length.silentFrames,
          declared: length.declared, sampleRate: facts.spec.sampleRate
        ).text)
    }
    if length.pausedFrames > 0 {
      warnings.append(
        "\(length.pausedFrames) frames of pauses, which its encoder left to comfort noise, "
          + "are silent")
    }
    let encoding = facts.encoding
    // TagLib knows the tags of most of these containers to the last field; libavformat knows the others.
    var tags = try TagReader.read(input, sampleRate: facts.spec.sampleRate)
    var told = TagContents()
    told.metadata = LibAVTags.metadata(
      of: blocks.decoder.container, blocks.decoder.track, sampleRate: facts.spec.sampleRate,
      delay: length.delay)
    // The two have other names for some fields, which would stand there twice.
    if !tags.metadata.comments.isEmpty { told.metadata.comments = [] }
    tags.complete(with: told)
    if format.container == .caf,
      let header = try ContainerHeader.read(input, format: format)
    {
      let marks = try MarkReader.read(input, header, format: format)
      tags.metadata = marks.added(to: tags.metadata)
      marks.lost.forEach { tags.note($0) }
      tags.warnings += marks.warnings
    }
    description = SourceDescription(
      spec: facts.spec, frameCount: frameCount,
      format: format.holding(
        isLossless: encoding.sampleFormat != nil, formatName: probe.longName),
      codec: encoding.name, sampleFormat: encoding.sampleFormat,
      bitRate: facts.bitRate ?? length.bitRate(facts),
      metadata: tags.metadata, warnings: warnings + tags.warnings,
      notCarried: tags.notCarried, lengthBasis: length.basis)
  }

  /// What an MP4 file says of time; an error where it does not say what is in it.
  private static func movie(_ input: borrowing InputFile) throws(AudioFileError) -> MP4Index {
    let movie = try MP4Index(input)
    if movie.hasMovie { return movie }
    throw .malformed(
      input.path,
      reason: "it has no index (moov): its recording was not finished, or its end is missing")
  }

  /// Finds out what a track is; where it need not be decoded for that, it is handed on as opened.
  ///
  /// Two indices of a long file at a time would take twice the memory.
  private static func measure(
    _ input: borrowing InputFile, _ opening: LibAVBlockSource.Opening, _ movie: MP4Index?,
    estimating: Bool
  ) throws(AudioFileError) -> (Facts, Length, LibAVBlockSource?) {
    let blocks = try open(input, opening)
    let facts = try Facts(blocks, movie)
    let estimate = estimating ? try LibAVEstimate.frames(input, blocks.decoder) : nil
    let length = try Length(
      blocks, facts, isSalvaging: opening.salvaging, estimate: estimate)
    return (facts, length, length.needsNewPass ? nil : blocks)
  }

  /// Opens a track and decodes its first block.
  private static func open(
    _ input: borrowing InputFile, _ opening: LibAVBlockSource.Opening
  ) throws(AudioFileError) -> LibAVBlockSource {
    let blocks = try LibAVBlockSource(input, opening)
    guard try blocks.next() != nil else {
      if blocks.isDamaged { throw .truncated(input.path, expected: nil, found: 0) }
      throw .malformed(input.path, reason: "there is no sound in its audio track")
    }
    return blocks
  }

  // MARK: Facts

  /// What the header and the first block tell.
  private struct Facts {
    let spec: AudioSpec
    let encoding: LibAVEncoding
    var warnings: [String]
    /// Bits per second, where the container tells.
    let bitRate: Int?
    /// The frames of the first block.
    let blockFrames: Int
    let movie: MP4Index?
    /// The track's part of the movie.
    let part: MP4IndexTrack?
    /// The content of an `iTunSMPB` tag.
    let gapless: String?
    /// The length that the header tells to the frame.
    let headerFrames: Int?

    init(_ blocks: LibAVBlockSource, _ movie: MP4Index?) throws(AudioFileError) {
      let track = blocks.decoder.track
      guard let block = blocks.decoder.block else {
        throw .malformed(blocks.decoder.container.path, reason: "there is no sound in it")
      }
      var warnings = track.warnings
      let layout = LibAVLayout.layout(block.layout, warnings: &warnings)
      spec = AudioSpec(sampleRate: block.sampleRate, layout: layout)
      encoding = LibAVEncoding(track, block)
      let parameters = track.stream.pointee.codecpar.pointee
      let isLossy = encoding.sampleFormat == nil && !encoding.isPCM
      bitRate = isLossy && parameters.bit_rate > 0 ? Int(parameters.bit_rate) : nil
      blockFrames = block.frameCount
      self.movie = movie
      part = movie?.tracks[Int(track.stream.pointee.id)]
      gapless = LibAVTags.value("iTunSMPB", of: blocks.decoder.container)
      headerFrames = Self.headerFrames(blocks.decoder, sampleRate: block.sampleRate)
      self.warnings = warnings
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

  // MARK: Length

  /// How long the track is: as its container promises, or as decoding it shows.
  private struct Length {
    let ranges: [Range<Int>]
    /// The frames that decoding must give, where the container promises it.
    let promised: Int?
    /// Whether the blocks were used up by counting.
    let needsNewPass: Bool
    /// The frames that decoding gives.
    let decoded: Int
    let basis: SourceDescription.LengthBasis
    let delay: Double
    let isDamaged: Bool
    let silentFrames: Int
    let pausedFrames: Int
    /// The frames that the container declares, where it does.
    let declared: Int?
    private let packetBytes: Int

    init(
      _ blocks: LibAVBlockSource, _ facts: Facts, isSalvaging: Bool, estimate: Int?
    ) throws(AudioFileError) {
      let rate = facts.spec.sampleRate
      let isExact = facts.encoding.isPCM || facts.encoding.sampleFormat != nil
      let mayPromise = !facts.encoding.hasPauses
      let promise =
        !mayPromise
        ? nil
        : facts.part.flatMap {
          MP4Timing.decodedFrames(
            $0, sampleRate: rate, blockFrames: facts.blockFrames, isExact: isExact)
        } ?? facts.headerFrames
      needsNewPass = promise ?? estimate == nil || isSalvaging
      if needsNewPass {
        while try blocks.next() != nil {}
        decoded = blocks.decoder.decodedFrames + blocks.silentFrames
      } else {
        decoded = promise ?? estimate ?? 0
      }
      basis = needsNewPass ? .counted : promise == nil ? .estimated : .declared
      promised = isSalvaging ? nil : promise
      packetBytes = needsNewPass ? blocks.decoder.packetBytes : 0
      silentFrames = blocks.silentFrames
      pausedFrames = blocks.decoder.pausedFrames
      func mp4Timing(_ decoded: Int) -> MP4Timing? {
        facts.part.map {
          MP4Timing(
            $0, movieTimescale: facts.movie?.timescale ?? 0, sampleRate: rate, decoded: decoded,
            gapless: facts.gapless)
        }
      }
      let timing = mp4Timing(decoded)
      ranges = timing?.ranges ?? [0..<decoded]
      delay = timing?.delay ?? 0
      let whole = promise.map { mp4Timing($0)?.ranges ?? [0..<$0] }
      declared = whole.map { $0.reduce(0) { $0 + $1.count } }
      isDamaged = blocks.isDamaged || isSalvaging && decoded < promise ?? 0
    }

    /// Bits per second of a lossy track that was counted.
    func bitRate(_ facts: Facts) -> Int? {
      let frames = ranges.reduce(0) { $0 + $1.count }
      guard packetBytes > 0, frames > 0, facts.encoding.sampleFormat == nil, !facts.encoding.isPCM
      else { return nil }
      return Int(
        exactly: (Double(packetBytes) * 8 / facts.spec.seconds(frames: frames)).rounded())
    }
  }
}
