/// The characters that a picture in a terminal is made of.
public enum TextGlyphs: String, CaseIterable, Hashable, Sendable {
  /// Blocks of eighths of a line: solid, and in every font.
  case blocks
  /// Braille patterns of 2 x 4 dots: finer.
  case braille

  /// The parts that a column and a line of text have.
  var parts: (columns: Int, rows: Int) {
    switch self {
    case .blocks: (1, 8)
    case .braille: (2, 4)
    }
  }
}

/// The colors that a terminal has.
public enum TextColors: Hashable, Sendable {
  /// None: the text has no escape sequences at all.
  case none
  /// The sixteen of ECMA-48 and its successors.
  case basic
  /// The 256 of xterm.
  case palette
  /// Those of sRGB.
  case full
}

/// How a picture of text looks.
public struct TextSettings: Hashable, Sendable {
  /// The columns and lines that a picture may have.
  public static let columnRange = 16...1000, lineRange = 4...1000

  /// The style, the bars, the gradient and colors, and whether only the audio is shown. The size is in
  /// columns and lines, and a column of text stands for five points of width.
  public var picture: PictureSettings
  /// The columns that the picture takes, within ``columnRange``.
  public var columns: Int
  /// The lines that the picture takes, within ``lineRange``; `nil` for what its lanes take.
  public var lines: Int?
  /// The lines that the picture should not exceed unless ``lines`` says so.
  public var mostLines: Int
  /// The characters that the picture is made of.
  public var glyphs: TextGlyphs
  /// The colors that are used.
  public var colors: TextColors
  /// Whether the picture's theme tells the ground; otherwise colors are chosen that stand out from both.
  public var knowsGround: Bool

  /// How a picture looks; by default 80 columns of blocks without color.
  public init(
    picture: PictureSettings = PictureSettings(), columns: Int = 80, lines: Int? = nil,
    mostLines: Int = 1000, glyphs: TextGlyphs = .blocks, colors: TextColors = .none,
    knowsGround: Bool = false
  ) {
    self.picture = picture
    self.columns = columns
    self.lines = lines
    self.mostLines = mostLines
    self.glyphs = glyphs
    self.colors = colors
    self.knowsGround = knowsGround
  }

  /// Throws where a picture of these settings would be beyond sense.
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

/// What the terminal at hand makes of text.
public struct TextMeasure: Sendable {
  /// The columns that text takes.
  public var columns: @Sendable (String) -> Int
  /// Text from a file as it may be shown on one line of a terminal.
  public var shown: @Sendable (String) -> String

  /// What a terminal makes of text.
  public init(
    columns: @escaping @Sendable (String) -> Int, shown: @escaping @Sendable (String) -> String
  ) {
    self.columns = columns
    self.shown = shown
  }

  /// The start and the end of a text, as much as fits into so many columns; `…` stands for the rest.
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
