internal import CCairo
internal import CCairoLoader

/// The size and weight of text.
struct TextStyle: Hashable {
  var size: Double
  var isBold = false

  static let title = TextStyle(size: 14, isBold: true)
  static let facts = TextStyle(size: 12)
  static let label = TextStyle(size: 11)
  static let laneName = TextStyle(size: 11, isBold: true)
}

extension Canvas {
  /// The width of text, in points.
  func width(of text: String, _ style: TextStyle) -> Double {
    runs(of: text, style).reduce(0) { sum, run in
      choose(style, run.family)
      var extents = cairo_text_extents_t()
      cairo_text_extents(context, run.text, &extents)
      return sum + extents.x_advance
    }
  }

  /// The distance from the baseline to the middle of capital letters, in points.
  static func rise(of style: TextStyle) -> Double {
    // Capitals and digits of DejaVu Sans are 0.729 em high.
    style.size * 0.729 / 2
  }

  /// Draws text that starts at `x`, with its baseline at `y`. In an SVG, whose viewers may have other fonts, the
  /// side `anchor` of the text stays in place.
  func draw(
    _ text: String, x: Double, baseline y: Double, _ style: TextStyle, _ color: RGBColor,
    anchor: SVGText.Anchor = .start
  ) {
    if text.isEmpty { return }
    if var texts = svgText {
      let width = anchor == .start ? 0 : width(of: text, style)
      let place = anchor == .middle ? x + width / 2 : x + width
      texts.add(text, x: place, baseline: y, anchor, style, color)
      svgText = texts
      return
    }
    let runs = runs(of: text, style)
    use(color)
    cairo_move_to(context, x, y)
    for run in runs {
      choose(style, run.family)
      // Cairo moves the current point to the end of the text.
      cairo_show_text(context, run.text)
    }
  }

  /// The part of a shortened text that is kept.
  enum Rest { case start, startAndEnd }

  /// As much of a text as fits in `width` points, with `…` for the omitted part.
  func fitted(
    _ text: String, _ style: TextStyle, width: Double, keeping rest: Rest = .start
  ) -> String {
    if self.width(of: text, style) <= width { return text }
    let characters = Array(text)
    // A binary search for the number of characters that fit: more are always wider.
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
  /// A run of text in one font.
  private struct Run {
    var text: String
    let family: String
  }

  /// The runs of a text in visual order, in the default font, with other fonts for characters that it lacks.
  private func runs(of text: String, _ style: TextStyle) -> [Run] {
    let text = TextOrder.visual(text)
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

  /// True if the selected font has all characters of a text.
  private func hasGlyphs(for text: String) -> Bool {
    var glyphs: UnsafeMutablePointer<cairo_glyph_t>?
    var count: Int32 = 0
    let status = cairo_scaled_font_text_to_glyphs(
      cairo_get_scaled_font(context), 0, 0, text, -1, &glyphs, &count, nil, nil, nil)
    defer { cairo_glyph_free(glyphs) }
    guard status == CAIRO_STATUS_SUCCESS, let glyphs else { return true }
    // Glyph 0 is the box for missing characters.
    return UnsafeBufferPointer(start: glyphs, count: Int(count)).allSatisfy { $0.index != 0 }
  }
}

/// Text that is read from the right, such as Hebrew and Arabic.
enum TextOrder {
  /// The text in visual order and with visual forms, from left to right, as Cairo draws it. It is unchanged if it has
  /// no right-to-left characters, or if the library FriBidi is missing.
  static func visual(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isReadFromRight) else { return text }
    let characters = text.unicodeScalars.map(\.value)
    guard let count = Int32(exactly: characters.count) else { return text }
    var visual = [UInt32](repeating: 0, count: characters.count)
    guard scaleaudio_visual_text(characters, count, &visual) else { return text }
    // A placeholder for the second letter of a ligature.
    let filler: UInt32 = 0xFEFF
    var result = String.UnicodeScalarView()
    result.append(contentsOf: visual.lazy.filter { $0 != filler }.compactMap(Unicode.Scalar.init))
    return String(result)
  }

  /// True if a character is in a block of right-to-left scripts.
  ///
  /// Source: Unicode Character Database, `Blocks.txt`, Hebrew to Arabic Extended-A, presentation forms, and the
  /// areas that `DerivedBidiClass.txt` reserves for such scripts.
  private static func isReadFromRight(_ character: Unicode.Scalar) -> Bool {
    switch character.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}
