internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import SystemPackage

extension SndFileSource {
  /// The number of bytes of a long file that are scanned before playback.
  private static let walkedBytes = 1 << 21
  /// The number of MPEG frames at the end of the scanned part that are left to a scan of the whole file.
  private static let leftFrames = 16

  /// The frames of a file, or of the start of a long one.
  static func mpegStream(
    _ input: borrowing InputFile, estimating: Bool
  ) throws(AudioFileError) -> MPEGStream? {
    if estimating, input.size > 2 * walkedBytes,
      let start = try MPEGStream(of: input, within: walkedBytes), start.walkedEnd != nil,
      start.parts.count == 1, start.parts[0].intactFrames > 2 * leftFrames * start.first.frameCount,
      // iTunes' comment counts the frames of the whole file.
      try !start.parts[0].hasComment(input)
    {
      return start
    }
    return try MPEGStream(of: input)
  }

  /// Opens MPEG audio. Each of its parts is decoded separately, without its encoder delay and padding.
  init(
    mpeg stream: MPEGStream, _ input: borrowing InputFile, format: AudioFormat,
    _ options: ReadingOptions
  ) throws(AudioFileError) {
    let salvaging = options.salvages
    if let change = stream.change, !options.toleratesDamage {
      throw .unsupported(
        input.path,
        reason: "the \(change.property) changes from \(change.from) to \(change.to) at byte "
          + "\(change.offset)", remedy: .salvage)
    }
    let isStart = stream.walkedEnd != nil
    if !options.toleratesDamage, !isStart { try Self.check(stream, input) }
    // libmpg123 would read the leading tags, slowly if there are many, and print messages. For a free
    // format it must look ahead, which requires a known end.
    let endIsKnown = stream.first.bitRate == 0
    var parts: [SndFilePart] = []
    for part in stream.parts {
      let audio = try part.audio(input)
      if isStart || options.endsAtDamage && part.damage != nil {
        // The frames that were not scanned yet are missing, too.
        let most = part.intactFrames - (isStart ? Self.leftFrames * stream.first.frameCount : 0)
        let view = SndFileView(ranges: part.intactRanges, endIsKnown: endIsKnown)
        if most > 0, !view.ranges.isEmpty {
          let audio = audio.clamped(to: 0..<most)
          parts.append(SndFilePart(view: view, audio: audio, mpeg: isStart ? part : nil))
        }
        break
      }
      let view = SndFileView(ranges: part.decodedRanges, endIsKnown: endIsKnown)
      parts.append(
        SndFilePart(
          view: view, audio: audio, mpeg: part.damage == nil && !salvaging ? part : nil))
    }
    guard let first = parts.first else { throw .notAudio(input.path) }
    encoding = SampleEncoding(try first.view.open(input).info.format)
    if salvaging {
      for index in parts.indices {
        let counted = try parts[index].view.countFrames(input, encoding)
        parts[index].audio = parts[index].audio.clamped(to: 0..<counted)
      }
    }
    handle = try parts[0].open(input)
    self.parts = parts
    let spec = AudioSpec(
      sampleRate: Int(handle.info.samplerate),
      layout: .assumed(channelCount: Int(handle.info.channels)))
    var frameCount = parts.reduce(0) { $0 + $1.audio.count }
    if let estimate = stream.estimatedFrames { frameCount = max(frameCount, estimate) }
    let attached = try TagReader.read(
      input, in: format.container,
      TagReading(sampleRate: spec.sampleRate, framesPerMPEGFrame: stream.first.frameCount))
    description = SourceDescription(
      spec: spec, frameCount: frameCount, format: format, codec: encoding.name, sampleFormat: nil,
      bitRate: stream.bitRate, metadata: attached.metadata,
      warnings: (try Self.warnings(about: stream, input, spec, frameCount: frameCount)
        + attached.warnings).map(AudioWarning.source),
      notCarried: attached.notCarried,
      lengthBasis: isStart ? .estimated : salvaging ? .counted : .declared)
    description.storage = try stream.storage(in: input)
  }

  /// Throws if a part is damaged.
  private static func check(
    _ stream: MPEGStream, _ input: borrowing InputFile
  ) throws(AudioFileError) {
    let path = input.path
    var before = 0
    for (index, part) in stream.parts.enumerated() {
      let audio = try part.audio(input).count
      switch part.damage {
      case nil: break
      case .truncated(let expected):
        let declared = part.declaredAudio ?? expected * stream.first.frameCount
        guard index == stream.parts.count - 1 else {
          throw .malformed(
            path,
            reason: "part \(index + 1) of \(stream.parts.count), which begins at byte "
              + "\(part.offset), has only \(audio) of its \(declared) frames")
        }
        throw .truncated(path, expected: before + declared, found: before + audio)
      case .brokenFrame(let offset):
        throw .malformed(path, reason: "the frame at byte \(offset) is damaged")
      case .strayBytes(let offset):
        throw .malformed(
          path, reason: "no MPEG frame begins at byte \(offset), where one should")
      }
      before += audio
    }
  }

  /// Warnings about anything besides one undamaged stream.
  private static func warnings(
    about stream: MPEGStream, _ input: borrowing InputFile, _ spec: AudioSpec, frameCount: Int
  ) throws(AudioFileError) -> [String] {
    var warnings: [String] = []
    let parts = stream.parts
    if parts.contains(where: { $0.damage != nil }) {
      var declared = 0
      for part in parts {
        let audio = try part.audio(input).count
        declared += part.declaredAudio ?? audio
      }
      let expected = parts.contains { $0.declaredAudio != nil } ? declared : nil
      warnings.append(
        SndFileLength(expected: expected, isDamaged: true, frameCount: frameCount).report(spec))
    }
    let decoded = parts.reduce(0) { $0 + $1.decodedFrames }
    if frameCount == 0, decoded > 0 {
      warnings.append("it has no audio: encoder delay and padding are all of its \(decoded) frames")
    }
    if parts.count > 1 {
      warnings.append(
        "it contains \(parts.count) joined files, the second from byte \(parts[1].offset) on; "
          + "the tags are those of the first")
    } else if let offset = stream.innerTagOffset {
      warnings.append("tags between its frames, the first at byte \(offset), are not carried")
    }
    if let part = parts.first(where: { $0.uncountedFrames > 0 }), let declared = part.declaredFrames
    {
      warnings.append(
        "its header counts \(declared) of \(part.decodedFrames) frames; all of them are read")
    }
    if let change = stream.change {
      warnings.append(
        "ignored the audio from byte \(change.offset) on, where the \(change.property) changes from "
          + "\(change.from) to \(change.to)")
    }
    if let offset = stream.junkOffset {
      warnings.append("the bytes from \(offset) on, after the last frame, are not audio")
    }
    return warnings
  }
}
