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
    facts(of: report.source) + " -> "
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
  static func failed(_ message: String) -> String { escapedForTerminal(message) }

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
    names(job.conversion.input, job.conversion.output)
  }

  /// `a.wav -> a-x1.5.wav (skipped: exists)`: what would become of a file, as a line of standard output.
  static func planned(
    _ input: ConversionInput, _ output: ConversionOutput, _ verdict: JobVerdict
  ) -> [UInt8] {
    Array("\(names(input, output))\(note(verdict))\n".utf8)
  }

  private static func note(_ verdict: JobVerdict) -> String {
    switch verdict {
    case .convert(replacing: false): ""
    case .convert(replacing: true): " (replaced if it exists)"
    case .skip(.outputExists): " (skipped: exists)"
    case .skip(.alreadyDone): " (skipped: done before)"
    case .refuse: " (error: exists)"
    }
  }

  /// `a.wav -> a-x1.5.wav`
  private static func names(_ input: ConversionInput, _ output: ConversionOutput) -> String {
    escapedForTerminal(input.path) + " -> " + escapedForTerminal(output.path)
  }

  private static func facts(of source: SourceDescription) -> String {
    facts(source.format, codec: encoding(of: source), source.spec, frames: source.frameCount)
  }

  private static func facts(
    _ format: AudioFormat, codec: String?, _ spec: AudioSpec, frames: Int
  ) -> String {
    var name = format.name
    if let codec { name += " (\(codec))" }
    return "\(name) \(spec.sampleRate) Hz \(spec.layout), \(Quantities.count(frames, "frame"))"
  }
}

// MARK: - Pictures

extension FileLines {
  /// `a.wav -> a.png  3.000 s, 812x real time`
  static func finished(_ job: PlotJob, _ report: Plot.Report) -> String {
    let seconds = report.sourceSeconds
    var facts = [Quantities.playingTime(seconds)]
    if report.seconds > 0 && seconds > 0 {
      facts.append(Quantities.multiple(seconds / report.seconds) + " real time")
    }
    return names(job) + "  " + facts.joined(separator: ", ")
  }

  /// `FLAC (24-bit) 44100 Hz 5.1, 132300 frames -> PNG`
  static func details(_ job: PlotJob, _ report: Plot.Report) -> String {
    facts(of: report.source) + " -> " + job.plot.format.fileExtension.uppercased()
  }

  /// `a.wav -> a.png  the output exists`
  static func skipped(_ job: PlotJob) -> String { names(job) + "  the output exists" }

  /// `12 files -> sheet.png`
  static func sheet(_ cells: Int, _ sheet: PlotSheet) -> String {
    "\(Quantities.count(cells, "file")) -> \(escapedForTerminal(sheet.output.path))"
  }

  private static func names(_ job: PlotJob) -> String { names(job.plot.input, job.plot.output) }
}
