import ScaleAudio

/// Lines about files of a batch, without line breaks.
enum FileLines {
  /// `a.wav -> a-x1.5.wav`
  static func names(_ work: some FileWork) -> String {
    escapedForTerminal(work.input.path) + " -> " + escapedForTerminal(work.output.path)
  }

  /// `a.wav -> a-x1.5.wav  the output exists`
  static func skipped(_ work: some FileWork, _ reason: SkipReason) -> String {
    switch reason {
    case .outputExists: names(work) + "  the output exists"
    case .alreadyDone: names(work) + "  done before"
    case .alike: names(work) + "  the output exists with the right format and length"
    case .earlierOutput:
      names(work) + "  the input is itself an output; --include-outputs converts it"
    }
  }

  /// The cause on one line; it names the file.
  static func failed(_ message: String) -> String { escapedForTerminal(message) }

  /// `a.wav -> a-x1.5.wav (skipped: exists)`: a line of `--dry-run`, with what is known of the output after it.
  static func planned(
    _ work: some FileWork, _ verdict: JobVerdict, _ foreseen: ForeseenFile? = nil,
    isVerbose: Bool = false
  ) -> [UInt8] {
    var lines = [names(work) + note(verdict)]
    if let foreseen {
      lines[0] += "  " + foreseen.facts
      lines += (foreseen.lines + (isVerbose ? foreseen.details : [])).map { "  " + $0 }
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// `a.wav -> out/a.flac (error: ...)`: a line of `--dry-run` about a job that the plan refuses.
  static func refused(_ work: some FileWork, _ error: some FileWorkError) -> [UInt8] {
    Array("\(names(work)) (error: \(escapedForTerminal(error.fullCause)))\n".utf8)
  }

  private static func note(_ verdict: JobVerdict) -> String {
    switch verdict {
    case .run(replacing: false): ""
    case .run(replacing: true): " (replaced if it exists)"
    case .skip(.outputExists): " (skipped: exists)"
    case .skip(.alreadyDone): " (skipped: done before)"
    case .skip(.alike): " (skipped: exists with the right format and length)"
    case .skip(.earlierOutput): " (skipped: the input is itself an output)"
    case .refuse: " (error: exists)"
    }
  }

  /// `FLAC (24-bit) 44100 Hz 5.1, 132300 frames`
  static func format(of source: SourceDescription) -> String {
    format(source.format, codec: encoding(of: source), source.spec, frames: source.frameCount)
  }

  /// `FLAC (24-bit) 44100 Hz 5.1, 132300 frames`
  static func format(
    _ format: AudioFormat, codec: String?, _ spec: AudioSpec, frames: Int
  ) -> String {
    var name = format.name
    if let codec { name += " (\(codec))" }
    return "\(name) \(spec.sampleRate) Hz \(spec.layout), \(Quantities.count(frames, "frame"))"
  }

  /// The encoding of a source in addition to the name of its format: `24-bit`, `PCM 24-bit`.
  private static func encoding(of source: SourceDescription) -> String? {
    source.codec == source.format.name ? source.sampleFormat?.description : source.codec
  }
}
