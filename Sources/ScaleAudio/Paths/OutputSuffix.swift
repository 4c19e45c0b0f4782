internal import AudioModel
internal import TimeScaling

/// The text after a stem that shows what was requested.
///
/// `-from90-to120` for a part; `-x1.5` for a factor, `-speed1.25` for a speed, `-90s` for a length in seconds,
/// `-90000f` for frames, `-mapped` for a time map; then `-sinc` for the method if it is shown, and `-pitch-2` for a
/// change of pitch. If neither length nor pitch changes, it shows what else changes, such as `-16bit-mono`.
enum OutputSuffix {
  /// The suffix for a request; empty if only the format may change.
  ///
  /// `showsMethod` is whether the method was chosen; `nil` for showing every method except the default, and except
  /// those that pitch or map imply.
  static func of(_ settings: ConversionSettings, showsMethod: Bool? = nil) -> String {
    let method = settings.method
    var parts = (settings.part.map { [$0.name] } ?? []) + settings.only.map(\.nameOfOnly)
    let partCount = parts.count
    if let length = length(settings.time), !(isUnchanged(settings.time) && method.semitones != 0) {
      parts.append(length)
    }
    if showsMethod ?? isNotImplied(method, settings.time) { parts.append(method.kind.rawValue) }
    if method.semitones != 0 { parts.append("pitch" + number(method.semitones)) }
    if parts.count == partCount, method.kind == .stretch {
      parts.append("pitch0")
    }
    if case .unchanged = settings.time, method.semitones == 0 { parts += sound(settings) }
    return parts.map { "-" + $0 }.joined()
  }

  /// The suffix if `of` gives none and the name of the source must not be repeated: the format's name.
  static func ofFormat(_ settings: ConversionSettings) -> String {
    "-" + (settings.format?.id ?? "copy")
  }

  /// A number with up to six decimals if they are exact, otherwise with up to four.
  static func number(_ value: Double) -> String {
    if value < 0 { return "-" + number(-value) }
    let exact = decimal(value, places: 1_000_000, digits: 6)
    guard let exact, let read = Double(exact), (read - value).magnitude < 1e-12 * max(1, value)
    else {
      return decimal(value, places: 10_000, digits: 4) ?? "\(value)"
    }
    return exact
  }

  /// A number rounded to some decimals, without trailing zeros; `nil` if it exceeds the range of integers.
  private static func decimal(_ value: Double, places: Int, digits: Int) -> String? {
    guard let scaled = Int(exactly: (value * Double(places)).rounded()) else { return nil }
    let (whole, rest) = scaled.quotientAndRemainder(dividingBy: places)
    var decimals = String(rest)
    decimals = String(repeating: "0", count: digits - decimals.count) + decimals
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return decimals.isEmpty ? "\(whole)" : "\(whole).\(decimals)"
  }

  private static func length(_ time: TimeRequest) -> String? {
    switch time {
    case .factor(let factor): "x" + number(factor.value)
    case .speed(let factor): "speed" + number(1 / factor.value)
    case .duration(let seconds): number(seconds) + "s"
    case .frames(let frames): "\(frames)f"
    case .map: "mapped"
    case .unchanged: nil
    }
  }

  private static func isUnchanged(_ time: TimeRequest) -> Bool {
    switch time {
    case .factor(let factor), .speed(let factor): factor.value == 1
    case .unchanged: true
    case .duration, .frames, .map: false
    }
  }

  private static func isNotImplied(_ method: ScalingMethod, _ time: TimeRequest) -> Bool {
    switch method.kind {
    case .smoothstep: return false
    case .linear, .sinc: return true
    case .stretch:
      if case .map = time { return false }
      if case .unchanged = time { return false }
      return method.semitones == 0
    }
  }

  /// The changes besides length, pitch and format.
  private static func sound(_ settings: ConversionSettings) -> [String] {
    var parts: [String] = []
    if let bits = settings.sampleFormat ?? (settings.forcesInt16 ? .int16 : nil) {
      parts.append(bits.isFloat ? bits.rawValue : "\(bits.bitDepth)bit")
    }
    if case .mono = settings.channels { parts.append("mono") }
    if let rate = settings.sampleRate { parts.append("\(rate)hz") }
    switch settings.level {
    case .unchanged: break
    case .guarded: parts.append("guard")
    case .normalized(let peak): parts.append("peak" + number(peak))
    // A target is never positive: the hyphen before it serves as its sign.
    case .loudness(let target, _): parts.append(number(abs(target)) + "lufs")
    }
    if let rate = settings.encoding.bitRate { parts.append(number(Double(rate) / 1000) + "k") }
    if let quality = settings.encoding.quality { parts.append("quality" + number(quality)) }
    if let level = settings.encoding.compressionLevel { parts.append("level\(level)") }
    if let track = settings.track { parts.append("track\(track)") }
    if settings.metadata != .keep { parts.append("tags-\(settings.metadata.rawValue)") }
    return parts
  }
}
