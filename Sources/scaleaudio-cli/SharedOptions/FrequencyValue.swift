import ArgumentParser
import ScaleAudio

/// The value of `--rate`: `48000`, `48k` or `44.1kHz`.
struct SampleRateValue {
  let hertz: Int

  init(_ text: String) throws {
    if let ratio = Decimal.ratio(text), (0.1...4).contains(ratio) {
      throw ValidationError(
        refusing: text,
        "a sample rate is in Hz, such as 48000; for a speed, write --speed \(text) or --tempo \(text)"
      )
    }
    if let number = Decimal.value(text), (4...768).contains(number) {
      let kilohertz = text + "k"
      throw ValidationError(
        refusing: text,
        "\(text) is \(text) Hz; for \(Quantities.grouped(Int((1000 * number).rounded()))) Hz write \(kilohertz)"
      )
    }
    try self.init(text, within: ConversionSettings.sampleRateRange)
  }

  init(_ text: String, within range: ClosedRange<Int>) throws {
    guard let value = FrequencyValue.value(text), let hertz = Int(exactly: value.rounded()),
      range.contains(hertz)
    else {
      throw ValidationError(
        refusing: text,
        "a sample rate is within \(range.lowerBound) to \(range.upperBound) Hz, such as 48000 or 44.1k"
      )
    }
    self.hertz = hertz
  }
}

/// A frequency: `8000`, `8k`, `44.1kHz`.
enum FrequencyValue {
  /// The frequency in Hz, at least 1.
  static func hertz(_ text: String) throws -> Double {
    guard let value = value(text), value >= 1, value.isFinite else {
      throw ValidationError(refusing: text, "a frequency is at least 1 Hz, such as 8000 or 8k")
    }
    return value
  }

  fileprivate static func value(_ text: String) -> Double? {
    var number = text.lowercased()[...]
    if number.hasSuffix("hz") { number = number.dropLast(2) }
    let isThousands = number.hasSuffix("k")
    return Decimal.value(isThousands ? number.dropLast() : number).map {
      $0 * (isThousands ? 1000 : 1)
    }
  }
}
