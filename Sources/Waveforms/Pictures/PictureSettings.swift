/// How audio is drawn.
public enum WaveformStyle: String, CaseIterable, Hashable, Sendable {
  /// Decibels as bars, mirrored about the middle.
  case bars
  /// For each column of pixels the lowest and the highest sample; the line of the samples where there are
  /// fewer of them than columns.
  case envelope
  /// Decibels over time and frequency, as colors.
  case spectrogram
}

/// How a picture looks.
///
/// Lengths are in points, of which a PNG has ``scale`` pixels each; SVG and PDF have points only.
public struct PictureSettings: Hashable, Sendable {
  /// The widths and heights that a picture may have, in points.
  public static let sizeRange = 16...20_000
  /// The values that ``scale`` may have.
  public static let scaleRange = 1...4
  /// The widths and gaps that bars may have, in points.
  public static let barRange = 0...1000
  /// The most pixels that a picture may have.
  public static let mostPixels = 100_000_000

  /// How the audio is drawn.
  public var style: WaveformStyle
  /// The width of the picture, within ``sizeRange``.
  public var width: Int
  /// The height of the picture, within ``sizeRange``; `nil` for what its lanes take.
  public var height: Int?
  /// Pixels in a point, each way, within ``scaleRange``: 2 for dense screens.
  public var scale: Int
  /// The width of a bar, at least 1.
  public var barWidth: Int
  /// The gap between bars.
  public var barSpacing: Int
  /// Whether what is drawn changes its color from the middle of a lane to its edges.
  public var hasGradient: Bool
  /// The colors of the picture.
  public var theme: PictureTheme
  /// Colors in place of the theme's: one for each lane, repeated, or, with a gradient, from the middle of
  /// a lane to its edges; for spectrograms, from the quietest to the loudest. Empty for the theme's.
  public var colors: [RGBColor]
  /// Whether the picture has nothing but the audio: no title, no axes, no margins.
  public var isBare: Bool

  /// How a picture looks; by default bars on light ground.
  public init(
    style: WaveformStyle = .bars, width: Int = 1200, height: Int? = nil, scale: Int = 1,
    barWidth: Int = 3, barSpacing: Int = 2, hasGradient: Bool = false, theme: PictureTheme = .light,
    colors: [RGBColor] = [], isBare: Bool = false
  ) {
    self.style = style
    self.width = width
    self.height = height
    self.scale = scale
    self.barWidth = barWidth
    self.barSpacing = barSpacing
    self.hasGradient = hasGradient
    self.theme = theme
    self.colors = colors
    self.isBare = isBare
  }

  /// From the start of one bar to that of the next, in points.
  var barPitch: Int { barWidth + barSpacing }
}
