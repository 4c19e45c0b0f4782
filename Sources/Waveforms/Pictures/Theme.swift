/// The colors of a picture.
///
/// Text stands out from its ground by a contrast of at least 4.5, and what is drawn by at least 3 (WCAG 2.2,
/// success criteria 1.4.3 and 1.4.11); the colors that tell things apart differ for people who are color-blind
/// too. The waveforms' are from the set of M. Okabe and K. Ito, "Color Universal Design" (2008).
public struct Theme: Hashable, Sendable {
  /// Behind everything.
  public var background: Color
  /// Behind a lane.
  public var panel: Color
  /// Lines that lead the eye and say nothing.
  public var grid: Color
  /// Titles.
  public var text: Color
  /// Other text.
  public var mutedText: Color
  /// The waveforms of the sources, one color for each, repeated.
  public var waves: [Color]
  /// What a gradient leads to, at the middle of the lane, from each of ``waves``.
  public var gradientEnds: [Color]
  /// The lines of chapters and marks.
  public var marker: Color

  /// For light surroundings and paper.
  public static let light = Theme(
    background: Color(0xFFFFFF), panel: Color(0xF5F7F9), grid: Color(0xE1E6EB),
    text: Color(0x17202B), mutedText: Color(0x566372),
    waves: [Color(0x0072B2), Color(0xC45500)],
    gradientEnds: [Color(0x00916A), Color(0xB0468A)], marker: Color(0x3B1F5B))
  /// For dark surroundings.
  public static let dark = Theme(
    background: Color(0x12161C), panel: Color(0x191F27), grid: Color(0x29313C),
    text: Color(0xEDF1F5), mutedText: Color(0xA3AFBC),
    waves: [Color(0x56B4E9), Color(0xE69F00)],
    gradientEnds: [Color(0x2BC79A), Color(0xE08AB8)], marker: Color(0xF4F0D0))
}
