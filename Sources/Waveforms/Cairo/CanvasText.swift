internal import CCairo

/// What text looks like.
struct TextStyle: Hashable {
  var size: Double
  var isBold = false

  static let title = TextStyle(size: 14, isBold: true)
  static let cellTitle = TextStyle(size: 12, isBold: true)
  static let facts = TextStyle(size: 12)
  static let label = TextStyle(size: 11)
  static let laneName = TextStyle(size: 11, isBold: true)
}

extension Canvas {
  /// How wide text is, in points.
  func width(of text: String, _ style: TextStyle) -> Double {
    runs(of: text, style).reduce(0) { sum, run in
      choose(style, run.family)
      var extents = cairo_text_extents_t()
      cairo_text_extents(context, run.text, &extents)
      return sum + extents.x_advance
    }
  }

  /// Where the middle of capital letters lies above the baseline, in points.
  static func rise(of style: TextStyle) -> Double {
    // Capitals and digits of DejaVu Sans are 0.729 em high.
    style.size * 0.729 / 2
  }

  /// Draws text from `x` on, with its baseline at `y`.
  func draw(_ text: String, x: Double, baseline y: Double, _ style: TextStyle, _ color: RGBColor) {
    if text.isEmpty { return }
    let runs = runs(of: text, style)
    use(.color(color))
    cairo_move_to(context, x, y)
    for run in runs {
      choose(style, run.family)
      // The next begins where this ends.
      cairo_show_text(context, run.text)
    }
  }

  /// What is left of a text that has too little room.
  enum Rest { case start, startAndEnd }

  /// As much of a text as fits into `width` points; `…` stands for what was left out.
  func fitted(
    _ text: String, _ style: TextStyle, width: Double, keeping rest: Rest = .start
  ) -> String {
    if self.width(of: text, style) <= width { return text }
    let characters = Array(text)
    // The most characters that fit, by halving: more are always wider.
    var (fits, fails) = (0, characters.count)
    while fails - fits > 1 {
      let count = (fits + fails) / 2
      let candidate = Self.shortened(characters, to: count, rest)
      if self.width(of: candidate, style) <= width { fits = count } else { fails = count }
    }
    return fits == 0 ? "" : Self.shortened(characters, to: fits, rest)
  }

  private static func shortened(_ characters: [Character], to count: Int, _ rest: Rest) -> String {
    let tail = rest == .start ? 0 : count / 3
    return String(characters.prefix(count - tail)) + "…" + String(characters.suffix(tail))
  }

  private func choose(_ style: TextStyle, _ family: String) {
    cairo_select_font_face(
      context, family, CAIRO_FONT_SLANT_NORMAL,
      style.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    cairo_set_font_size(context, style.size)
  }
}

// MARK: - Fonts

extension Canvas {
  /// Text in one font.
  private struct Run {
    var text: String
    let family: String
  }

  /// The text in the pictures' font, and what that lacks in others that have it.
  private func runs(of text: String, _ style: TextStyle) -> [Run] {
    choose(style, CairoLibrary.fontFamily)
    if hasGlyphs(for: text) { return [Run(text: text, family: CairoLibrary.fontFamily)] }
    var runs: [Run] = []
    for character in text {
      let family = family(for: character)
      if runs.last?.family == family {
        runs[runs.count - 1].text.append(character)
      } else {
        runs.append(Run(text: String(character), family: family))
      }
    }
    return runs
  }

  private func family(for character: Character) -> String {
    guard let first = character.unicodeScalars.first, !first.isASCII else {
      return CairoLibrary.fontFamily
    }
    if let family = families[first] { return family }
    let family = CairoLibrary.fontFamily(with: first) ?? CairoLibrary.fontFamily
    families[first] = family
    return family
  }

  /// Whether the font that is chosen has all of a text's characters.
  private func hasGlyphs(for text: String) -> Bool {
    var glyphs: UnsafeMutablePointer<cairo_glyph_t>?
    var count: Int32 = 0
    let status = cairo_scaled_font_text_to_glyphs(
      cairo_get_scaled_font(context), 0, 0, text, -1, &glyphs, &count, nil, nil, nil)
    defer { cairo_glyph_free(glyphs) }
    guard status == CAIRO_STATUS_SUCCESS, let glyphs else { return true }
    // Glyph 0 is the box.
    return UnsafeBufferPointer(start: glyphs, count: Int(count)).allSatisfy { $0.index != 0 }
  }
}
