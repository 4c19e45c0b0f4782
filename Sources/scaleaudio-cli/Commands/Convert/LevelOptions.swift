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

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Scan each file first, and set its integrated loudness by EBU R 128, such as -16. By gain only. Prevents clipping too.",
      discussion: "Stays quieter if true peaks would exceed --true-peak, with a warning.",
      valueName: "lufs"),
    transform: LoudnessValue.init)
  var loudness: LoudnessValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Highest true peak with --loudness, -60 to 0 dB. Default: -1.", valueName: "peak-db"),
    transform: PeakValue.init)
  var truePeak: PeakValue?

  func validate() throws {
    if normalize != nil && loudness != nil {
      throw ValidationError("--normalize and --loudness exclude each other; give one.")
    }
    if truePeak != nil && loudness == nil { throw ValidationError("--true-peak needs --loudness.") }
  }

  /// True if the level may change.
  var isGiven: Bool { guardsLevel || normalize != nil || loudness != nil }

  /// The name of the option that changes the level.
  var name: String { guardsLevel ? "guard" : normalize != nil ? "normalize" : "loudness" }

  /// The change that the options request.
  var change: LevelChange {
    if let loudness {
      return .loudness(target: loudness.lufs, truePeak: truePeak?.decibels ?? -1)
    }
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

/// The value of `--loudness`: `-16`, `-23LUFS` or `-14.5`.
struct LoudnessValue {
  let lufs: Double

  init(_ text: String) throws {
    let lowered = text.lowercased()
    let number = lowered.hasSuffix("lufs") ? lowered.dropLast(4) : lowered[...]
    let isNegative = number.hasPrefix("-")
    guard let value = Decimal.value(isNegative ? number.dropFirst() : number),
      ConversionSettings.loudnessRange.contains(isNegative ? -value : value)
    else {
      throw ValidationError(
        refusing: text, "a loudness is a number of LUFS within -60 to 0, such as -16 or -23")
    }
    lufs = isNegative ? -value : value
  }
}
