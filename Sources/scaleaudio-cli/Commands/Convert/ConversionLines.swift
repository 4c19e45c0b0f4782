import ScaleAudio

extension Conversion: ReportedWork {
  static var schema: RecordSchema { .convert }

  static func result(_ job: ConversionJob, _ report: ConversionReport) -> FileResult {
    FileResult(
      sourceSeconds: report.sourceSeconds, line: ConversionLines.finished(job, report),
      details: ConversionLines.details(report), method: ConversionLines.method(report),
      warnings: ConversionLines.warnings(job, report),
      missedLoudness: ConversionLines.missedLoudness(job, report),
      clippedSamples: report.clippedSamples, clippedDecibels: report.clippedDecibels ?? 0)
  }

  static func record(_ job: ConversionJob, _ report: ConversionReport) -> ConversionRecord {
    ConversionRecord(report)
  }
}

extension ConversionReport {
  /// The playing time of the converted part of the source, in seconds.
  var sourceSeconds: Double { source.spec.seconds(frames: part?.count ?? source.frameCount) }
}

/// Lines about a finished conversion.
private enum ConversionLines {
  /// `a.wav -> a-tempo0.7.wav  3.000 s -> 4.286 s, same pitch`: what changed; the rest is for `--verbose`.
  static func finished(_ job: ConversionJob, _ report: ConversionReport) -> String {
    let outputSeconds = report.spec.seconds(frames: report.outputFrames)
    var parts = [Quantities.shortTime(report.sourceSeconds)]
    if report.factor == 1 {
      parts.append("same length")
    } else {
      parts[0] += " -> " + Quantities.shortTime(outputSeconds)
    }
    if let factor = report.partFactor {
      let change = factor == 1 ? "changed" : "at \(Quantities.significant(1 / factor, 3))x"
      if report.factor == 1 { parts.removeLast() }
      let places = report.scaledParts.map { Self.place($0, report) }
      parts.append("\(places.joined(separator: " and ")) \(change)")
    }
    if let tempo = report.tempo {
      parts.append(TempoText.change(tempo, factor: report.partFactor ?? report.factor))
    }
    if let pitch = pitch(report) { parts.append(pitch) }
    if let gain = gain(report) { parts.append(gain) }
    if report.gaplessTrack != nil { parts.append("gapless") }
    if report.source.storage.video != nil { parts.append("without the picture") }
    if let part = report.part { parts.insert(Self.place(part, report), at: 0) }
    return FileLines.names(job.work) + "  " + parts.joined(separator: ", ")
  }

  /// The place of frames of the source: `0:30-0:45`.
  private static func place(_ frames: Range<Int>, _ report: ConversionReport) -> String {
    [frames.lowerBound, frames.upperBound]
      .map { Quantities.place(report.source.spec.seconds(frames: $0)) }.joined(separator: "-")
  }

  /// `FLAC (24-bit) 44100 Hz 5.1, 132300 frames -> WAV (24-bit) 44100 Hz 5.1, 198450 frames, 1.5x as long (0.667x
  /// speed), smoothstep, 812x real time`
  static func details(_ report: ConversionReport) -> String {
    var parts = [
      FileLines.format(of: report.source) + " -> "
        + FileLines.format(
          report.format, codec: report.sampleFormat?.description, report.spec,
          frames: report.outputFrames)
    ]
    if report.factor != 1 { parts.append(Quantities.change(factor: report.factor)) }
    if let method = method(report) { parts.append(method) }
    if report.seconds > 0 && report.sourceSeconds > 0 {
      parts.append(Quantities.multiple(report.sourceSeconds / report.seconds) + " real time")
    }
    return parts.joined(separator: ", ") + staleTags(report)
  }

  /// `smoothstep`, `sinc (high)`, `stretch`, `stretch (r3)`; `nil` if neither length nor pitch can have changed.
  static func method(_ report: ConversionReport) -> String? {
    if report.factor == 1, report.partFactor ?? 1 == 1, report.method.kind != .stretch {
      return nil
    }
    let name = report.method.kind.rawValue
    if case .stretch(let settings) = report.method, settings.engine != .vocoder {
      return "\(name) (\(settings.engine.rawValue))"
    }
    return report.method.quality.map { "\(name) (\($0.rawValue))" } ?? name
  }

  /// `same pitch` where only the length changed, `pitch -6.2 semitones` where the pitch did; `nil` if neither did.
  private static func pitch(_ report: ConversionReport) -> String? {
    let factor = report.partFactor ?? report.factor
    if case .stretch(let settings) = report.method {
      if settings.semitones != 0 { return Quantities.change(semitones: settings.semitones) }
      return factor == 1 && report.factor == 1 ? nil : "same pitch"
    }
    return factor == 1 ? nil : Quantities.pitch(withFactor: factor)
  }

  /// `; left out because no longer valid: REPLAYGAIN_TRACK_GAIN`; empty if no tag was dropped.
  private static func staleTags(_ report: ConversionReport) -> String {
    if report.staleTags.isEmpty { return "" }
    let names = report.staleTags.map { escapedForTerminal($0) }.joined(separator: ", ")
    return "; left out because no longer valid: \(names)"
  }

  /// `name: text` for each warning.
  static func warnings(_ job: ConversionJob, _ report: ConversionReport) -> [String] {
    let counted = report.missedLoudness == nil ? nil : AudioWarning.Kind.level
    var texts = report.warnings.filter { $0.kind != counted }.map { text(of: $0) }
    if let clipping = clipping(report) { texts.append(clipping) }
    let name = escapedForTerminal(job.work.input.path)
    return texts.map { "\(name): \($0)" }
  }

  /// The warning that the output is quieter than requested.
  static func missedLoudness(
    _ job: ConversionJob, _ report: ConversionReport
  ) -> (warning: String, decibels: Double)? {
    guard let decibels = report.missedLoudness,
      let warning = report.warnings.first(where: { $0.kind == .level })
    else { return nil }
    return ("\(escapedForTerminal(job.work.input.path)): \(text(of: warning))", decibels)
  }

  /// The sentence of a warning, with the option that helps.
  private static func text(of warning: AudioWarning) -> String {
    let text = escapedForTerminal(warning.text)
    return warning.kind == .tagEncoding ? "\(text); --tag-encoding NAME says which it is" : text
  }

  /// `12 samples clipped by up to 0.8 dB`; `nil` if none was.
  private static func clipping(_ report: ConversionReport) -> String? {
    guard report.clippedSamples > 0 else { return nil }
    let text = Quantities.clipping(report.clippedSamples, decibels: report.clippedDecibels ?? 0)
    // With a change of level, the samples were clamped when the source was read.
    return report.gainDecibels == nil ? "\(text); --guard lowers the level instead" : text
  }

  /// `lowered by 1.25 dB`, `raised by 3 dB to -16 LUFS (true peak -2.1 dB)`, `raised by 9 dB and limited by up to 4.2 dB
  /// for 1.3 s to -16 LUFS (true peak -1 dB)`, `level not changed`; `nil` if no change was requested.
  private static func gain(_ report: ConversionReport) -> String? {
    guard var change = change(report) else { return nil }
    if let limiting = report.limiting {
      let text =
        "limited by up to \(Quantities.decimal(limiting.decibels, digits: 1)) dB for "
        + "\(Quantities.decimal(limiting.seconds, digits: limiting.seconds < 1 ? 3 : 1)) s"
      change = report.gainDecibels == 0 ? text : "\(change) and \(text)"
    }
    guard let loudness = report.loudness else { return change }
    // An encoder changes the peaks, and the file is not decoded again.
    let place = report.format.isLossless ? "" : " before encoding"
    let peak = report.truePeakDecibels.map { " (true peak \(signed($0)) dB\(place))" } ?? ""
    let stays = report.gainDecibels == 0 && report.limiting == nil
    let album = report.albumLoudness.map { ", album \(signed($0)) LUFS" } ?? ""
    return change + (stays ? ", " : " to ") + "\(signed(loudness)) LUFS\(peak)\(album)"
  }

  /// `-16.2`, `0.4`
  private static func signed(_ value: Double) -> String {
    let size = Quantities.decimal(value.magnitude, digits: 1)
    return value < 0 && size != "0" ? "-\(size)" : size
  }

  private static func change(_ report: ConversionReport) -> String? {
    guard let gain = report.gainDecibels else { return nil }
    if gain == 0 { return "level not changed" }
    let amount = max(0.01, gain.magnitude)
    return "\(gain < 0 ? "lowered" : "raised") by \(Quantities.decimal(amount, digits: 2)) dB"
  }
}
