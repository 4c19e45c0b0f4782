/// The colors of a picture in a terminal, whose ground may be light or dark.
struct TextPalette: Hashable {
  /// Titles; `nil` for the terminal's own color.
  var text: RGBColor?
  /// Other text, and axes.
  var muted: RGBColor
  /// The waveforms of the sources, repeated.
  var waves: [RGBColor]
  /// What a gradient leads to at the middle of a lane.
  var gradientEnds: [RGBColor]
  /// Chapters and marks.
  var marker: RGBColor

  /// Colors that stand out from white and from black alike: text by a contrast of 4.5, what is drawn by 3.
  static let anyGround = TextPalette(
    text: nil, muted: RGBColor(0x767676), waves: [RGBColor(0x0072B2), RGBColor(0xC45500)],
    gradientEnds: [RGBColor(0x00916A), RGBColor(0xB0468A)], marker: RGBColor(0x8F62C4))

  /// The colors of a theme, whose ground the terminal has.
  init(_ theme: PictureTheme) {
    self.init(
      text: theme.text, muted: theme.mutedText, waves: theme.waves,
      gradientEnds: theme.gradientEnds, marker: theme.marker)
  }

  init(
    text: RGBColor?, muted: RGBColor, waves: [RGBColor], gradientEnds: [RGBColor], marker: RGBColor
  ) {
    self.text = text
    self.muted = muted
    self.waves = waves
    self.gradientEnds = gradientEnds
    self.marker = marker
  }

  /// The color of a line of a lane, from 0 at its middle to 1 at its edges.
  func color(
    at height: Double, track: Int, lane: Int, _ settings: PictureSettings
  ) -> RGBColor? {
    let wave = waves.isEmpty ? text : waves[track % waves.count]
    let chosen = settings.colors
    guard settings.hasGradient, let wave else {
      return chosen.isEmpty ? wave : chosen[lane % chosen.count]
    }
    // From the edge to the middle.
    var colors = chosen.count > 1 ? chosen : [chosen.first ?? wave]
    if colors.count < 2 {
      let end = gradientEnds.isEmpty ? wave : gradientEnds[track % gradientEnds.count]
      colors = chosen.isEmpty ? [end, wave] : [colors[0].mixed(with: muted, 0.6), colors[0]]
    }
    let place = min(1, max(0, 1 - height)) * Double(colors.count - 1)
    let index = min(Int(place), colors.count - 2)
    return colors[index].mixed(with: colors[index + 1], place - Double(index))
  }
}
