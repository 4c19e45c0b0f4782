import ArgumentParser
import ScaleAudio

/// The level of a whole file.
struct LevelOptions: ParsableArguments {
  @Flag(
    name: .customLong("guard"),
    help:
      "Scan each file first, and lower it just enough to prevent clipping. Files that would not clip stay as they are."
  )
  var guardsLevel = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Scan each file first, and set its sample peak to -60 to 0 dB relative to full scale, such as -1. Prevents clipping too.",
      valueName: "peak-db"),
    transform: PeakValue.init)
  var normalize: PeakValue?

  /// Whether the level may change.
  var isGiven: Bool { guardsLevel || normalize != nil }

  /// The change that the options ask for.
  var change: LevelChange {
    if let normalize { return .normalized(peak: normalize.decibels) }
    return guardsLevel ? .guarded : .unchanged
  }
}

/// The value of `--normalize`: `-1`, `-0.5` or `-3dB`.
struct PeakValue {
  let decibels: Double

  init(_ text: String) throws {
    let number = text.lowercased().hasSuffix("db") ? text.dropLast(2) : text[...]
    let isNegative = number.hasPrefix("-")
    guard let value = Decimal.value(isNegative ? number.dropFirst() : number),
      ConversionSettings.peakRange.contains(isNegative ? -value : value)
    else {
      throw ValidationError(
        refusing: text, "a peak is a number within -60 to 0 dB, such as -1 or -0.5")
    }
    decibels = isNegative ? -value : value
  }
}
