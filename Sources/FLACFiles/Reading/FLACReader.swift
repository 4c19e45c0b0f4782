internal import AudioContainers
package import AudioIO
package import AudioModel
internal import CFLAC
internal import SystemPackage

/// A reader of native FLAC and Ogg FLAC that uses libFLAC.
package final class FLACReader: FrameStream {
  package let source: SourceDescription
  package var clipping: Clipping { Clipping() }
  private var delivery: BlockDelivery<FLACBlockSource>

  package init(
    _ input: borrowing InputFile, format: AudioFormat, _ options: ReadingOptions
  ) throws(AudioFileError) {
    let salvaging = options.salvages
    var stream = try FLACBlockSource.Expectation(input, format: format, salvaging: salvaging)
    stream.checksMD5 = !salvaging
    let blocks = try FLACBlockSource(input, stream)
    let properties = try FLACStreamProperties(blocks.decoder.metadata, path: input.path)
    let length = try FLACLength(
      of: input, stream, declared: blocks.decoder.metadata.declaredFrames,
      estimate: options.estimates == .ofAnyPass
        ? try FLACEstimate.frames(of: input, properties, inOgg: stream.inOgg) : nil,
      endsAtDamage: options.endsAtDamage, sampleRate: properties.spec.sampleRate)
    blocks.findsNumbers = length.numbersAreExact
    delivery = BlockDelivery(
      blocks, frameCount: length.basis == .estimated ? nil : length.frames,
      channelCount: properties.spec.channelCount, path: input.path)
    var tags = TagContents()
    tags.metadata = blocks.decoder.metadata.metadata
    if stream.inOgg, blocks.decoder.metadata.declaredFrames == nil,
      try Self.isOpen(input)
    {
      tags.warnings.append(OggStreamEnd.openWarning)
    }
    let covers = try FLACPictures(of: input, inOgg: stream.inOgg)
    if covers.areDamaged {
      guard salvaging || options.endsAtDamage else {
        throw .malformed(input.path, reason: FLACDamage.metadataReason)
      }
      tags.warnings.append("a damaged picture is not carried")
    }
    tags.metadata.pictures = covers.pictures
    let riff = Self.takeRIFF(
      blocks.decoder.metadata, of: input, sampleRate: properties.spec.sampleRate, into: &tags)
    tags.notCarried += blocks.decoder.metadata.otherBlocks
    // Some taggers prepend ID3v2; FLAC's own tags take precedence.
    var leading = TagReading(sampleRate: properties.spec.sampleRate)
    _ = try leading.takeLeadingID3(input)
    tags.complete(with: leading.contents, from: "the ID3 tag")
    tags.metadata = tags.metadata.takingChapterComments(sampleRate: properties.spec.sampleRate)
    if tags.metadata.chapters.isEmpty {
      tags.metadata.marks = riff
    } else if !riff.isEmpty {
      tags.note(.mark, "markers among chunks of WAV")
    }
    var description = SourceDescription(
      spec: properties.spec, frameCount: length.frames, format: format, codec: "FLAC",
      sampleFormat: properties.sampleFormat,
      metadata: tags.metadata,
      warnings: (properties.warnings + length.warnings + tags.warnings).map(AudioWarning.source),
      notCarried: tags.notCarried,
      lengthBasis: length.basis)
    description.storage.bitDepth = properties.bitDepth
    description.storage.bitRateMode = .variable
    if !stream.inOgg, let end = covers.metadataEnd {
      description.storage.averageBitRate = StorageDescription.bitRate(
        bytes: max(0, input.size - end), frames: length.frames, properties.spec)
    }
    description.storage.declaredMD5 = blocks.decoder.metadata.signature
    source = description
  }

  /// Adds what the blocks with chunks of WAV hold; returns their marks.
  private static func takeRIFF(
    _ collector: FLACMetadataCollector, of input: borrowing InputFile, sampleRate: Int,
    into tags: inout TagContents
  ) -> [Metadata.Mark] {
    if collector.riffBlocks.isEmpty { return [] }
    guard
      let found = RIFFBlocks.metadata(
        of: collector.riffBlocks, path: input.path, input.tagEncoding, sampleRate: sampleRate)
    else {
      collector.noteRIFF()
      return []
    }
    tags.complete(with: found, from: "the chunks of WAV")
    tags.metadata.instrument = found.metadata.instrument
    tags.metadata.loopProperties = found.metadata.loopProperties
    tags.metadata.broadcastExtension = found.metadata.broadcastExtension
    tags.metadata.foreignChunks = found.metadata.foreignChunks
    return found.metadata.marks
  }

  /// True if Ogg ends with a complete page that does not end the stream.
  private static func isOpen(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    let first = try OggPage(of: input, at: 0)
    return try OggStreamEnd(of: input, serialNumber: first?.serialNumber)?.isOpen ?? false
  }

  package func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    try delivery.read(into: buffer)
  }

  package var seeking: Seeking { delivery.blocks.seeking }

  package func seek(toFrame frame: Int) throws(AudioFileError) {
    try delivery.seek(toFrame: frame)
  }

  package func checkEnd(of input: borrowing InputFile) throws(AudioFileError) {
    if source.format.container == .flac { try FLACEndCheck.check(input) }
  }
}

/// The checked properties of a FLAC stream's audio.
struct FLACStreamProperties {
  let spec: AudioSpec
  /// Bits of a sample, 4 to 32.
  let bitDepth: Int
  var warnings: [String]

  init(_ metadata: FLACMetadataCollector, path: FilePath) throws(AudioFileError) {
    guard let info = metadata.streamInfo else {
      throw .malformed(path, reason: "it has no readable FLAC stream information")
    }
    // RFC 9639 section 8.2: "A sample rate of 0 MAY be used when non-audio is represented."
    guard info.sample_rate > 0 else {
      throw .limitExceeded(path, reason: "a sample rate of 0 Hz")
    }
    let channels = Int(info.channels)
    bitDepth = Int(info.bits_per_sample)
    guard (1...8).contains(channels), (4...32).contains(bitDepth) else {
      throw .limitExceeded(path, reason: "\(channels) channels of \(bitDepth) bits")
    }
    warnings = metadata.warnings
    var layout = FLACLayout.standard(channelCount: channels)
    if let text = metadata.maskText {
      if let masked = FLACLayout.layout(mask: text, channelCount: channels) {
        layout = masked
      } else {
        warnings.append("the channel mask does not fit \(channels) channels and is ignored")
      }
    }
    spec = AudioSpec(sampleRate: Int(info.sample_rate), layout: layout)
  }

  /// The smallest format that holds the stream's samples.
  var sampleFormat: SampleFormat {
    switch bitDepth {
    case ...8: .int8
    case ...16: .int16
    case ...24: .int24
    default: .int32
    }
  }
}

/// The number of frames in a FLAC stream.
struct FLACLength {
  let frames: Int
  let basis: SourceDescription.LengthBasis
  /// True while the decoded frames have the numbers of their positions.
  var numbersAreExact = true
  /// Warnings about lost frames.
  var warnings: [String] = []

  /// Uses the declared length, otherwise `estimate`. Decodes the whole stream, or its part before damage, if both are
  /// missing, and when salvaging.
  init(
    of input: borrowing InputFile, _ stream: FLACBlockSource.Expectation, declared: Int?,
    estimate: Int?, endsAtDamage: Bool, sampleRate: Int
  ) throws(AudioFileError) {
    if !stream.salvaging, let known = declared ?? estimate {
      (frames, basis) = (known, declared == nil ? .estimated : .declared)
      return
    }
    basis = .counted
    var counting = stream
    counting.checksMD5 = stream.salvaging
    let blocks = try FLACBlockSource(input, counting)
    do throws(AudioFileError) {
      while try blocks.next() != nil {}
    } catch {
      guard endsAtDamage, error.endsAudio else { throw error }
    }
    frames = blocks.decodedFrames + blocks.silentFrames
    numbersAreExact = blocks.hasExactNumbers
    guard blocks.isDamaged else { return }
    guard blocks.decodedFrames > 0 else {
      throw .truncated(input.path, expected: declared, found: 0)
    }
    if blocks.decodedFrames == declared, blocks.silentFrames == 0 {
      warnings = ["the audio does not match its MD5 signature"]
    } else {
      warnings = [
        SalvageReport(
          decoded: blocks.decodedFrames, silent: blocks.silentFrames, declared: declared,
          sampleRate: sampleRate
        ).text
      ]
    }
  }
}

/// The number of frames in a stream that does not declare it, before it is decoded.
enum FLACEstimate {
  /// The position of the last page or frame; otherwise, what the bytes hold with the compression that is typical of
  /// music.
  static func frames(
    of input: borrowing InputFile, _ properties: FLACStreamProperties, inOgg: Bool
  ) throws(AudioFileError) -> Int {
    let last: Int?
    if inOgg {
      let first = try OggPage(of: input, at: 0)
      last = try OggStreamEnd(of: input, serialNumber: first?.serialNumber).flatMap {
        Int(exactly: $0.granulePosition)
      }
    } else {
      last = try FLACEndCheck.lastPosition(in: input)
    }
    if let last, last > 0 { return last }
    return input.size / 3 * 5 * 8 / (properties.bitDepth * properties.spec.channelCount)
  }
}

extension FLACBlockSource.Expectation {
  /// The checks for a native FLAC file or a single link of Ogg FLAC.
  init(
    _ input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) {
    self.init(
      salvaging: salvaging, inOgg: format.container == .ogg, lacksLastPage: false,
      checksMD5: true)
    guard inOgg else { return }
    // libFLAC decodes the first logical stream; others may be multiplexed with it.
    let first = try OggPage(of: input, at: 0)
    let end = try OggStreamEnd(of: input, serialNumber: first?.serialNumber)
    // If the end is not marked, the declared number of frames shows whether any are missing.
    lacksLastPage = !(end?.isWhole ?? false) && !(end?.isOpen ?? false)
  }
}
