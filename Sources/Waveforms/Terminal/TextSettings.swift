/// The characters of a text picture.
public enum TextGlyphs: String, CaseIterable, Hashable, Sendable {
  /// Blocks in eighths of a line, which are in every font.
  case blocks
  /// Braille patterns of 2 x 4 dots, which are finer.
  case braille

  /// The number of parts of a column and of a line.
  var parts: (columns: Int, rows: Int) {
    switch self {
    case .blocks: (1, 8)
    case .braille: (2, 4)
    }
  }
}

/// The colors that a terminal supports.
public enum TextColors: Hashable, Sendable {
  /// No colors, and no escape sequences.
  case none
  /// The sixteen colors of ECMA-48 and its successors.
  case basic
  /// The 256 colors of xterm.
  case palette
  /// All colors of sRGB.
  case full
}

/// The appearance of a text picture.
public struct TextSettings: Hashable, Sendable {
  /// The valid numbers of columns and lines.
  public static let columnRange = 16...1000, lineRange = 4...1000

  /// The style, bars and colors, and whether to draw lanes only. A column is five points wide; the
  /// size in points is ignored.
  public var picture: PictureSettings
  /// The width of the picture in columns, within ``columnRange``.
  public var columns: Int
  /// The height of the picture in lines, within ``lineRange``; `nil` for the height that its lanes need.
  public var lines: Int?
  /// The maximum height of the picture in lines if ``lines`` is `nil`.
  public var maximumLines: Int
  /// The characters of the picture.
  public var glyphs: TextGlyphs
  /// The colors to use.
  public var colors: TextColors
  /// True if the theme matches the background of the terminal. Otherwise, colors are used that have enough
  /// contrast on any background.
  public var knowsGround: Bool

  /// Settings; by default 80 columns of blocks without color.
  public init(
    picture: PictureSettings = PictureSettings(), columns: Int = 80, lines: Int? = nil,
    maximumLines: Int = 1000, glyphs: TextGlyphs = .blocks, colors: TextColors = .none,
    knowsGround: Bool = false
  ) {
    self.picture = picture
    self.columns = columns
    self.lines = lines
    self.maximumLines = maximumLines
    self.glyphs = glyphs
    self.colors = colors
    self.knowsGround = knowsGround
  }

  /// Throws if a setting is out of range.
  func check() throws(RenderingError) {
    guard Self.columnRange.contains(columns) else {
      throw .badSize(
        reason: "a width of \(columns) columns is not within \(Self.columnRange.lowerBound) to "
          + "\(Self.columnRange.upperBound)")
    }
    if let lines, !Self.lineRange.contains(lines) {
      throw .badSize(
        reason: "a height of \(lines) lines is not within \(Self.lineRange.lowerBound) to "
          + "\(Self.lineRange.upperBound)")
    }
  }
}

/// The properties of text in a terminal.
public struct TextMeasure: Sendable {
  /// The width of text in columns.
  public var columns: @Sendable (String) -> Int
  /// Text from a file in a form that is safe on one line of a terminal.
  public var shown: @Sendable (String) -> String

  /// Measures text with these functions.
  public init(
    columns: @escaping @Sendable (String) -> Int, shown: @escaping @Sendable (String) -> String
  ) {
    self.columns = columns
    self.shown = shown
  }

  /// The start and the end of a text that fit in a number of columns, with `…` for the omitted part.
  func fitted(_ text: String, columns room: Int) -> String {
    if columns(text) <= room { return text }
    let characters = Array(text)
    var count = min(characters.count, room)
    while count > 0 {
      let tail = count / 3
      let short =
        String(characters.prefix(count - tail)) + "…" + String(characters.suffix(tail))
      if columns(short) <= room { return short }
      count -= 1
    }
    return ""
  }
}
