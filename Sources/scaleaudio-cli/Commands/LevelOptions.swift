import ArgumentParser
import ScaleAudio

/// What becomes of the level of a whole file.
struct LevelOptions: ParsableArguments {
  @Flag(
    name: .customLong("guard"),
    help:
      "Scan each file first and lower the whole of it just enough that nothing is clipped; say by how much. What would not be clipped is not changed."
  )
  var guardsLevel = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Scan each file first and set its sample peak, -60 to 0 dB below full scale, such as -1. Includes --guard.",
      valueName: "peak-db"),
    transform: PeakValue.init)
  var normalize: PeakValue?

  /// Whether the level may be changed.
  var isGiven: Bool { guardsLevel || normalize != nil }

  /// Adds what was asked to settings.
  func apply(to settings: inout ConversionSettings) {
    settings.guardsLevel = guardsLevel
    settings.normalizePeak = normalize?.decibels
  }
}
