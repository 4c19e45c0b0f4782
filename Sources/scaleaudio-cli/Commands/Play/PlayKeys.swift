import AudioPlayer

/// The commands that keys give to `play`.
enum PlayKey: Equatable {
  case toggle, quit, help, mute, switchTime, markLoop, `repeat`, shuffle, resetRate, compare, write
  /// Seconds further.
  case move(Double)
  /// Chapters, or files, further.
  case chapter(Int)
  case file(Int)
  /// The file of this number, from 0.
  case item(Int)
  /// Tenths of the file; 10 is its end.
  case tenth(Int)
  /// Steps of the rate, or doublings.
  case rate(Int)
  case octaveOfRate(Int)
  case semitone(Int)
  /// Steps of the volume.
  case volume(Int)
  /// A column of the waveform, from 0, and how many it has.
  case column(Int, of: Int)
  /// A button of the mouse at a place in the window, from 1: pressed, moved, or released.
  case press(column: Int, row: Int)
  case drag(column: Int)
  case release
  /// Hundredths of the rate, and of a semitone.
  case percent(Int)
  case cents(Int)
  /// Steps by which the start and the end of the loop move; then the same in seconds.
  case nudge(start: Int, end: Int)
  case moveLoop(start: Double, end: Double)
  /// The length of such a step: 10 ms, or a beat; and a beat that a person taps.
  case unit, tap
  /// Events from round to round.
  case trainer, pauseBetween, countIn
  case between(LoopBreak)
  /// The start of the sentence before, or after.
  case phrase(Int)
  /// A loop of the sentence that is heard.
  case phraseLoop
  /// Keeps the moment, or the loop under a name; removes what is chosen in the list.
  case mark, keep, remove
  case loop(Range<Int>)
  /// Writes what was kept into a file of labels, or a cue sheet.
  case export
  /// Shows less of the file in the waveform for positive steps, or more.
  case zoom(Int)
  /// The waveform stays, or follows again.
  case hold
  /// A frame of the file that is heard.
  case seek(frame: Int)
  /// Begins to look for a name; then letters, and what ends it.
  case search, text(String), enter, erase, escape
}

extension PlayKey {
  /// True if what it does depends on the place that is heard, or on the loop.
  var needsPlace: Bool {
    switch self {
    case .phrase, .phraseLoop, .mark, .keep, .zoom, .write: true
    default: false
    }
  }

  /// True if letters follow it: a search, or a name.
  var beginsText: Bool { self == .search || self == .keep }

  /// True if it acts at once, also while others wait.
  var overtakes: Bool { self == .quit || self == .toggle || self == .mute }
}

/// Reads keys, and what a mouse does, from what a terminal sends.
struct PlayKeys {
  /// The help on keys: keys in 19 columns, and what they do.
  static let help = [
    "space              pause or resume",
    "left, right        10 seconds back or forward; with Shift 1 second",
    "down, up           1 minute back or forward",
    "PgDn, PgUp         previous or next chapter",
    "< >                previous or next file",
    "Home, End, 0-9     start, end, tenths of the file",
    "/                  go to a chapter or file by its name",
    "[ ] ( )            speed by 5 %, by 1 %; Backspace resets speed and key",
    "{ }                half the speed, double",
    ", . ; '            key by a semitone, by 5 cents",
    "c                  original or result",
    "s                  write what is heard",
    "l                  loop: start, end, none",
    "a A b B            move A or B back or forward, by 10 ms",
    "u y                move them by a beat; tap the beat",
    "T                  trainer: faster every second round",
    "r i                pause as long as the loop after it; count in",
    "p n                start of the sentence; the next one",
    "P                  loop of the sentence, with a pause; p n: its neighbors",
    "m k                keep this moment; keep the loop under a name",
    "Delete             remove the mark or the loop that is chosen after /",
    "e                  export what is kept: labels, cue sheet",
    "L S                repeat the file, the list, nothing; shuffle",
    "z Z                show less or more in the waveform",
    "f                  the waveform follows, or stays",
    "- = M              volume, mute",
    "t ? q              elapsed or remaining; this help; quit",
    "mouse              click a moment, drag, click the list; Shift selects text",
  ]

  /// The help in a window of so many columns: in a narrow one, what keys do is broken, and below them in a very narrow one.
  static func lines(columns: Int) -> [String] {
    let column = 19
    if columns >= 68 { return help }
    return help.flatMap { line -> [String] in
      let keys = String(line.prefix(column)).trimmingBlanks
      let does = String(line.dropFirst(column))
      if columns < 30 {
        return [keys] + DisplayWidth.lines(of: does, columns: max(8, columns - 2)).map { "  " + $0 }
      }
      let lines = DisplayWidth.lines(of: does, columns: columns - 15)
      // Keys that do not fit beside have their own line.
      let start = keys.count <= 14 ? keys : ""
      let shown = lines.enumerated().map { index, text in
        let before = index == 0 ? start : ""
        return before + String(repeating: " ", count: 15 - before.count) + text
      }
      return start.isEmpty ? [keys] + shown : shown
    }
  }

  private var pending: [UInt8] = []
  /// True while keys are letters.
  var takesText = false

  /// The keys in the next bytes; an incomplete sequence waits for its rest.
  mutating func keys(in bytes: [UInt8]) -> [PlayKey] {
    // A sequence comes at once; a key Esc comes alone.
    if bytes.isEmpty, pending == [0x1B] {
      (pending, takesText) = ([], false)
      return [.escape]
    }
    pending += bytes
    var keys: [PlayKey] = []
    while let first = pending.first {
      if first == 0x1B {
        guard pending.count > 1 else { break }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
          pending.removeFirst()
          if takesText { keys.append(.escape) }
          takesText = false
          continue
        }
        guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) })
        else {
          // No sequence is this long.
          if pending.count > 32 { pending = [] }
          break
        }
        let parameters = String(decoding: pending[2..<end], as: UTF8.self)
        if let key = Self.key(Character(Unicode.Scalar(pending[end])), parameters) {
          // Only the end of a movement of the mouse counts.
          if case .drag = key, case .drag = keys.last { keys.removeLast() }
          keys.append(key)
        }
        pending.removeSubrange(...end)
      } else if takesText, first >= 0x20, first != 0x7F {
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard pending.count >= length else { break }
        let letter = String(decoding: pending.prefix(length), as: UTF8.self)
        pending.removeFirst(length)
        keys.append(.text(letter.unicodeScalars.contains("\u{fffd}") ? "" : letter))
      } else {
        pending.removeFirst()
        if takesText, first == 0x7F || first == 8 {
          keys.append(.erase)
        } else if first == 0x0D || first == 0x0A {
          keys.append(.enter)
          // Keys after a name may come before it is taken.
          takesText = false
        } else if let key = Self.key(first) {
          keys.append(key)
          // The letters of a search may come with the key that begins it.
          if key.beginsText { takesText = true }
        }
      }
    }
    return keys
  }

  /// The same keys after one that asked for a text in vain, such as the name of a loop where none is: letters up to the
  /// end of that text become keys.
  mutating func withoutText(_ read: [PlayKey]) -> [PlayKey] {
    let end = read.firstIndex { $0 == .enter || $0 == .escape } ?? read.endIndex
    var isText = false
    let letters = read[..<end].compactMap { key -> PlayKey? in
      if isText { return key }
      let byte: UInt8?
      switch key {
      case .text(let letter): byte = letter.utf8.count == 1 ? letter.utf8.first : nil
      case .erase: byte = 0x7F
      default: return key
      }
      let found = byte.flatMap { Self.key($0) }
      isText = found?.beginsText ?? false
      return found
    }
    if end == read.endIndex { takesText = isText }
    return letters + read[end...]
  }

  private static func key(_ byte: UInt8) -> PlayKey? {
    switch Character(Unicode.Scalar(byte)) {
    case " ": .toggle
    case "q", "Q": .quit
    case "?": .help
    case "M": .mute
    case "t": .switchTime
    case "c": .compare
    case "s": .write
    case "(": .percent(-1)
    case ")": .percent(1)
    case ";": .cents(-5)
    case "'": .cents(5)
    case "a": .nudge(start: -1, end: 0)
    case "A": .nudge(start: 1, end: 0)
    case "b": .nudge(start: 0, end: -1)
    case "B": .nudge(start: 0, end: 1)
    case "u": .unit
    case "y": .tap
    case "T": .trainer
    case "r": .pauseBetween
    case "i": .countIn
    case "p": .phrase(-1)
    case "n": .phrase(1)
    case "P": .phraseLoop
    case "m": .mark
    case "k": .keep
    case "e": .export
    case "z": .zoom(1)
    case "Z": .zoom(-1)
    case "f": .hold
    case "/": .search
    case "l": .markLoop
    case "L": .repeat
    case "S": .shuffle
    case "<": .file(-1)
    case ">": .file(1)
    case "[": .rate(-1)
    case "]": .rate(1)
    case "{": .octaveOfRate(-1)
    case "}": .octaveOfRate(1)
    case "\u{7f}", "\u{8}": .resetRate
    case ",": .semitone(-1)
    case ".": .semitone(1)
    case "-", "_": .volume(-1)
    case "=", "+": .volume(1)
    case let digit where digit.isASCII && digit.isNumber: .tenth(Int(byte) - 0x30)
    default: nil
    }
  }

  /// The key of a control sequence, by its last character.
  private static func key(_ last: Character, _ parameters: String) -> PlayKey? {
    if parameters.first == "<" { return mouse(parameters.dropFirst(), isPressed: last == "M") }
    let isShifted = parameters.hasSuffix(";2")
    let number = parameters.split(separator: ";").first.flatMap { Int($0) }
    switch (last, number) {
    case ("C", _): return .move(isShifted ? 1 : 10)
    case ("D", _): return .move(isShifted ? -1 : -10)
    // As rxvt sends them with Shift.
    case ("c", _): return .move(1)
    case ("d", _): return .move(-1)
    case ("A", _): return .move(60)
    case ("B", _): return .move(-60)
    case ("H", _), ("~", 1), ("~", 7): return .tenth(0)
    case ("F", _), ("~", 4), ("~", 8): return .tenth(10)
    case ("~", 3): return .remove
    case ("~", 5): return .chapter(1)
    case ("~", 6): return .chapter(-1)
    default: return nil
    }
  }

  /// Returns the action of the first mouse button, from its code, column and row.
  private static func mouse(_ parameters: Substring, isPressed: Bool) -> PlayKey? {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    guard numbers.count == 3, numbers.allSatisfy((0...100_000).contains) else { return nil }
    // Bits for Shift, Alt and Ctrl are of no interest.
    switch (numbers[0] & ~0x1C, isPressed) {
    case (0, true): return .press(column: numbers[1], row: numbers[2])
    case (32, true): return .drag(column: numbers[1])
    case (0, false): return .release
    default: return nil
    }
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
