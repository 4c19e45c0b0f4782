import AudioIO
import ScaleAudio

extension Conversion {
  func foreseen(_ cancellation: Cancellation) throws(ConversionError) -> ForeseenFile? {
    // What comes through a pipe can be read only once.
    guard case .file(let path) = input, FileStatus(path: path)?.kind != .pipe else { return nil }
    let planned = try planned(cancellation: cancellation)
    let losses = planned.losses.map { escapedForTerminal($0.text) }
    let stale = planned.staleTags.map { escapedForTerminal($0) }
    return ForeseenFile(
      facts: PlannedLines.facts(planned),
      lines: losses.isEmpty ? [] : ["would lose  " + losses.joined(separator: ", ")],
      details: planned.warnings.map { "note  " + escapedForTerminal($0.text) }
        + (stale.isEmpty
          ? [] : ["left out because no longer valid  " + stale.joined(separator: ", ")]),
      record: PlannedRecord(planned), seconds: planned.spec.seconds(frames: planned.frameCount),
      bytes: planned.bytes ?? .estimated(0), losesSomething: !losses.isEmpty)
  }
}

/// Words about an output that has not been made yet.
private enum PlannedLines {
  /// `WAV (16-bit) 44100 Hz stereo, 132,300 frames, 3.000 s, 1.5x as long (0.667x speed), smoothstep, 529,244 bytes`
  static func facts(_ planned: PlannedOutput) -> String {
    var parts = [
      FileLines.format(
        planned.format, codec: planned.sampleFormat?.description, planned.spec,
        frames: planned.frameCount),
      Quantities.playingTime(planned.spec.seconds(frames: planned.frameCount)),
    ]
    var scales = planned.factor != 1
    if scales { parts.append(Quantities.change(factor: planned.factor)) }
    if case .stretch(let settings) = planned.method, settings.semitones != 0 {
      parts.append(Quantities.change(semitones: settings.semitones))
      scales = true
    }
    if scales { parts.append(planned.method.kind.rawValue) }
    if let bytes = planned.bytes { parts.append(ForeseenTotal.text(of: bytes)) }
    return parts.joined(separator: ", ")
  }
}
