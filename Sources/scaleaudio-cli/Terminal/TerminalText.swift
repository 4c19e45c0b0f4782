internal import CTerminal
import Glibc
import ScaleAudio

/// The path with everything escaped that could move the cursor or reorder text, or is not UTF-8: `\n`, `\u{1b}`,
/// `\u{202e}`; `\xff` is a byte.
func escapedForTerminal(_ path: FilePath) -> String {
  path.withPlatformString { name in
    var bytes: [UInt8] = []
    var index = 0
    while name[index] != 0 {
      bytes.append(UInt8(bitPattern: name[index]))
      index += 1
    }
    return escapedForTerminal(bytes)
  }
}

/// The text on one line, escaped for a terminal.
func escapedForTerminal(_ text: String) -> String {
  var shown = ""
  for scalar in text.unicodeScalars { append(scalar, to: &shown) }
  return shown
}

private func escapedForTerminal(_ bytes: [UInt8]) -> String {
  var shown = ""
  var rest = bytes.makeIterator()
  var parser = Unicode.UTF8.ForwardParser()
  var position = 0
  while true {
    switch parser.parseScalar(from: &rest) {
    case .valid(let encoded):
      append(Unicode.UTF8.decode(encoded), to: &shown)
      position += encoded.count
    case .error(let length):
      for byte in bytes[position..<position + length] { shown += "\\x" + hexadecimal(byte) }
      position += length
    case .emptyInput:
      return shown
    }
  }
}

private func append(_ scalar: Unicode.Scalar, to shown: inout String) {
  switch scalar.value {
  case 0x09: shown += "\\t"
  case 0x0A: shown += "\\n"
  case 0x0D: shown += "\\r"
  // Controls; line and paragraph separators; the marks that reorder text (UAX #9, section 2).
  case 0x00..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
    shown += "\\u{" + String(scalar.value, radix: 16) + "}"
  default: shown.unicodeScalars.append(scalar)
  }
}

private func hexadecimal(_ value: UInt8) -> String {
  let digits = String(value, radix: 16)
  return digits.count < 2 ? "0" + digits : digits
}

/// The number of terminal columns that text takes, by wcwidth(3).
///
/// If terminals disagree (joined emoji, variation selectors), the larger number is used, so that a line
/// measured here never wraps.
enum DisplayWidth {
  /// The columns that `text` takes.
  static func columns(_ text: String) -> Int {
    inUTF8 { text.unicodeScalars.reduce(0) { $0 + columns($1) } }
  }

  /// The start of `text`, at most `limit` columns; `mark` replaces the rest.
  static func cutEnd(of text: String, to limit: Int, mark: String = "...") -> String {
    if columns(text) <= limit { return text }
    let mark = String(mark.prefix(max(0, limit)))
    return fitting(Array(text), into: limit - mark.count) + mark
  }

  /// The end of `text`, at most `limit` columns; `mark` replaces the start.
  static func cutStart(of text: String, to limit: Int, mark: String = "...") -> String {
    if columns(text) <= limit { return text }
    let mark = String(mark.prefix(max(0, limit)))
    return mark + String(fitting(text.reversed(), into: limit - mark.count).reversed())
  }

  /// Lines of at most `limit` columns, broken at spaces; a longer word gets its own line.
  static func lines(of text: String, columns limit: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if !last.isEmpty && columns(last) + 1 + columns(String(word)) > limit {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] = last.isEmpty ? String(word) : "\(last) \(word)"
      }
    }
    return lines
  }

  /// The leading characters that fit into `limit` columns; combining marks stay with their letters.
  private static func fitting(_ characters: [Character], into limit: Int) -> String {
    var taken = ""
    var room = limit
    for character in characters {
      room -= columns(String(character))
      if room < 0 { break }
      taken.append(character)
    }
    return taken
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    // Some terminals draw a character that is followed by the emoji selector two columns wide.
    if scalar.value == 0xFE0F { return 1 }
    let width = CTerminal.wcwidth(Int32(bitPattern: scalar.value))
    if width >= 0 { return Int(width) }
    // Newer than the C library's tables; most additions beyond the basic plane are emoji.
    return scalar.value >= 0x1F000 ? 2 : 1
  }

  /// Runs `work` with a UTF-8 character table for wcwidth(3), on this thread only.
  private static func inUTF8<Result>(_ work: () -> Result) -> Result {
    guard let locale = utf8.locale else { return work() }
    let previous = uselocale(locale)
    defer { uselocale(previous) }
    return work()
  }

  /// A locale that is created once and never changed.
  private struct Table: @unchecked Sendable {
    let locale: locale_t?
  }

  private static let utf8: Table = {
    for name in ["C.UTF-8", "en_US.UTF-8"] {
      if let locale = newlocale(LC_CTYPE_MASK, name, nil) { return Table(locale: locale) }
    }
    return Table(locale: nil)
  }()
}
