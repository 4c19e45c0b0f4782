/// The colors of a picture.
///
/// Text has a contrast of at least 4.5 and graphics of at least 3 (WCAG 2.2, success criteria 1.4.3 and 1.4.11).
/// Colors that distinguish things also differ for color-blind people: those of waveforms are from the set of
/// M. Okabe and K. Ito, "Color Universal Design" (2008).
public struct PictureTheme: Hashable, Sendable {
  /// The background of the picture.
  public var background: RGBColor
  /// The background of a lane.
  public var panel: RGBColor
  /// Grid lines.
  public var grid: RGBColor
  /// Titles.
  public var text: RGBColor
  /// Other text.
  public var mutedText: RGBColor
  /// The waveforms: one color for each source, repeated.
  public var waves: [RGBColor]
  /// Lines of chapters and marks.
  public var marker: RGBColor
  /// Marks where samples reach full scale.
  public var clipping = RGBColor(0xD6252E)

  /// True if text is lighter than its background.
  var isDark: Bool {
    func light(_ color: RGBColor) -> Int {
      2 * Int(color.red) + 5 * Int(color.green) + Int(color.blue)
    }
    return light(text) > light(background)
  }

  /// Colors for light backgrounds and paper.
  public static let light = PictureTheme(
    background: RGBColor(0xFFFFFF), panel: RGBColor(0xF5F7F9), grid: RGBColor(0xE1E6EB),
    text: RGBColor(0x17202B), mutedText: RGBColor(0x566372),
    waves: [RGBColor(0x0072B2), RGBColor(0xC45500)],
    marker: RGBColor(0x3B1F5B))
  /// Colors for dark backgrounds.
  public static let dark = PictureTheme(
    background: RGBColor(0x12161C), panel: RGBColor(0x191F27), grid: RGBColor(0x29313C),
    text: RGBColor(0xEDF1F5), mutedText: RGBColor(0xA3AFBC),
    waves: [RGBColor(0x56B4E9), RGBColor(0xE69F00)],
    marker: RGBColor(0xF4F0D0))
}
