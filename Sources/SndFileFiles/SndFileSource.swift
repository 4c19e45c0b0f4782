internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import AudioTags
internal import CSndFile
internal import SystemPackage

/// A file opened through libsndfile, with its length and layout found out.
struct SndFileSource {
  let handle: SndFileHandle
  let description: SourceDescription
  let encoding: SampleEncoding

  init(
    _ input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) {
    if format.container == .mpegAudio, let frames = try MPEGStream(of: input) {
      try self.init(mpeg: frames, input, format: format, salvaging: salvaging)
    } else {
      try self.init(file: input, format: format, salvaging: salvaging)
    }
  }

  // MARK: Containers

  private init(
    file input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) {
    var header = try ContainerHeader.read(input, format: format)
    if let found = header {
      header?.repairs += MarkReader.hiding(found.chunks, format: format)
    }
    try header.map { (header) throws(AudioFileError) in
      try Self.check(channels: header.channelCount, rate: header.sampleRate, input.path)
    }
    let opus = format.codec == .opus ? try OpusHeader(of: input) : nil
    var damage = header.map { $0.isCut(fileSize: input.size) } ?? false
    var expected = header?.expectedFrames
    // Other streams may run beside the first.
    let serialNumber = try OggPage(of: input, at: 0)?.serialNumber
    let oggEnd = opus == nil ? nil : try OggStreamEnd(of: input, serialNumber: serialNumber)
    if opus != nil { damage = !(oggEnd?.isWhole ?? false) }
    if damage && !salvaging {
      throw .truncated(
        input.path, expected: expected, found: header?.framesThere(fileSize: input.size))
    }
    if format.container == .sds { try SDSPackets.check(input) }
    let plain = SndFileView(
      // libsndfile does not open Ogg that ends inside a page, and finds no length in front of other bytes.
      ranges: [0..<input.size - (oggEnd?.trailingByteCount ?? 0)],
      patches: header?.patches(fileSize: input.size) ?? [])
    let view: SndFileView
    (view, handle) = try Self.open(plain, header, input)
    try Self.check(
      channels: Int(handle.info.channels), rate: Double(handle.info.samplerate), input.path)
    encoding = SampleEncoding(handle.info.format)
    var frameCount = Int(clamping: handle.info.frames)
    let channelCount = Int(handle.info.channels)
    if let there = header?.framesThere(fileSize: input.size) {
      if there > frameCount {
        throw .malformed(
          input.path, reason: "libsndfile reads \(frameCount) of the \(there) frames in it")
      }
      // It takes the zeros that fill a chunk of Wave64 up to a multiple of 8 for audio.
      if format.container == .wave64 { frameCount = there }
    }
    frameCount = header?.lengthWithoutPadding(of: frameCount) ?? frameCount
    if let declared = try DeclaredLength.frames(input, format: format) {
      if declared > frameCount { (damage, expected) = (true, declared) }
      // What follows the declared frames is no audio.
      if declared > 0 { frameCount = min(frameCount, declared) }
    }
    if damage && !salvaging {
      throw .truncated(input.path, expected: expected, found: frameCount)
    }
    let isCompressed = encoding.format == nil || encoding.name.hasPrefix("ALAC")
    let isCounted = !encoding.hasPromisedLength || salvaging && isCompressed
    if isCounted {
      let counted = try view.countFrames(input, encoding)
      expected = expected ?? (counted == frameCount || opus != nil ? nil : frameCount)
      damage = damage || salvaging && counted < frameCount
      frameCount = encoding.hasPromisedLength ? min(counted, frameCount) : counted
    }
    var warnings: [String] = []
    let layout =
      opus?.layout
      ?? SpeakerFinder.layout(header: header, channelCount: channelCount, warnings: &warnings)
    let spec = AudioSpec(sampleRate: Int(handle.info.samplerate), layout: layout)
    if damage { warnings.append(Self.salvage(frameCount, of: expected, spec)) }
    let holdsTags = [.wav, .rf64, .aiff, .aiffC, .svx, .caf, .ogg].contains(format.container)
    let tags =
      holdsTags ? try TagReader.read(input, sampleRate: spec.sampleRate) : TagContents()
    let marks = try header.map { (header) throws(AudioFileError) in
      try MarkReader.read(input, header, format: format)
    }
    warnings += tags.warnings + (marks?.warnings ?? [])
    description = SourceDescription(
      spec: spec, frameCount: frameCount,
      format: Self.row(format, major: Int(handle.info.format) & SF_FORMAT_TYPEMASK, encoding),
      codec: encoding.name, sampleFormat: encoding.format,
      bitRate: opus == nil
        ? nil : Self.bitRate(bytes: try OggStorage(of: input).byteCount, frameCount, spec),
      metadata: (marks?.added(to: tags.metadata) ?? tags.metadata)
        .takingChapterComments(sampleRate: spec.sampleRate),
      warnings: warnings,
      notCarried: UnsupportedChunks.names(in: header) + (marks?.lost ?? []) + tags.notCarried,
      lengthBasis: isCounted ? .counted : .declared)
  }

  /// Opens a file as it is, or with a header made anew where libsndfile would not find all of the audio.
  private static func open(
    _ view: SndFileView, _ header: ContainerHeader?, _ input: borrowing InputFile
  ) throws(AudioFileError) -> (SndFileView, SndFileHandle) {
    let other = header?.canonicalRF64(fileSize: input.size)
    if let header, let other, header.lengthField.byteCount == 4,
      header.availableBytes(fileSize: input.size) >= 0xFFFF_FFFF
    {
      return (other, try other.open(input))
    }
    do throws(AudioFileError) {
      return (view, try view.open(input))
    } catch {
      guard case .malformed = error, let other else { throw error }
      return (other, try other.open(input))
    }
  }

  /// The row of the table for a file whose content libsndfile has looked into.
  private static func row(
    _ format: AudioFormat, major: Int, _ encoding: SampleEncoding
  ) -> AudioFormat {
    if format.container == .wav, major == SF_FORMAT_WAVEX { return SndFileLibrary.extensibleWAV }
    if format.container == .caf, encoding.name.hasPrefix("ALAC") { return SndFileLibrary.cafALAC }
    return format
  }

  // MARK: MPEG

  private init(
    mpeg found: MPEGStream, _ input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) {
    var frames = found
    let step = frames.first.frameCount
    if let offset = frames.channelChange {
      throw .unsupported(input.path, reason: "its channel count changes at byte \(offset)")
    }
    let damage = frames.damage
    if let damage, !salvaging {
      switch damage {
      case .cut(let expected):
        throw .truncated(input.path, expected: expected * step, found: frames.decodedFrames)
      case .brokenFrame(let offset):
        throw .malformed(input.path, reason: "the frame at byte \(offset) is damaged")
      case .strayBytes(let offset):
        throw .malformed(
          input.path, reason: "there is no frame where one should begin, at byte \(offset)")
      }
    }
    let expected = frames.info?.frameCount.map { $0 * step }
    if damage != nil { frames.dropInfoFrame() }
    // libmpg123 would read the tags in front, slowly where there are many, and print what it thinks. In a
    // free format it must look ahead, which it does only where the end is known.
    let view = SndFileView(ranges: frames.ranges, endIsKnown: frames.first.bitRate == 0)
    handle = try view.open(input)
    encoding = SampleEncoding(handle.info.format)
    let spec = AudioSpec(
      sampleRate: Int(handle.info.samplerate),
      layout: .assumed(channelCount: Int(handle.info.channels)))
    var frameCount: Int
    var isCounted = false
    if let promised = frames.promisedFrames, !salvaging {
      frameCount = promised
    } else {
      frameCount = try view.countFrames(input, encoding)
      isCounted = true
    }
    if damage == nil, let extent = try frames.extentByITunes(input), extent.upperBound <= frameCount
    {
      handle.skip(frames: extent.lowerBound)
      frameCount = extent.count
    }
    var warnings: [String] = []
    if damage != nil { warnings.append(Self.salvage(frameCount, of: expected, spec)) }
    if damage == nil, let offset = frames.strayOffsets.last {
      warnings.append("the bytes from \(offset) on, behind the last frame, are no audio")
    }
    let attached = try TagReader.read(
      input, sampleRate: spec.sampleRate, framesPerMPEGFrame: frames.first.frameCount)
    warnings += attached.warnings
    description = SourceDescription(
      spec: spec, frameCount: frameCount, format: format, codec: encoding.name, sampleFormat: nil,
      bitRate: frames.bitRate, metadata: attached.metadata, warnings: warnings,
      notCarried: attached.notCarried, lengthBasis: isCounted ? .counted : .declared)
  }

  // MARK: Facts

  private static func check(
    channels: Int?, rate: Double?, _ path: FilePath
  ) throws(AudioFileError) {
    if let channels, !(1...AudioLimits.channelCount).contains(channels) {
      throw .limitExceeded(
        path,
        reason: "its header says \(channels) channels; 1 to \(AudioLimits.channelCount) are read")
    }
    if let rate, !(1...Double(AudioLimits.sampleRate)).contains(rate) {
      // AIFF tells its rate as a floating-point number, which need not be whole.
      let told = Int(exactly: rate).map(String.init) ?? "\(rate)"
      throw .limitExceeded(
        path,
        reason: "its header says a sample rate of \(told) Hz; "
          + "1 to \(AudioLimits.sampleRate) are read")
    }
  }

  private static func bitRate(bytes: Int, _ frameCount: Int, _ spec: AudioSpec) -> Int? {
    let seconds = spec.seconds(frames: frameCount)
    guard seconds > 0 else { return nil }
    return Int(exactly: (Double(bytes) * 8 / seconds).rounded())
  }

  private static func salvage(_ found: Int, of expected: Int?, _ spec: AudioSpec) -> String {
    func seconds(_ frames: Int) -> String {
      let hundredths = Int((spec.seconds(frames: frames) * 100).rounded())
      let rest = hundredths % 100
      return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
    guard let expected, expected > found else {
      return "salvaged \(found) frames (\(seconds(found)) s)"
    }
    return "salvaged \(found) of \(expected) frames (\(seconds(found)) of \(seconds(expected)) s)"
  }
}
