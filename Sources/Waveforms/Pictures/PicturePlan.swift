/// A picture whose parts have their places, before the audio that it shows is read.
///
/// ```swift
/// let plan = try PicturePlan(settings: PictureSettings(), outlines: [outline])
/// var reducer = plan.reducer(forTrack: 0, levels: LevelSettings())
/// while let block = nextBlock() { reducer.append(block.span) }
/// let track = WaveformTrack(outline: outline, lanes: [reducer.content])
/// let file = try plan.render(WaveformScene(tracks: [track]), as: .svg)
/// ```
public struct PicturePlan: Hashable, Sendable {
  /// How the picture looks.
  public let settings: PictureSettings
  /// The height of the picture, in points.
  public let height: Int
  private let outlines: [TrackOutline]
  private let layout: PictureLayout

  /// The places of sources, one above another, on one axis of time.
  ///
  /// Throws when drawing is not possible here, or the size is beyond sense.
  public init(
    settings: PictureSettings, outlines: [TrackOutline]
  ) throws(RenderingError) {
    try settings.check()
    self.settings = settings
    self.outlines = outlines
    let canvas = try Canvas(
      width: 1, height: 1, scale: settings.scale, format: .png, title: "")
    layout = PictureLayout(
      of: outlines, settings: settings, canvas: canvas, width: Double(settings.width),
      height: settings.height.map { Double($0) },
      surroundings: settings.isBare ? .none : Surroundings())
    height = Int(layout.height.rounded(.up))
    try settings.check(height: height)
  }

  /// What makes the content of a lane of a track, one of those planned, from its samples; `levels` says how
  /// bars are worked out.
  public func reducer(
    forTrack track: Int, levels: LevelSettings = LevelSettings()
  ) -> any LaneReducer {
    settings.style.reducer(
      of: outlines[track], count: layout.tracks[track].valueCount,
      rows: layout.tracks[track].rowCount(scale: Double(settings.scale)), levels: levels)
  }

  /// The bytes of a file of the picture, whose tracks are those that were planned.
  public func render(
    _ scene: WaveformScene, as format: PictureFormat
  ) throws(RenderingError) -> [UInt8] {
    try drawn(scene, as: format).finish()
  }

  /// The pixels of the picture.
  func pixels(of scene: WaveformScene) throws(RenderingError) -> PixelImage {
    try drawn(scene, as: .png).pixels()
  }

  private func drawn(
    _ scene: WaveformScene, as format: PictureFormat
  ) throws(RenderingError) -> Canvas {
    let canvas = try Canvas(
      width: settings.width, height: height, scale: settings.scale, format: format,
      title: outlines.map(\.name).joined(separator: ", "))
    canvas.fill(
      Rectangle(x: 0, y: 0, width: canvas.width, height: canvas.height), settings.theme.background)
    ScenePainter(canvas: canvas, settings: settings, layout: layout, scene: scene).draw()
    return canvas
  }
}

/// How levels are worked out.
public struct LevelSettings: Hashable, Sendable {
  /// The noise floors that can be chosen, in dB.
  public static let noiseFloorRange = -200.0...(-1.0)

  /// The level that is drawn as nothing, in dB, within ``noiseFloorRange``; `nil` for what suits the style.
  public var noiseFloor: Double?
  /// What the levels of a bar's samples become.
  public var method: Decimator.Method

  /// How levels are worked out; by default their mean, down to -70 dB, or -100 in spectrograms.
  public init(
    noiseFloor: Double? = nil, method: Decimator.Method = .mean
  ) {
    self.noiseFloor = noiseFloor
    self.method = method
  }
}

extension WaveformStyle {
  /// What makes the content of a lane that has room for `count` values, and for `rows` bands of frequency.
  func reducer(
    of outline: TrackOutline, count: Int, rows: Int, levels: LevelSettings
  ) -> any LaneReducer {
    let frameCount = outline.frames.count
    switch self {
    case .bars:
      return LevelReducer(
        frameCount: frameCount, count: count,
        noiseFloor: levels.noiseFloor ?? LevelReducer.defaultNoiseFloor, method: levels.method)
    case .envelope: return PeakReducer(frameCount: frameCount, count: count)
    case .spectrogram:
      return SpectrogramReducer(
        frameCount: frameCount, columnCount: count, rowCount: rows, sampleRate: outline.sampleRate,
        noiseFloor: levels.noiseFloor ?? SpectrogramReducer.defaultNoiseFloor)
    }
  }
}

extension PictureSettings {
  /// Throws where a picture of these settings, and of this height, would be beyond sense.
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
    guard let height = height ?? self.height else { return }
    // The factors are within ranges whose product is far from overflow.
    let pixels = width * scale * height * scale
    guard pixels <= Self.mostPixels, max(width, height) * scale <= 32_767 else {
      throw .badSize(
        reason:
          "a picture of \(width * scale) x \(height * scale) pixels is too large; choose a smaller "
          + "width, height or scale")
    }
  }
}
