internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CSndFile
internal import SystemPackage

/// A file opened with libsndfile, with its length and layout determined.
struct SndFileSource {
  /// The first part, opened at its first frame.
  let handle: SndFileHandle
  /// The parts that a joined file consists of, in order; one for other files.
  let parts: [SndFilePart]
  var description: SourceDescription
  let encoding: SampleEncoding
  /// True when libsndfile seeks to distant frames of Opus, where samples may differ from sequential decoding.
  private(set) var seeksNearby = false

  init(
    _ input: borrowing InputFile, format: AudioFormat, _ options: ReadingOptions
  ) throws(AudioFileError) {
    if format.container == .mpegAudio,
      let stream = try Self.mpegStream(input, estimating: options.estimates == .ofAnyPass)
    {
      try self.init(mpeg: stream, input, format: format, options)
    } else {
      try self.init(file: input, format: format, options)
    }
  }

  /// True when libsndfile can seek to any frame itself.
  var hasEntries: Bool { encoding.hasPositions || seeksNearby }

  /// The frame where libsndfile begins decoding to reach a frame of the only part; `nil` if it cannot seek, or if the
  /// samples would differ.
  func entry(before frame: Int) -> Int? {
    if encoding.hasPositions { return frame }
    let rate = description.spec.sampleRate
    return seeksNearby && frame > Self.nearSeconds * rate ? frame - Self.leadInSeconds * rate : nil
  }

  /// Seconds from the start that are decoded without a noticeable delay.
  private static let nearSeconds = 20
  /// Seconds of Opus to decode before a requested frame. RFC 7845, section 4.6, demands 0.08; with more, the remaining
  /// difference in the decoder's state is inaudible in speech, too.
  private static let leadInSeconds = 2

  /// Larger files are walked only if an exact length is required.
  private static let longBytes = 1 << 22

  // MARK: Containers

  private init(
    file input: borrowing InputFile, format: AudioFormat, _ options: ReadingOptions
  ) throws(AudioFileError) {
    let salvaging = options.salvages
    var header = try format.header(of: input)
    try AudioLimits.check(
      channels: header?.channelCount, sampleRate: header?.sampleRate, input.path)
    try SndFileEncodings.check(input, header, format: format)
    let opus = format.codec == .opus ? try OpusStream(of: input) : nil
    var length = SndFileLength(
      expected: header?.expectedFrames,
      isDamaged: opus.map { !$0.isWhole } ?? header?.isTruncated(fileSize: input.size) ?? false)
    if let contradiction = header?.contradiction {
      if !options.toleratesDamage { throw .malformed(input.path, reason: contradiction.reason) }
      length.isDamaged = true
    }
    if length.isDamaged && !options.toleratesDamage {
      throw .truncated(
        input.path, expected: length.expected, found: header?.framesThere(fileSize: input.size))
    }
    // Libraries skip damaged or missing pages without an error.
    var end = input.size - (opus?.end?.trailingByteCount ?? 0)
    let skipsPages = options.estimates == .ofAnyPass && input.size > Self.longBytes
    let pages = opus == nil || skipsPages ? nil : try OpusPages(of: input)
    if let offset = pages?.repeatedOffset {
      length.isDamaged = true
      if !options.toleratesDamage {
        throw .malformed(
          input.path, reason: "repeated or out-of-order pages from byte \(offset) on")
      }
      end = min(end, offset)
    }
    if let opus, options.seeksDamage, !skipsPages {
      let gap = try OggPage.firstGap(in: input, serialNumber: opus.serialNumber)
      if gap < end {
        length.isDamaged = true
        if !options.toleratesDamage {
          throw .malformed(
            input.path, reason: "damaged or missing Ogg pages, from byte \(gap) on")
        }
        end = min(end, gap)
      }
    }
    if format.container == .sds { try SDSPackets.check(input) }
    let blocks = header.flatMap { BlockAudio($0, fileSize: input.size) }
    if let blocks { header?.framesPerBlock = blocks.framesPerBlock }
    // libsndfile cannot open Ogg that ends within a page, or find its length before other bytes.
    let view = blocks?.view ?? SndFileView(ranges: [0..<end])
    handle = try Self.open(view, header, input)
    try AudioLimits.check(
      channels: Int(handle.info.channels), sampleRate: Double(handle.info.samplerate), input.path)
    encoding = SampleEncoding(handle.info.format)
    length.frameCount = min(blocks?.frameCount ?? .max, Int(clamping: handle.info.frames))
    if let header { length.frameCount = header.lengthWithoutPadding(of: length.frameCount) }
    if format.container == .nist { length.limit(to: try NISTHeader(of: input).frameCount) }
    if length.isDamaged && !options.toleratesDamage {
      throw .truncated(input.path, expected: length.expected, found: length.frameCount)
    }
    let isCompressed = encoding.format == nil || encoding.name.hasPrefix("ALAC")
    if !encoding.hasDeclaredLength || salvaging && isCompressed {
      length.take(
        counted: try view.countFrames(input, encoding), encoding, salvaging: salvaging,
        expectsDeclared: opus == nil)
    }
    var warnings: [String] = []
    let layout =
      opus?.header.layout
      ?? SpeakerFinder.layout(
        header: header, channelCount: Int(handle.info.channels), warnings: &warnings)
    // libsndfile cuts a fractional rate.
    let rate = max(Int(handle.info.samplerate), Int(header?.sampleRate ?? 0))
    let spec = AudioSpec(
      sampleRate: rate - Int(handle.info.samplerate) == 1 ? rate : Int(handle.info.samplerate),
      layout: layout)
    if length.isDamaged { warnings.append(length.report(spec)) }
    warnings += [length.excessWarning].compactMap(\.self)
    if let count = blocks?.leftoverBytes, count > 1, !length.isDamaged {
      warnings.append("its last \(count) bytes of audio are less than a block and are left out")
    }
    let contents = try TagContents(of: input, header, format: format, sampleRate: spec.sampleRate)
    warnings += contents.warnings
    seeksNearby = options.seeksNearby && opus != nil && handle.info.seekable != 0
    parts = [SndFilePart(view: view, audio: 0..<length.frameCount)]
    description = SourceDescription(
      spec: spec, frameCount: length.frameCount, format: format, codec: encoding.name,
      sampleFormat: encoding.format,
      bitRate: pages.flatMap {
        StorageDescription.bitRate(bytes: $0.byteCount, frames: length.frameCount, spec)
      },
      metadata: contents.metadata, warnings: warnings.map(AudioWarning.source),
      notCarried: contents.notCarried,
      lengthBasis: length.isCounted
        ? .counted
        : length.isDamaged && isCompressed || skipsPages ? .estimated : .declared
    )
    description.coreAudioLayout = header.flatMap(CoreAudioLayout.keepable(in:))
    description.storage = storage(header, fileSize: input.size)
    if let opus {
      description.storage.delay = opus.header.delay(at: spec.sampleRate)
      description.storage.padding = pages?.padding(at: spec.sampleRate)
      // Opus always codes at 48 kHz; libsndfile decodes at the rate that the header suggests.
      if spec.sampleRate != 48000 { description.storage.codecSampleRate = 48000 }
    }
  }

  /// The header and the last page of an Opus stream.
  private struct OpusStream {
    let header: OpusHeader
    let serialNumber: UInt32?
    let end: OggStreamEnd?
    var isWhole: Bool { end?.isWhole ?? false }

    init(of input: borrowing InputFile) throws(AudioFileError) {
      header = try OpusHeader(of: input)
      // Other streams may be multiplexed with the first.
      serialNumber = try OggPage(of: input, at: 0)?.serialNumber
      end = try OggStreamEnd(of: input, serialNumber: serialNumber)
    }
  }

  /// Opens a file; the error for an encoding that libsndfile lacks names it.
  private static func open(
    _ view: SndFileView, _ header: ContainerHeader?, _ input: borrowing InputFile
  ) throws(AudioFileError) -> SndFileHandle {
    do throws(AudioFileError) {
      return try view.open(input)
    } catch {
      throw error == SndFileEncodings.lack(input.path)
        ? SndFileEncodings.lack(input.path, header) : error
    }
  }

  /// Facts about the storage of samples and of blocks; packets differ.
  private func storage(_ header: ContainerHeader?, fileSize: Int) -> StorageDescription {
    var storage = StorageDescription()
    let spec = description.spec
    if let depth = encoding.pcmDepth {
      storage.bitRateMode = .constant
      storage.averageBitRate = spec.sampleRate * spec.channelCount * depth
    } else if let header, description.format.container == .au || header.isInEqualBlocks {
      storage.bitRateMode = .constant
      storage.averageBitRate = StorageDescription.bitRate(
        bytes: header.availableBytes(fileSize: fileSize), frames: description.frameCount, spec)
    }
    if let header, let coded = header.codedFrames, let frames = header.declaredFrames {
      storage.delay = header.delay
      storage.padding = max(0, coded &- header.delay &- frames)
    }
    return storage
  }
}

/// The known length of a file while it is being opened.
struct SndFileLength {
  /// The declared number of frames, if it differs from what was found.
  var expected: Int?
  var isDamaged: Bool
  var frameCount = 0
  /// True when the frames were counted by decoding.
  var isCounted = false
  /// The number of frames dropped after the declared ones.
  private(set) var excessFrames = 0
  /// The maximum number of excess frames that count as padding.
  private static let mostPadding = 16

  /// The warning about dropped frames; `nil` if they are few enough to be padding.
  var excessWarning: String? {
    guard excessFrames > Self.mostPadding else { return nil }
    return "\(excessFrames) frames after the \(frameCount) that its header declares are left out"
  }

  /// Drops audio after the declared frames; damaged if there are fewer.
  mutating func limit(to declared: Int?) {
    guard let declared else { return }
    if declared > frameCount { (isDamaged, expected) = (true, declared) }
    if declared > 0, frameCount > declared {
      excessFrames = frameCount - declared
      frameCount = declared
    }
  }

  /// Uses the number of frames found by decoding; damaged, when salvaging, if there are fewer.
  mutating func take(
    counted: Int, _ encoding: SampleEncoding, salvaging: Bool, expectsDeclared: Bool
  ) {
    if expected == nil, expectsDeclared, counted != frameCount { expected = frameCount }
    if salvaging, counted < frameCount { isDamaged = true }
    frameCount = encoding.hasDeclaredLength ? min(counted, frameCount) : counted
    isCounted = true
  }

  /// The warning about a damaged file.
  func report(_ spec: AudioSpec) -> String {
    SalvageReport(
      decoded: frameCount, silent: 0, declared: expected.flatMap { $0 > frameCount ? $0 : nil },
      sampleRate: spec.sampleRate
    ).text
  }
}
