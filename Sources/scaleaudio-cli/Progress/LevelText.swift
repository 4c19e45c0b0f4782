import ScaleAudio

/// What is said of a file's level.
enum LevelText {
  /// `12 samples clipped by up to 0.8 dB`; `nil` where none was.
  static func clipping(_ report: ConversionReport) -> String? {
    guard report.clippedSamples > 0 else { return nil }
    let text = clipping(report.clippedSamples, decibels: report.clippedDecibels ?? 0)
    // Where it was asked for already, what was clamped was so when the source was read.
    return report.gainDecibels == nil ? "\(text); --guard lowers the level instead" : text
  }

  /// `12 samples clipped by up to 0.8 dB`
  static func clipping(_ samples: Int, decibels: Double) -> String {
    let amount =
      decibels < 0.05 ? "less than 0.1 dB" : "up to \(Quantities.decimal(decibels, digits: 1)) dB"
    return "\(Quantities.count(samples, "sample")) clipped by \(amount)"
  }

  /// `lowered by 1.25 dB`, `raised by 3 dB`, `level not changed`; `nil` where nothing was asked for.
  static func gain(_ report: ConversionReport) -> String? {
    guard let gain = report.gainDecibels else { return nil }
    if gain == 0 { return "level not changed" }
    let amount = max(0.01, gain.magnitude)
    return "\(gain < 0 ? "lowered" : "raised") by \(Quantities.decimal(amount, digits: 2)) dB"
  }
}
