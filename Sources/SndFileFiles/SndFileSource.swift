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
    if let raw = input.raw {
      try self.init(raw: raw, input, format: format, options)
    } else if format.container == .mpegAudio,
      let stream = try Self.mpegStream(input, estimating: options.estimates == .ofAnyPass)
    {
      try self.init(mpeg: stream, input, format: format, options)
    } else {
      try self.init(file: input, format: format, options)
    }
  }

  /// Headerless samples, as declared. A file that ends within a frame is damaged or has another format.
  private init(
    raw: RawPCM, _ input: borrowing InputFile, format: AudioFormat, _ options: ReadingOptions
  ) throws(AudioFileError) {
    try Self.check(
      channels: raw.spec.channelCount, rate: Double(raw.spec.sampleRate), input.path)
    let (frames, rest) = input.size.quotientAndRemainder(dividingBy: raw.bytesPerFrame)
    if rest != 0, !options.toleratesDamage {
      throw .malformed(
        input.path,
        reason:
          "it ends early, in the middle of a frame: \(input.size) bytes are \(frames) frames of "
          + "\(raw.bytesPerFrame) bytes as \(raw), and \(rest) more")
    }
    let part = SndFilePart(
      view: SndFileView(ranges: [0..<frames * raw.bytesPerFrame]), audio: 0..<frames)
    handle = try part.open(input)
    encoding = SampleEncoding(handle.info.format)
    parts = [part]
    description = SourceDescription(
      spec: raw.spec, frameCount: frames, format: format, codec: encoding.name,
      sampleFormat: encoding.format)
    description.storage = storage(nil, fileSize: input.size)
    if rest != 0 {
      let report = SalvageReport(
        decoded: frames, silent: 0, declared: frames + 1, sampleRate: raw.spec.sampleRate)
      description.warnings.append(report.text)
    }
    if let other = try Self.headerName(of: input) {
      description.warnings.append(
        "the file has a header of \(other), which is treated as audio, because the file was declared raw"
      )
    }
  }

  /// The name of the container if a file that was declared raw begins with the header of a common one.
  private static func headerName(of input: borrowing InputFile) throws(AudioFileError) -> String? {
    let names = [
      "RIFF": "WAV", "RF64": "RF64", "FORM": "AIFF", "caff": "CAF", "fLaC": "FLAC", "OggS": "Ogg",
      "ID3\u{3}": "MP3", "ID3\u{4}": "MP3",
    ]
    return names[String(decoding: try input.bytes(at: 0, count: 4), as: UTF8.self)]
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
    let header = try Self.header(of: input, format: format)
    try SndFileEncodings.check(input, header, format: format)
    let opus = format.codec == .opus ? try OpusStream(of: input) : nil
    var length = SndFileLength(
      expected: header?.expectedFrames,
      isDamaged: opus.map { !$0.isWhole } ?? header?.isTruncated(fileSize: input.size) ?? false)
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
    // libsndfile cannot open Ogg that ends within a page, or find its length before other bytes.
    let plain = SndFileView(
      ranges: [0..<end], patches: header?.patches(fileSize: input.size) ?? [])
    let view: SndFileView
    (view, handle) = try Self.open(plain, header, input)
    try Self.check(
      channels: Int(handle.info.channels), rate: Double(handle.info.samplerate), input.path)
    encoding = SampleEncoding(handle.info.format)
    length.frameCount = try Self.frameCount(of: handle, header, input, format: format)
    if format.container == .nist { length.limit(to: try NISTHeader(of: input).frameCount) }
    if length.isDamaged && !options.toleratesDamage {
      throw .truncated(input.path, expected: length.expected, found: length.frameCount)
    }
    let isCompressed = encoding.format == nil || encoding.name.hasPrefix("ALAC")
    if options.endsAtDamage, length.isDamaged, let header, header.bytesPerFrame == nil,
      let bytes = header.bytesPerBlock, let frames = header.framesPerBlock, bytes > 0, frames > 0
    {
      // The last block is truncated, too.
      let blocks = header.availableBytes(fileSize: input.size) / bytes
      length.frameCount = min(length.frameCount, blocks.multipliedReportingOverflow(by: frames).0)
    }
    if !encoding.hasDeclaredLength || salvaging && isCompressed || pages?.excessFrames ?? 0 > 0 {
      length.take(
        counted: try view.countFrames(input, encoding), encoding, salvaging: salvaging,
        expectsDeclared: opus == nil)
    }
    var warnings: [String] = []
    let layout =
      opus?.header.layout
      ?? SpeakerFinder.layout(
        header: header, channelCount: Int(handle.info.channels), warnings: &warnings)
    let spec = AudioSpec(sampleRate: Int(handle.info.samplerate), layout: layout)
    if length.isDamaged { warnings.append(length.report(spec)) }
    warnings += [length.excessWarning].compactMap(\.self)
    let tags =
      format.container.tags == nil
      ? TagContents()
      : try TagReader.read(
        input, in: format.container, TagReading(sampleRate: spec.sampleRate))
    let marks = try header.map { (header) throws(AudioFileError) in
      try MarkReader.read(input, header, format: format)
    }
    warnings += (header?.warnings ?? []) + tags.warnings + (marks?.warnings ?? [])
    seeksNearby = options.seeksNearby && opus != nil && handle.info.seekable != 0
    parts = [SndFilePart(view: view, audio: 0..<length.frameCount)]
    description = SourceDescription(
      spec: spec, frameCount: length.frameCount,
      format: Self.row(format, major: Int(handle.info.format) & SF_FORMAT_TYPEMASK, encoding),
      codec: encoding.name, sampleFormat: encoding.format,
      bitRate: pages.flatMap {
        StorageDescription.bitRate(bytes: $0.byteCount, frames: length.frameCount, spec)
      },
      metadata: (marks?.added(to: tags.metadata) ?? tags.metadata)
        .takingChapterComments(sampleRate: spec.sampleRate),
      warnings: warnings,
      notCarried: UnsupportedChunks.losses(in: header, of: format) + (marks?.lost ?? [])
        + tags.notCarried,
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

  /// The checked header, with repairs; `nil` for containers whose header only libsndfile reads.
  private static func header(
    of input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) -> ContainerHeader? {
    guard var header = try format.container.header?(input) else { return nil }
    header.repairs += MarkReader.hiding(header.chunks, format: format)
    try check(channels: header.channelCount, rate: header.sampleRate, input.path)
    return header
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

  /// The frames that can be read, without padding.
  private static func frameCount(
    of handle: SndFileHandle, _ header: ContainerHeader?, _ input: borrowing InputFile,
    format: AudioFormat
  ) throws(AudioFileError) -> Int {
    var frameCount = Int(clamping: handle.info.frames)
    if let there = header?.framesThere(fileSize: input.size) {
      if there > frameCount {
        if let width = header?.bytesPerFrame, let count = header?.channelCount, count > 0,
          width % count != 0
        {
          throw .limitExceeded(
            input.path, reason: "its header declares frames of \(width) bytes for \(count) channels"
          )
        }
        throw .malformed(
          input.path, reason: "libsndfile reads only \(frameCount) of its \(there) frames")
      }
      // libsndfile counts the zeros that pad a Wave64 chunk to a multiple of 8 bytes as audio.
      if format.container == .wave64 { frameCount = there }
    }
    // GSM: libsndfile counts the byte that pads an odd number of blocks, which some writers count as audio, as another
    // block of 65 bytes and 320 frames.
    if let header, header.encodingID == "0x0031", header.bytesPerBlock == 65 {
      let blocks = (header.availableBytes(fileSize: input.size) + 63) / 65
      frameCount = min(frameCount, blocks * 320)
    }
    return header?.lengthWithoutPadding(of: frameCount) ?? frameCount
  }

  /// Opens a file as it is, or with a replacement header if libsndfile would not find all the audio.
  private static func open(
    _ view: SndFileView, _ header: ContainerHeader?, _ input: borrowing InputFile
  ) throws(AudioFileError) -> (SndFileView, SndFileHandle) {
    let other = header?.canonical(fileSize: input.size)
    if let header, let other, header.lengthField.byteCount == 4,
      header.availableBytes(fileSize: input.size) >= 0xFFFF_FFFF
    {
      return (other, try other.open(input))
    }
    do throws(AudioFileError) {
      return (view, try view.open(input))
    } catch {
      switch error {
      case .malformed, .unsupported: break
      default: throw error
      }
      guard let other else {
        throw error == SndFileEncodings.lack(input.path)
          ? SndFileEncodings.lack(input.path, header) : error
      }
      return (other, try other.open(input))
    }
  }

  /// The format of a file that libsndfile has opened.
  private static func row(
    _ format: AudioFormat, major: Int, _ encoding: SampleEncoding
  ) -> AudioFormat {
    if format.container == .wav, major == SF_FORMAT_WAVEX { return SndFileLibrary.extensibleWAV }
    if format.container == .caf, encoding.name.hasPrefix("ALAC") { return SndFileLibrary.cafALAC }
    return format
  }

  // MARK: Checks

  private static func check(
    channels: Int?, rate: Double?, _ path: FilePath
  ) throws(AudioFileError) {
    if let channels, !(1...AudioLimits.channelCount).contains(channels) {
      throw .limitExceeded(
        path,
        reason:
          "its header declares \(channels) channels; 1 to \(AudioLimits.channelCount) are supported"
      )
    }
    if let rate, !(1...Double(AudioLimits.sampleRate)).contains(rate) {
      // AIFF stores the rate as a floating-point number.
      let rateText = Int(exactly: rate).map(String.init) ?? "\(rate)"
      throw .limitExceeded(
        path,
        reason: "its header declares a sample rate of \(rateText) Hz; "
          + "1 to \(AudioLimits.sampleRate) are supported")
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
