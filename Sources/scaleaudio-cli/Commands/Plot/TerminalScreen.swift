import Glibc
import ScaleAudio
import Waveforms

/// How the terminal shows pictures: from the options, its abilities and its window.
struct TerminalScreen {
  let mode: TerminalMode
  let options: PictureOptions
  let abilities: TerminalAbilities
  let window: TerminalWindow

  /// The screen of the terminal on standard output.
  init(mode: TerminalMode, options: PictureOptions) {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    self.init(
      mode: mode, options: options,
      abilities: TerminalAbilities(isTerminal: isatty(STDOUT_FILENO) == 1, variable),
      window: TerminalWindow.ofStandardOutput(variable))
  }

  init(
    mode: TerminalMode, options: PictureOptions, abilities: TerminalAbilities,
    window: TerminalWindow
  ) {
    self.mode = mode
    self.options = options
    self.abilities = abilities
    self.window = window
  }

  /// True if pictures are drawn with characters.
  var isText: Bool { graphics == nil }

  /// The display of pictures; a single one has the height of the window.
  func screen(isSingle: Bool) -> TerminalPlot.Screen {
    if let graphics {
      let lines = (window.lines ?? 0) - Self.promptLines
      let points = window.height.map { $0 / scale * lines / max(1, window.lines ?? 1) }
      return .graphics(graphics, maximumHeight: points.flatMap { $0 > 0 ? $0 : nil })
    }
    var text = TextSettings(picture: picture)
    text.columns = options.width ?? fitting(window.columns, TextSettings.columnRange)
    text.lines = options.height
    if let lines = window.lines {
      text.maximumLines = lines - Self.promptLines
      if isSingle, text.lines == nil {
        text.lines = fitting(lines - Self.promptLines, TextSettings.lineRange)
      }
    }
    text.glyphs = glyphs
    text.colors = abilities.colors
    text.knowsGround = options.theme != nil
    return .text(text, Self.measure)
  }

  /// The appearance of the picture.
  var picture: PictureSettings {
    var settings = options.settings
    guard graphics != nil else { return settings }
    settings.scale = scale
    if options.width == nil {
      let pixels = window.width ?? window.columns * Self.usualColumn
      settings.width = fitting(pixels / scale, PictureSettings.sizeRange)
    }
    if options.theme == nil { settings.theme = abilities.isLight == true ? .light : .dark }
    return settings
  }

  /// The lines that the prompt needs below a picture.
  private static let promptLines = 2
  /// The assumed width of a column in pixels if the terminal does not report it, and the width from which pixels are
  /// dense.
  private static let (usualColumn, denseColumn) = (9, 15)

  private var graphics: TerminalGraphics? {
    switch mode {
    case .auto: abilities.graphics
    case .sixel: .sixel
    case .kitty: .kitty
    case .blocks, .braille: nil
    }
  }

  /// Braille dots are better for lines, blocks for bars.
  private var glyphs: TextGlyphs {
    switch mode {
    case .braille: .braille
    case .blocks: .blocks
    default: [.envelope, .both].contains(options.style) ? .braille : .blocks
    }
  }

  private var scale: Int {
    if let scale = options.scale { return scale }
    guard let width = window.width, window.columns > 0 else { return 1 }
    return width / window.columns >= Self.denseColumn ? 2 : 1
  }

  private func fitting(_ length: Int, _ range: ClosedRange<Int>) -> Int {
    min(max(length, range.lowerBound), range.upperBound)
  }

  private static let measure = TextMeasure(
    columns: { DisplayWidth.columns($0) }, shown: { escapedForTerminal($0) })
}
