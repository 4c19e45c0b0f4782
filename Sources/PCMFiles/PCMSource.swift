internal import AudioContainers
internal import AudioIO
internal import AudioModel

/// The place and the encoding of the samples of a file, and what the file declares about them.
struct PCMSource {
  let encoding: RawPCM.Encoding
  /// The ranges of bytes that hold the samples, in order: one, except in a salvaged file.
  let audio: [Range<Int>]
  private(set) var description: SourceDescription

  init(
    _ input: borrowing InputFile, format: AudioFormat, _ options: ReadingOptions
  ) throws(AudioFileError) {
    if let raw = input.raw {
      try self.init(raw: raw, input, format: format, options)
    } else {
      try self.init(file: input, format: format, options)
    }
  }

  private init(
    encoding: RawPCM.Encoding, audio: [Range<Int>], _ description: SourceDescription
  ) {
    self.encoding = encoding
    self.audio = audio
    self.description = description
    let spec = description.spec
    self.description.storage.bitRateMode = .constant
    self.description.storage.averageBitRate =
      spec.sampleRate * spec.channelCount * encoding.bytesPerSample * 8
  }

  // MARK: Headerless

  /// Headerless samples, as declared. A file that ends within a frame is damaged or has another format.
  private init(
    raw: RawPCM, _ input: borrowing InputFile, format: AudioFormat, _ options: ReadingOptions
  ) throws(AudioFileError) {
    try AudioLimits.check(
      channels: raw.spec.channelCount, sampleRate: Double(raw.spec.sampleRate), input.path)
    let (frames, rest) = input.size.quotientAndRemainder(dividingBy: raw.bytesPerFrame)
    if rest != 0, !options.toleratesDamage {
      throw .malformed(
        input.path,
        reason:
          "it ends early, in the middle of a frame: \(input.size) bytes are \(frames) frames of "
          + "\(raw.bytesPerFrame) bytes as \(raw), and \(rest) more")
    }
    var warnings: [String] = []
    if rest != 0 {
      let report = SalvageReport(
        decoded: frames, silent: 0, declared: frames + 1, sampleRate: raw.spec.sampleRate)
      warnings.append(report.text)
    }
    if let other = try Self.headerName(of: input) {
      warnings.append(
        "the file has a header of \(other), which is treated as audio, because the file was declared raw"
      )
    }
    self.init(
      encoding: raw.encoding, audio: [0..<input.size],
      SourceDescription(
        spec: raw.spec, frameCount: frames, format: format, codec: raw.encoding.codecName,
        sampleFormat: raw.encoding.sampleFormat, warnings: warnings.map(AudioWarning.source)))
  }

  /// The name of the container if a file that was declared raw begins with the header of a common one.
  private static func headerName(of input: borrowing InputFile) throws(AudioFileError) -> String? {
    let head = try AudioFormat.FileHead(of: input, at: 0)
    let rows = PCMLibrary.riff + PCMLibrary.apple + [PCMLibrary.au]
    if let row = rows.first(where: { $0.container.recognizes(head) }) { return row.name }
    if AudioFormat.Container.flac.recognizes(head) { return "FLAC" }
    if AudioFormat.Container.ogg.recognizes(head) { return "Ogg" }
    return try ID3Tag.end(of: input) > 0 ? "MP3" : nil
  }

  // MARK: Containers

  private init(
    file input: borrowing InputFile, format: AudioFormat, _ options: ReadingOptions
  ) throws(AudioFileError) {
    let path = input.path
    guard var header = try format.header(of: input), let encoding = header.encoding,
      let channelCount = header.channelCount, let sampleRate = header.sampleRate
    else { throw .unsupported(path, reason: "its encoding cannot be decoded") }
    try AudioLimits.check(channels: channelCount, sampleRate: sampleRate, path)
    // Other larger frames are a wrong number: other programs read packed samples, too.
    let frameBytes = encoding.bytesPerSample * channelCount
    let isWide = encoding.bytesPerSample == 3 && header.bytesPerFrame == 4 * channelCount
    if let declared = header.bytesPerFrame, isWide || (1..<frameBytes).contains(declared) {
      throw .limitExceeded(
        path,
        reason: "its header declares frames of \(declared) bytes for \(channelCount) channels"
          + (isWide ? " of 24 bits" : ""))
    }
    header.bytesPerFrame = frameBytes
    if let contradiction = header.contradiction, !options.toleratesDamage {
      throw .malformed(path, reason: contradiction.reason)
    }
    let isDamaged = header.contradiction != nil || header.isTruncated(fileSize: input.size)
    let expected = header.expectedFrames
    if isDamaged, !options.toleratesDamage {
      throw .truncated(
        path, expected: expected, found: header.framesThere(fileSize: input.size))
    }
    // AIFF whose size of the audio was never filled in.
    if isDamaged, header.declaredBytes == 0 { header.declaredBytes = nil }
    let there = header.availableBytes(fileSize: input.size)
    let audio = (header.contradiction?.audio ?? [header.audioOffset..<header.audioOffset + there])
      .map { $0.clamped(to: 0..<input.size) }
    let frameCount = audio.reduce(0) { $0 + $1.count } / frameBytes
    var warnings: [String] = []
    let layout = SpeakerFinder.layout(
      header: header, channelCount: channelCount, warnings: &warnings)
    let spec = AudioSpec(sampleRate: Int(sampleRate), layout: layout)
    if let contradiction = header.contradiction { warnings.append(contradiction.reason) }
    if isDamaged {
      let declared = expected.flatMap { $0 > frameCount ? $0 : nil }
      let report = SalvageReport(
        decoded: frameCount, silent: 0, declared: declared, sampleRate: spec.sampleRate)
      warnings.append(report.text)
    }
    if !isDamaged, let declared = header.declaredBytes, case let rest = declared % frameBytes,
      // Zeros are padding that a program counts as audio.
      try input.bytes(at: header.audioOffset + declared - rest, count: rest).contains(where: {
        $0 != 0
      })
    {
      warnings.append(
        "its audio ends within a frame: the last \(rest == 1 ? "byte is" : "\(rest) bytes are") left out"
      )
    }
    let contents = try TagContents(of: input, header, format: format, sampleRate: spec.sampleRate)
    var description = SourceDescription(
      spec: spec, frameCount: frameCount,
      format: header.isExtensible && format.container == .wav ? PCMLibrary.extensibleWAV : format,
      codec: encoding.codecName, sampleFormat: encoding.sampleFormat,
      metadata: contents.metadata,
      warnings: (warnings + contents.warnings).map(AudioWarning.source),
      notCarried: contents.notCarried)
    description.coreAudioLayout = CoreAudioLayout.keepable(in: header)
    self.init(encoding: encoding, audio: audio, description)
  }
}

extension ContainerHeader {
  /// True for WAVE_FORMAT_EXTENSIBLE in little-endian WAV.
  fileprivate var isExtensible: Bool { waveFormat?.starts(with: [0xFE, 0xFF]) ?? false }
}

extension RawPCM.Encoding {
  /// The name to show.
  fileprivate var codecName: String {
    switch self {
    case .alaw: "A-Law"
    case .ulaw: "U-Law"
    default: sampleFormat.map { "PCM \($0)" } ?? rawValue
    }
  }
}
