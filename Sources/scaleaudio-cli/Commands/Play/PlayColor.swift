import Waveforms

/// A color of the window of `play`, by its meaning.
///
/// Blue is the original, amber what is heard in another way, or a loop; white is a position, red is clipping.
enum PlayColor: UInt8 {
  case ground, text, dim, faint, row, white, red, window, unread, pale
  case blue, bluePeak, blueAhead, blueAheadPeak
  case amber, amberPeak, amberAhead, amberAheadPeak, amberText, band, countdown, loopGround
  case meter, meterGround

  /// The color as 0xRRGGBB.
  var rgb: UInt32 {
    switch self {
    case .ground: 0x0d1117
    case .text: 0xe6edf3
    case .dim: 0x97a4b1
    case .faint: 0x7b8896
    case .row: 0x182330
    case .white: 0xffffff
    case .red: 0xff5c57
    case .window: 0x31465c
    case .unread: 0x2a343f
    case .pale: 0xb9d6f5
    case .blue: 0x86b7ea
    case .bluePeak: 0x376597
    case .blueAhead: 0x5a82ab
    case .blueAheadPeak: 0x2b4a6b
    case .amber: 0xffc36b
    case .amberPeak: 0xa66c1e
    case .amberAhead: 0xbb8440
    case .amberAheadPeak: 0x694a20
    case .amberText: 0xffb454
    case .band: 0x3a2a12
    case .countdown: 0x6b4a17
    case .loopGround: 0x1f1a14
    case .meter: 0x6f8fae
    case .meterGround: 0x161d26
    }
  }

  /// One of sixteen colors; `nil` for the terminal's own.
  private var basic: Int? {
    switch self {
    case .ground, .row, .window, .band, .countdown, .loopGround, .meterGround: nil
    case .text, .white, .dim, .faint, .unread: nil
    case .red: 9
    case .blue, .meter, .pale: 14
    case .bluePeak, .blueAhead: 6
    case .blueAheadPeak: 4
    case .amber, .amberText: 11
    case .amberPeak, .amberAhead, .amberAheadPeak: 3
    }
  }

  /// The number in the palette of xterm: its cube of 6 levels, or its grays.
  private var palette: Int {
    let parts = [16, 8, 0].map { Int(rgb >> $0 & 0xFF) }
    let levels = [0, 95, 135, 175, 215, 255]
    func distance(_ other: [Int]) -> Int {
      zip(parts, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    let near = parts.map { part in
      levels.indices.min { abs(levels[$0] - part) < abs(levels[$1] - part) } ?? 0
    }
    let gray = min(23, max(0, (parts.reduce(0, +) / 3 - 8 + 5) / 10))
    let cube = near.map { levels[$0] }
    if distance(Array(repeating: 8 + 10 * gray, count: 3)) < distance(cube) { return 232 + gray }
    return 16 + 36 * near[0] + 6 * near[1] + near[2]
  }

  /// The parameters of the control sequence that sets the color of characters, or of their ground.
  func parameters(_ colors: TextColors, isGround: Bool) -> String {
    let kind = isGround ? 48 : 38
    switch colors {
    case .none: return ""
    case .basic:
      guard let basic else {
        let isQuiet = self == .faint || self == .unread
        return isQuiet && !isGround ? ";2" : ""
      }
      return ";\((basic < 8 ? 30 : 82) + basic + (isGround ? 10 : 0))"
    case .palette: return ";\(kind);5;\(palette)"
    case .full: return ";\(kind);2;\(rgb >> 16);\(rgb >> 8 & 0xFF);\(rgb & 0xFF)"
    }
  }
}

/// The characters and colors that the window of `play` may use.
struct PlayStyle: Equatable {
  var glyphs: TerminalGlyphs
  var colors: TextColors

  /// True if areas have colors of their own.
  var hasGrounds: Bool { colors == .full || colors == .palette }
  /// True if a cell shows 2 columns of 8 levels each, in two colors; otherwise it has an upper and a lower half.
  var isFine: Bool { glyphs == .unicode && hasGrounds }
  var isASCII: Bool { glyphs == .ascii }

  /// The character at the current position.
  var head: Character { isASCII ? "|" : glyphs == .console ? "│" : "┃" }
  var ellipsis: String { glyphs == .unicode ? "…" : "..." }

  /// Heights of a row, from nothing to all of it.
  var heights: [Character] {
    switch glyphs {
    case .ascii: Array(" .-=+*#")
    case .console: Array(" ▄█")
    case .unicode: Array(" ▁▂▃▄▅▆▇█")
    }
  }

  /// The character of a cell whose halves are empty (0), up to the peak (1), or up to the RMS (2).
  func half(upper: Int, lower: Int) -> Character {
    switch (upper, lower) {
    case (0, 0): " "
    case (2, 2): isASCII ? "#" : "█"
    case (2, _): isASCII ? "#" : "▀"
    case (_, 2): isASCII ? "#" : "▄"
    case (1, 1): isASCII ? ":" : colors == .none ? "░" : "█"
    case (1, _): isASCII ? "'" : colors == .none ? "░" : "▀"
    default: isASCII ? "." : colors == .none ? "░" : "▄"
    }
  }
}
