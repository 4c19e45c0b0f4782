/// A style of drawing audio.
public enum WaveformStyle: String, CaseIterable, Hashable, Sendable {
  /// Levels in decibels as bars, mirrored about the middle.
  case bars
  /// The lowest and the highest sample of each column of pixels, with the RMS inside; a line through the
  /// samples if there are fewer samples than columns.
  case envelope
  /// Levels in decibels over time and frequency, as colors.
  case spectrogram
  /// The envelope above the spectrogram.
  case both
  /// Momentary and short-term loudness over time, by EBU R 128.
  case loudness

  /// The description of a source in this style, for screen readers.
  func description(of outline: TrackOutline) -> String {
    let noun =
      switch self {
      case .bars: "Levels in decibels"
      case .envelope: "Waveform"
      case .spectrogram: "Spectrogram"
      case .both: "Waveform and spectrogram"
      case .loudness: "Loudness"
      }
    let facts = outline.facts.isEmpty ? "" : ", \(outline.facts.replacing("  ·  ", with: ", "))"
    let chapters = outline.markers.count { $0.kind == .chapter }
    let counted = chapters == 0 ? "" : chapters == 1 ? ", 1 chapter" : ", \(chapters) chapters"
    return "\(noun) of \(outline.name)\(facts)\(counted)"
  }

  /// The lanes for each name, from top to bottom.
  var parts: [WaveformStyle] { self == .both ? [.envelope, .spectrogram] : [self] }

  /// The gap between lanes, in points: units above lanes need room.
  var laneGap: Double { self == .both ? 28 : LayoutMeasure.betweenLanes }

  /// The height of each of ``parts``, as a multiple of that of bars: frequencies need more than levels.
  var weights: [Double] { parts.map { $0 == .spectrogram ? 1.5 : 1 } }
}

/// The appearance of a picture.
///
/// Lengths are in points. A PNG has ``scale`` pixels per point.
public struct PictureSettings: Hashable, Sendable {
  /// The valid widths and heights of a picture, in points.
  public static let sizeRange = 16...20_000
  /// The valid values of ``scale``.
  public static let scaleRange = 1...4
  /// The valid widths and gaps of bars, in points.
  public static let barRange = 0...1000
  /// The maximum number of pixels in a picture.
  public static let maximumPixels = 100_000_000

  /// The style of drawing.
  public var style: WaveformStyle
  /// The width of the picture, within ``sizeRange``.
  public var width: Int
  /// The height of the picture, within ``sizeRange``; `nil` for the height that its lanes need.
  public var height: Int?
  /// The number of pixels per point, within ``scaleRange``: 2 for high-density screens.
  public var scale: Int
  /// The width of a bar, in points, at least 1.
  public var barWidth: Int
  /// The gap between bars, in points.
  public var barSpacing: Int
  /// The colors of the picture.
  public var theme: PictureTheme
  /// Colors that replace those of the theme: one for each lane, repeated; for spectrograms, from the quietest to the
  /// loudest. Empty for the theme's colors.
  public var colors: [RGBColor]
  /// How spectrograms are computed and scaled.
  public var spectrogram: SpectrogramSettings
  /// True if the loudest audio reaches the edges of the lanes; otherwise full scale does.
  public var fitsLoudest: Bool
  /// True if only the lanes are drawn, without titles, axes and margins.
  public var isBare: Bool

  /// Settings; by default an envelope on a light background.
  public init(
    style: WaveformStyle = .envelope, width: Int = 1200, height: Int? = nil, scale: Int = 1,
    barWidth: Int = 3, barSpacing: Int = 2, theme: PictureTheme = .light,
    colors: [RGBColor] = [], spectrogram: SpectrogramSettings = SpectrogramSettings(),
    fitsLoudest: Bool = false, isBare: Bool = false
  ) {
    self.style = style
    self.width = width
    self.height = height
    self.scale = scale
    self.barWidth = barWidth
    self.barSpacing = barSpacing
    self.theme = theme
    self.colors = colors
    self.spectrogram = spectrogram
    self.fitsLoudest = fitsLoudest
    self.isBare = isBare
  }

  /// The distance from the start of one bar to that of the next, in points.
  var barPitch: Int { barWidth + barSpacing }

  /// Throws if a setting, or the height of the picture, is out of range.
  func check(height: Int? = nil) throws(RenderingError) {
    let range = Self.sizeRange
    for (name, length) in [("width", width), ("height", height ?? self.height ?? range.lowerBound)]
    where !range.contains(length) {
      throw .badSize(
        reason: "a picture's \(name) of \(length) points is not within \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    guard Self.scaleRange.contains(scale) else {
      throw .badSize(reason: "a scale of \(scale) is not within 1 to 4")
    }
    guard barWidth >= 1, Self.barRange.contains(barWidth), Self.barRange.contains(barSpacing) else {
      throw .badSize(
        reason:
          "bars of \(barWidth) points and gaps of \(barSpacing) are not within 1 to 1000 and 0 to 1000"
      )
    }
    try spectrogram.check()
    guard let height = height ?? self.height else { return }
    // The product of these ranges cannot overflow.
    let pixels = width * scale * height * scale
    guard pixels <= Self.maximumPixels, max(width, height) * scale <= 32_767 else {
      throw .badSize(
        reason:
          "a picture of \(width * scale) x \(height * scale) pixels is too large; choose a smaller "
          + "width, height or scale")
    }
  }
}
