/// The appearance of a character.
struct TextLook: Hashable {
  /// The color; `nil` for the default of the terminal.
  var color: RGBColor?
  /// The background color; `nil` for the default of the terminal.
  var background: RGBColor?
  var isBold = false
  /// True if the colors of character and background are swapped.
  var isInverse = false
}

/// A drawing surface of characters, in columns and lines from its upper left corner.
struct TextGrid {
  private struct Cell: Hashable {
    /// A character; empty after one that is two columns wide.
    var glyph = " "
    var look = TextLook()
  }

  let columns: Int
  private var cells: [[Cell]]
  private let measure: TextMeasure

  init(columns: Int, lines: Int, measure: TextMeasure) {
    self.columns = columns
    self.measure = measure
    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: lines)
  }

  /// True if a cell is empty.
  func isFree(_ column: Int, _ line: Int) -> Bool { cells[line][column] == Cell() }

  /// Draws a character that is one column wide.
  mutating func put(_ glyph: Character, _ column: Int, _ line: Int, _ look: TextLook) {
    guard cells.indices.contains(line), cells[line].indices.contains(column) else { return }
    cells[line][column] = Cell(glyph: String(glyph), look: look)
  }

  /// Draws text that starts in a column, and omits the part that does not fit.
  mutating func put(_ text: String, at column: Int, _ line: Int, _ look: TextLook) {
    guard cells.indices.contains(line) else { return }
    var column = column
    for character in text {
      let width = measure.columns(String(character))
      guard column >= 0, column + width <= columns else { return }
      if width == 0 { continue }
      cells[line][column] = Cell(glyph: String(character), look: look)
      for next in column + 1..<column + max(1, width) {
        cells[line][next] = Cell(glyph: "", look: look)
      }
      column += width
    }
  }

  /// The lines of text. Each begins and ends with the default appearance of the terminal.
  func lines(in colors: TextColors) -> [String] {
    cells.map { line in
      var text = ""
      var look = TextLook()
      let end = (line.lastIndex { $0 != Cell() } ?? -1) + 1
      for cell in line[..<end] {
        if cell.look != look && colors != .none {
          text += EscapeSequence.look(cell.look, in: colors)
          look = cell.look
        }
        text += cell.glyph
      }
      return look == TextLook() ? text : text + EscapeSequence.plain
    }
  }
}

/// Escape sequences for the appearance of text (ECMA-48, Select Graphic Rendition).
enum EscapeSequence {
  static let plain = "\u{1b}[0m"

  static func look(_ look: TextLook, in colors: TextColors) -> String {
    var codes = ["0"]
    if look.isBold { codes.append("1") }
    if look.isInverse { codes.append("7") }
    if let color = look.color { codes.append(code(color, 38, in: colors)) }
    if let color = look.background { codes.append(code(color, 48, in: colors)) }
    return "\u{1b}[" + codes.joined(separator: ";") + "m"
  }

  /// The code of a color, where `kind` is 38 for characters and 48 for the background.
  private static func code(_ color: RGBColor, _ kind: Int, in colors: TextColors) -> String {
    switch colors {
    case .full: return "\(kind);2;\(color.red);\(color.green);\(color.blue)"
    case .palette: return "\(kind);5;\(paletteIndex(of: color))"
    case .basic, .none:
      let index = basic.indices.min {
        basic[$0].distance(to: color) < basic[$1].distance(to: color)
      }
      // 30 to 37 and 90 to 97 for characters, 40 to 47 and 100 to 107 for the background.
      let place = index ?? 7
      return "\(kind - 8 + (place < 8 ? place : place + 52))"
    }
  }

  /// The sixteen colors of xterm.
  private static let basic: [RGBColor] = {
    let dark: [RGBColor] = (0..<8).map { index in
      if index == 7 { return RGBColor(0xE5E5E5) }
      func part(_ bit: Int) -> UInt8 { index >> bit & 1 == 1 ? 205 : 0 }
      return RGBColor(red: part(0), green: part(1), blue: index == 4 ? 238 : part(2))
    }
    let bright: [RGBColor] = (0..<8).map { index in
      if index == 0 { return RGBColor(0x7F7F7F) }
      if index == 4 { return RGBColor(0x5C5CFF) }
      func part(_ bit: Int) -> UInt8 { index >> bit & 1 == 1 ? 255 : 0 }
      return RGBColor(red: part(0), green: part(1), blue: part(2))
    }
    return dark + bright
  }()

  /// The nearest of the 6 x 6 x 6 colors and 24 grays in xterm's palette.
  private static func paletteIndex(of color: RGBColor) -> Int {
    let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    func nearest(_ part: UInt8) -> Int {
      levels.indices.min {
        abs(Int(levels[$0]) - Int(part)) < abs(Int(levels[$1]) - Int(part))
      } ?? 0
    }
    let parts = [color.red, color.green, color.blue].map(nearest)
    let cube = RGBColor(red: levels[parts[0]], green: levels[parts[1]], blue: levels[parts[2]])
    let mean = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
    let step = min(23, max(0, (mean - 3) / 10))
    let level = UInt8(8 + 10 * step)
    let gray = RGBColor(red: level, green: level, blue: level)
    if gray.distance(to: color) < cube.distance(to: color) { return 232 + step }
    return 16 + 36 * parts[0] + 6 * parts[1] + parts[2]
  }
}

extension RGBColor {
  /// The squared distance of two colors.
  fileprivate func distance(to other: RGBColor) -> Int {
    let parts = [(red, other.red), (green, other.green), (blue, other.blue)]
    return parts.reduce(0) { sum, pair in
      let difference = Int(pair.0) - Int(pair.1)
      return sum + difference * difference
    }
  }
}

/// The colors of a picture in a terminal, whose background may be light or dark.
struct TextPalette: Hashable {
  /// Titles; `nil` for the default color of the terminal.
  var text: RGBColor?
  /// Other text, and axes.
  var muted: RGBColor
  /// The waveforms of the sources, repeated.
  var waves: [RGBColor]
  /// Chapters and marks.
  var marker: RGBColor

  /// Colors with enough contrast on white and on black: 4.5 for text, 3 for graphics.
  static let anyGround = TextPalette(
    text: nil, muted: RGBColor(0x767676), waves: [RGBColor(0x0072B2), RGBColor(0xC45500)],
    marker: RGBColor(0x8F62C4))

  /// The colors of a theme with the background of the terminal.
  init(_ theme: PictureTheme) {
    self.init(
      text: theme.text, muted: theme.mutedText, waves: theme.waves, marker: theme.marker)
  }

  init(text: RGBColor?, muted: RGBColor, waves: [RGBColor], marker: RGBColor) {
    self.text = text
    self.muted = muted
    self.waves = waves
    self.marker = marker
  }

  /// The color of a lane.
  func color(track: Int, lane: Int, _ settings: PictureSettings) -> RGBColor? {
    if !settings.colors.isEmpty { return settings.colors[lane % settings.colors.count] }
    return waves.isEmpty ? text : waves[track % waves.count]
  }
}
