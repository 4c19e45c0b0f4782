import Foundation
import Testing
import Waveforms

/// People can distinguish the colors that carry meaning in pictures.
@Suite("Colors", .serialized)
struct PaletteTests {
  static let themes = [PictureTheme.light, .dark]

  /// The parts of a color in linear light.
  private func linear(_ color: RGBColor) -> [Double] {
    [color.red, color.green, color.blue].map {
      let value = Double($0) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
  }

  /// WCAG 2.2, "contrast ratio".
  private func contrast(_ one: RGBColor, _ other: RGBColor) -> Double {
    func light(_ color: RGBColor) -> Double {
      let parts = linear(color)
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05
    }
    let ratio = light(one) / light(other)
    return max(ratio, 1 / ratio)
  }

  @Test(arguments: themes) func contrastIsEnough(theme: PictureTheme) {
    for ground in [theme.background, theme.panel] {
      for text in [theme.text, theme.mutedText] { #expect(contrast(text, ground) >= 4.5) }
      for shape in theme.waves + [theme.marker] {
        #expect(contrast(shape, ground) >= 3, "\(shape)")
      }
    }
  }

  /// The colors that people see who lack a kind of cones: G. Machado, M. Oliveira, L. Fernandes, "A
  /// Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.
  private static let deficiencies: [[[Double]]] = [
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [
      [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
      [-0.003882, -0.048116, 1.051998],
    ],
    [
      [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
      [-0.011820, 0.042940, 0.968881],
    ],
    [
      [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
      [0.004733, 0.691367, 0.303900],
    ],
  ]

  /// CIE L*a*b* (D65) of linear light.
  private func lab(_ parts: [Double]) -> [Double] {
    let rows = [
      [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
      [0.0193339, 0.1191920, 0.9503041],
    ]
    let white = [0.95047, 1, 1.08883]
    let f = zip(rows, white).map { row, white -> Double in
      let t = max(0, zip(row, parts).map(*).reduce(0, +)) / white
      return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116
    }
    return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
  }

  private func distance(_ one: RGBColor, _ other: RGBColor, seenWith matrix: [[Double]]) -> Double {
    let seen = [one, other].map { color in
      let light = linear(color)
      return lab(matrix.map { row in min(1, max(0, zip(row, light).map(*).reduce(0, +))) })
    }
    return zip(seen[0], seen[1]).map { ($0 - $1) * ($0 - $1) }.reduce(0, +).squareRoot()
  }

  /// Source and result, and the lines over them, differ by 20 and more: 2.3 is just noticeable.
  @Test(arguments: themes) func colorsDifferForTheColorBlind(theme: PictureTheme) {
    let pairs =
      [(theme.waves[0], theme.waves[1])] + theme.waves.map { ($0, theme.marker) }
    for matrix in Self.deficiencies {
      for (one, other) in pairs {
        let apart = distance(one, other, seenWith: matrix)
        #expect(apart >= 20, "\(one) \(other)")
      }
    }
  }

  @Test func webColorsAreRead() {
    #expect(RGBColor("#0072b2") == RGBColor(red: 0, green: 0x72, blue: 0xB2))
    #expect(RGBColor("0072B2") == RGBColor("#0072b2"))
    #expect(RGBColor("#fa0") == RGBColor(red: 0xFF, green: 0xAA, blue: 0))
    for text in ["", "#", "#12345", "#gggggg", "+12345", "#-12345", "red", "#1234567"] {
      #expect(RGBColor(text) == nil, "\(text)")
    }
  }
}
