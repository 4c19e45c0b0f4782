import ScaleAudio

/// What is said of one file when it is settled, without a line break.
enum FileLines {
  /// `a.wav -> a-x1.5.wav  3.000 s -> 4.500 s, 1.5x as long (0.667x speed), 812x real time`
  static func finished(_ job: ConversionJob, _ report: ConversionReport) -> String {
    let outputSeconds = report.spec.seconds(frames: report.outputFrames)
    var facts = [
      Quantities.playingTime(report.sourceSeconds) + " -> "
        + Quantities.playingTime(outputSeconds),
      Quantities.change(factor: report.factor),
    ]
    if case .stretch(let settings) = report.method, settings.semitones != 0 {
      facts.append(Quantities.change(semitones: settings.semitones))
    }
    if let gain = LevelText.gain(report) { facts.append(gain) }
    if report.seconds > 0 && report.sourceSeconds > 0 {
      facts.append(Quantities.multiple(report.sourceSeconds / report.seconds) + " real time")
    }
    return names(job) + "  " + facts.joined(separator: ", ")
  }

  /// `FLAC (24-bit) 44100 Hz 5.1, 132300 frames -> WAV (24-bit) 44100 Hz 5.1, 198450 frames, smoothstep`
  static func details(_ report: ConversionReport) -> String {
    let source = report.source
    return facts(
      source.format, codec: Self.encoding(of: source), source.spec, frames: source.frameCount)
      + " -> "
      + facts(
        report.format, codec: report.sampleFormat?.description, report.spec,
        frames: report.outputFrames)
      + ", \(method(report))" + staleTags(report)
  }

  /// `smoothstep`, `sinc (high)`
  private static func method(_ report: ConversionReport) -> String {
    let name = report.method.kind.rawValue
    return report.method.quality.map { "\(name) (\($0.rawValue))" } ?? name
  }

  /// `; no longer true and left out: REPLAYGAIN_TRACK_GAIN`; empty where nothing was.
  private static func staleTags(_ report: ConversionReport) -> String {
    if report.staleTags.isEmpty { return "" }
    let names = report.staleTags.map { escapedForTerminal($0) }.joined(separator: ", ")
    return "; no longer true and left out: \(names)"
  }

  /// `a.wav -> a-x1.5.wav  the output exists`
  static func skipped(_ job: ConversionJob, _ reason: SkipReason) -> String {
    switch reason {
    case .outputExists: names(job) + "  the output exists"
    case .alreadyDone: names(job) + "  done before"
    }
  }

  /// The cause on one line; it names the file.
  static func failed(_ error: ConversionError) -> String {
    escapedForTerminal(error.message)
  }

  /// `name: text` for everything that the user should know of a conversion that succeeded.
  static func warnings(_ job: ConversionJob, _ report: ConversionReport) -> [String] {
    var texts = report.warnings.map { escapedForTerminal($0) }
    if let clipping = LevelText.clipping(report) { texts.append(clipping) }
    let name = escapedForTerminal(job.conversion.input.path)
    return texts.map { "\(name): \($0)" }
  }

  /// What a source's samples are encoded in, beyond the name of its format: `24-bit`, `PCM 24-bit`.
  private static func encoding(of source: SourceDescription) -> String? {
    source.codec == source.format.name ? source.sampleFormat?.description : source.codec
  }

  private static func names(_ job: ConversionJob) -> String {
    escapedForTerminal(job.conversion.input.path) + " -> "
      + escapedForTerminal(job.conversion.output.path)
  }

  private static func facts(
    _ format: AudioFormat, codec: String?, _ spec: AudioSpec, frames: Int
  ) -> String {
    var name = format.name
    if let codec { name += " (\(codec))" }
    return "\(name) \(spec.sampleRate) Hz \(spec.layout), \(Quantities.count(frames, "frame"))"
  }

}
