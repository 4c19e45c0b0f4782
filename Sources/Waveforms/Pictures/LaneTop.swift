internal import AudioModel

/// The values at the edges of lanes that are mirrored about their middle.
struct LaneTop: Hashable {
  /// The level of bars, in dB.
  var level = 0.0
  /// The magnitude of samples, full scale 1; above 0.
  var amplitude = 1.0

  /// Full scale, or the loudest of a scene if the settings ask for that.
  init(of scene: WaveformScene, _ settings: PictureSettings) {
    guard settings.fitsLoudest else { return }
    level = scene.loudest ?? 0
    if let peak = scene.peak, peak > 0 { amplitude = peak }
  }
}

extension LevelTicks {
  /// The axis of a lane, with labels at least `gap` of the half lane apart; `nil` for lanes without levels.
  init?(of content: LaneContent, top: LaneTop, gap: Double) {
    switch content {
    case .levels(let levels):
      self.init(loudest: top.level, floor: levels.noiseFloor, gap: gap)
    case .peaks(let peaks) where peaks.areSamples && peaks.count > 0:
      self.init(samplesWithGap: gap, top: top.amplitude)
    case .peaks: self.init(peaksWithGap: gap, top: top.amplitude)
    case .spectrum, .loudness: return nil
    }
  }
}

/// The two colors of an envelope.
enum EnvelopeColors {
  /// The colors of the peaks and of the RMS inside them, which is the lighter one in all themes.
  ///
  /// - Parameters:
  ///   - color: The color of the lane.
  ///   - theme: Its panel color decides which of the two is mixed: on a dark panel, the peaks recede.
  static func parts(of color: RGBColor, _ theme: PictureTheme) -> (peaks: RGBColor, rms: RGBColor) {
    theme.isDark
      ? (color.mixed(with: theme.panel, 0.4), color)
      : (color, color.mixed(with: theme.background, 0.5))
  }
}
