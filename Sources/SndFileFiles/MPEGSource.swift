internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import AudioTags
internal import SystemPackage

extension SndFileSource {
  /// Opens MPEG audio: each of its parts is decoded by itself, without its encoder delay and padding.
  init(
    mpeg stream: MPEGStream, _ input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) {
    if let change = stream.change, !salvaging {
      throw .unsupported(
        input.path,
        reason: "the \(change.property) changes from \(change.from) to \(change.to) at byte "
          + "\(change.offset)", remedy: .salvage)
    }
    if !salvaging { try Self.check(stream, input.path) }
    // libmpg123 would read the leading tags, slowly if there are many, and print messages. For a free
    // format it must look ahead, which requires a known end.
    let endIsKnown = stream.first.bitRate == 0
    var parts: [SndFilePart] = []
    for part in stream.parts {
      let audio = try part.audio(input)
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
    opusEntries = nil
    self.parts = parts
    let spec = AudioSpec(
      sampleRate: Int(handle.info.samplerate),
      layout: .assumed(channelCount: Int(handle.info.channels)))
    let frameCount = parts.reduce(0) { $0 + $1.audio.count }
    let attached = try TagReader.read(
      input, sampleRate: spec.sampleRate, framesPerMPEGFrame: stream.first.frameCount)
    description = SourceDescription(
      spec: spec, frameCount: frameCount, format: format, codec: encoding.name, sampleFormat: nil,
      bitRate: stream.bitRate, metadata: attached.metadata,
      warnings: Self.warnings(about: stream, spec, frameCount: frameCount) + attached.warnings,
      notCarried: attached.notCarried, lengthBasis: salvaging ? .counted : .declared)
  }

  /// Throws if a part is damaged.
  private static func check(_ stream: MPEGStream, _ path: FilePath) throws(AudioFileError) {
    for (index, part) in stream.parts.enumerated() {
      switch part.damage {
      case nil: break
      case .cut(let expected):
        let declared = expected * stream.first.frameCount
        guard index == stream.parts.count - 1 else {
          throw .malformed(
            path,
            reason: "part \(index + 1) of \(stream.parts.count), which begins at byte "
              + "\(part.offset), has only \(part.decodedFrames) of its \(declared) frames")
        }
        let before = stream.parts.dropLast().reduce(0) { $0 + $1.decodedFrames }
        throw .truncated(path, expected: before + declared, found: before + part.decodedFrames)
      case .brokenFrame(let offset):
        throw .malformed(path, reason: "the frame at byte \(offset) is damaged")
      case .strayBytes(let offset):
        throw .malformed(
          path, reason: "there is no frame where one should begin, at byte \(offset)")
      }
    }
  }

  /// What was found beside one undamaged stream.
  private static func warnings(
    about stream: MPEGStream, _ spec: AudioSpec, frameCount: Int
  ) -> [String] {
    var warnings: [String] = []
    let parts = stream.parts
    if parts.contains(where: { $0.damage != nil }) {
      let declared = parts.reduce(0) { $0 + ($1.declaredFrames ?? $1.decodedFrames) }
      let expected = parts.contains { $0.declaredFrames != nil } ? declared : nil
      warnings.append(
        SndFileLength(expected: expected, isDamaged: true, frameCount: frameCount).report(spec))
    }
    if parts.count > 1 {
      warnings.append(
        "\(parts.count) files are joined in it, the second from byte \(parts[1].offset) on; "
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
        "the audio from byte \(change.offset) on is left out: the \(change.property) changes from "
          + "\(change.from) to \(change.to)")
    }
    if let offset = stream.junkOffset {
      warnings.append("the bytes from \(offset) on, after the last frame, are not audio")
    }
    return warnings
  }
}
