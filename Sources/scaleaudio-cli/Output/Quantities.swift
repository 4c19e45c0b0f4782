internal import AudioModel
import Glibc

/// Numbers as people read them.
enum Quantities {
  /// A playing time to the millisecond: `3.000 s`, `1:30.250`, `1:02:03.500`.
  static func playingTime(_ seconds: Double) -> String {
    let milliseconds = (max(0, seconds) * 1000).rounded()
    guard milliseconds < 1e15 else { return "very long" }
    let total = Int(milliseconds)
    let fraction = "." + padded(total % 1000, 3)
    let whole = total / 1000
    return whole < 60 ? "\(whole)\(fraction) s" : clock(whole) + fraction
  }

  /// A playing time to the millisecond below a minute, above it to the second: `3.000 s`, `1:30`, `1:02:04`.
  static func shortTime(_ seconds: Double) -> String {
    guard seconds >= 59.9995, seconds < 1e12 else { return playingTime(seconds) }
    return clock(Int(seconds.rounded()))
  }

  /// A waiting time to the second: `0:42`, `1:02:03`.
  static func clock(_ seconds: Int) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
    return hours > 0
      ? "\(hours):\(padded(minutes, 2)):\(padded(rest, 2))" : "\(minutes):\(padded(rest, 2))"
  }

  /// A place in a recording, to the millisecond where it has any: `0:30`, `0:30.25`, `1:02:03`.
  static func place(_ seconds: Double) -> String {
    let milliseconds = (max(0, seconds) * 1000).rounded()
    guard milliseconds < 1e15 else { return "very far" }
    let (whole, rest) = Int(milliseconds).quotientAndRemainder(dividingBy: 1000)
    guard rest > 0 else { return clock(whole) }
    var digits = padded(rest, 3)
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(clock(whole)).\(digits)"
  }

  /// The time that work took: `0.04 s`, `4.2 s`, `1:02`.
  static func elapsed(_ seconds: Double) -> String {
    if seconds < 0.995 { return decimal(seconds, digits: 2) + " s" }
    if seconds < 59.95 { return decimal(seconds, digits: 1) + " s" }
    return clock(Int(seconds.rounded()))
  }

  /// `2 minutes`, `95 minutes`, `3.5 hours`
  static func roughly(seconds: Int) -> String {
    let minutes = (seconds + 30) / 60
    if minutes < 100 { return count(max(1, minutes), "minute") }
    return decimal((Double(minutes) / 6).rounded() / 10, digits: 1) + " hours"
  }

  /// A multiple, such as of real time: `0.87x`, `8.7x`, `512x`.
  static func multiple(_ value: Double) -> String {
    if value < 0.995 { return decimal(value, digits: 2) + "x" }
    return decimal(value, digits: value < 9.95 ? 1 : 0) + "x"
  }

  /// A change of length as factor and speed: `1.5x as long (0.667x speed)`.
  static func change(factor: Double) -> String {
    "\(significant(factor, 6))x as long (\(significant(1 / factor, 3))x speed)"
  }

  /// A change of pitch: `pitch -2 semitones`, `pitch +0.3 semitones`.
  static func change(semitones: Double) -> String {
    let noun = abs(semitones) == 1 ? "semitone" : "semitones"
    return "pitch \(semitones > 0 ? "+" : "")\(significant(semitones, 4)) \(noun)"
  }

  /// The change of pitch that comes with a change of length: `pitch -6.2 semitones`, `pitch +0.34 semitones`.
  static func pitch(withFactor factor: Double) -> String {
    let semitones = -12 * log2(factor)
    let digits = semitones.magnitude < 1 ? 100.0 : 10
    return change(semitones: (semitones * digits).rounded() / digits)
  }

  /// Clipped samples: `12 samples clipped by up to 0.8 dB`.
  static func clipping(_ samples: Int, decibels: Double) -> String {
    let amount =
      decibels < 0.05 ? "less than 0.1 dB" : "up to \(decimal(decibels, digits: 1)) dB"
    return "\(count(samples, "sample")) clipped by \(amount)"
  }

  /// A size in bytes: `812 bytes`, `343 KB`, `1.4 MB`, with powers of 1000.
  static func size(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return count(bytes, "byte") }
    var size = Double(bytes) / 1000
    var units = ["KB", "MB", "GB", "TB"][...]
    while size >= 999.5, units.count > 1 {
      size /= 1000
      units = units.dropFirst()
    }
    return decimal(size, digits: size < 99.95 ? 1 : 0) + " " + (units.first ?? "")
  }

  /// `1 file`, `2 files`.
  static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }

  /// Digits in groups of three: `12,345`.
  static func grouped(_ number: Int) -> String { number.grouped }

  /// `1 frame`, `12,345 frames`.
  static func groupedCount(_ number: Int, _ noun: String) -> String {
    grouped(number) + (number == 1 ? " \(noun)" : " \(noun)s")
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// A number with `digits` decimals.
  static func decimal(_ value: Double, digits: Int) -> String {
    formatted("%.\(digits)f", value)
  }

  /// A number with this many significant digits: `0.5`, `-2`.
  static func significant(_ value: Double, _ digits: Int) -> String {
    formatted("%.\(digits)g", value)
  }

  private static func formatted(_ format: String, _ value: Double) -> String {
    var buffer = [CChar](repeating: 0, count: 64)
    let length = withVaList([value]) { vsnprintf(&buffer, buffer.count, format, $0) }
    return String(
      decoding: buffer.prefix(max(0, Int(length))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
