import ArgumentParser
import ScaleAudio

/// The value of `--normalize`: `-1`, `-0.5` or `-3dB`.
struct PeakValue {
  let decibels: Double

  init(_ text: String) throws {
    let number = text.lowercased().hasSuffix("db") ? text.dropLast(2) : text[...]
    let isNegative = number.hasPrefix("-")
    guard let value = Decimal.value(isNegative ? number.dropFirst() : number),
      ConversionSettings.peakRange.contains(isNegative ? -value : value)
    else { throw ValidationError("a peak is a number within -60 to 0 dB, such as -1 or -0.5") }
    decibels = isNegative ? -value : value
  }
}
