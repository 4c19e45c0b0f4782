/// The text of an SVG picture, which Cairo would turn into outlines.
struct SVGText {
  /// The side of the text that stays in place if a viewer has another font.
  enum Anchor: String { case start, middle, end }

  /// The text that screen readers read and browsers show as the name.
  let title, description: String
  private var elements: [String] = []

  /// The fonts in order of preference; those after the first have similar widths.
  private static let families = "\(CairoLibrary.fontFamily), Verdana, Arial, sans-serif"

  init(title: String, description: String) {
    self.title = title
    self.description = description
  }

  /// Adds a line of text at an anchor.
  mutating func add(
    _ text: String, x: Double, baseline y: Double, _ anchor: Anchor, _ style: TextStyle,
    _ color: RGBColor
  ) {
    var attributes = "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
    attributes += " font-size=\"\(Self.number(style.size))\""
    if style.isBold { attributes += " font-weight=\"bold\"" }
    if anchor != .start { attributes += " text-anchor=\"\(anchor.rawValue)\"" }
    elements.append("<text \(attributes) fill=\"\(color.css)\">\(Self.escaped(text))</text>")
  }

  /// A finished SVG file of Cairo with the text above everything else.
  func inserted(into file: [UInt8]) -> [UInt8] {
    let svg = String(decoding: file, as: UTF8.self)
    guard let start = svg.range(of: "<svg "),
      let opened = svg.range(of: ">", from: start.upperBound),
      let end = svg.lastRange(of: "</svg>")
    else { return file }
    let head =
      "\n<title>\(Self.escaped(title))</title>\n<desc>\(Self.escaped(description))</desc>"
    let fonts = "<g font-family=\"\(Self.families)\" xml:space=\"preserve\">\n"
    let text = elements.isEmpty ? "" : fonts + elements.joined(separator: "\n") + "\n</g>\n"
    return Array(
      (svg[..<start.upperBound] + "role=\"img\" " + svg[start.upperBound..<opened.upperBound] + head
        + svg[opened.upperBound..<end.lowerBound] + text + svg[end.lowerBound...]).utf8)
  }

  private static func number(_ value: Double) -> String {
    DecimalText.text(value, maximumDecimals: 2)
  }

  /// Text in XML 1.0, which has no control characters.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\t", "\n", "\r": result += " "
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension String {
  /// The first occurrence of a text from an index on.
  fileprivate func range(of text: String, from start: Index? = nil) -> Range<Index>? {
    self[(start ?? startIndex)...].firstRange(of: text)
  }

  fileprivate func lastRange(of text: String) -> Range<Index>? { ranges(of: text).last }
}

extension RGBColor {
  /// In CSS notation: `#0072b2`.
  fileprivate var css: String {
    let digits = [red, green, blue].map { part in
      let digits = String(part, radix: 16)
      return digits.utf8.count < 2 ? "0" + digits : digits
    }
    return "#" + digits.joined()
  }
}
