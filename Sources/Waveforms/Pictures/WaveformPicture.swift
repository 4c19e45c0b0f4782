/// A picture with a fixed layout, before its audio is read.
///
/// ```swift
/// let picture = try WaveformPicture(settings: PictureSettings(), outlines: [outline])
/// var reducers = picture.reducers(forTrack: 0)
/// while let block = nextBlock() { for index in reducers.indices { reducers[index].append(block.span) } }
/// let track = WaveformTrack(outline: outline, lanes: reducers.map(\.content))
/// let file = try picture.render(WaveformScene(tracks: [track]), as: .svg)
/// ```
public struct WaveformPicture: Hashable, Sendable {
  /// The appearance of the picture.
  public let settings: PictureSettings
  /// The height of the picture, in points.
  public let height: Int
  private let outlines: [TrackOutline]
  private let layout: PictureLayout

  /// A layout of sources from top to bottom, on one time axis.
  ///
  /// Throws if Cairo is not available or a size is out of range.
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
    let parts = settings.style.parts.count
    let lanes = parts * outlines.map(\.laneNames.count).reduce(0, +)
    let least = Surroundings.minimumHeight(of: outlines, settings.style)
    if lanes > 1, let asked = settings.height, asked < least {
      throw .badSize(
        reason:
          "\(lanes) lanes need a height of at least \(least) points, not \(asked); choose a larger "
          + "height, or merge the channels")
    }
    try settings.check(height: height)
  }

  /// The reducers for the lanes of one of the planned tracks, from top to bottom: one for each lane name, or two if
  /// the style has two lanes for each. For loudness there are none.
  ///
  /// - Parameters:
  ///   - track: The index of the track.
  ///   - levels: The settings for levels.
  public func reducers(
    forTrack track: Int, levels: LevelSettings = LevelSettings()
  ) -> [any LaneReducer] {
    let place = layout.tracks[track]
    return settings.reducers(
      of: outlines[track], count: place.valueCount, levels: levels
    ) { place.rowCount(ofLane: $0, scale: Double(settings.scale)) }
  }

  /// The number of values in a lane of one of the planned tracks, for a curve of loudness.
  public func columnCount(ofTrack track: Int) -> Int { layout.tracks[track].valueCount }

  /// The bytes of a picture file of a scene, whose tracks are the planned ones.
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
    let scene = scene.fittingFrequencies
    let canvas = try Canvas(
      width: settings.width, height: height, scale: settings.scale, format: format,
      title: outlines.map(\.name).joined(separator: ", "),
      description: outlines.map(settings.style.description).joined(separator: "; "))
    canvas.fill(
      Rectangle(x: 0, y: 0, width: canvas.width, height: canvas.height), settings.theme.background)
    ScenePainter(canvas: canvas, settings: settings, layout: layout, scene: scene).draw()
    return canvas
  }
}

/// Settings for the reduction to levels.
public struct LevelSettings: Hashable, Sendable {
  /// The valid noise floors, in dB.
  public static let noiseFloorRange = -200.0...(-1.0)

  /// The lowest level, in dB, within ``noiseFloorRange``; `nil` for the default of the style.
  public var noiseFloor: Double?
  /// The reduction of the levels in a bar to one value.
  public var method: Decimator.Method

  /// Settings; by default the mean, down to -70 dB, or to -100 dB in spectrograms.
  public init(
    noiseFloor: Double? = nil, method: Decimator.Method = .mean
  ) {
    self.noiseFloor = noiseFloor
    self.method = method
  }
}

extension PictureSettings {
  /// The reducers for the lanes of a source, with `count` values each. `rows` returns the number of frequency bands
  /// of a lane. Spectrograms have `spectra` columns, if given.
  func reducers(
    of outline: TrackOutline, count: Int, spectra: Int? = nil, levels: LevelSettings,
    rows: (_ lane: Int) -> Int
  ) -> [any LaneReducer] {
    let parts = outline.laneNames.flatMap { _ in style.parts }
    return parts.enumerated().compactMap { (lane, part) -> (any LaneReducer)? in
      switch part {
      case .bars:
        return LevelReducer(
          frameCount: outline.frames.count, count: count,
          noiseFloor: levels.noiseFloor ?? LevelReducer.defaultNoiseFloor, method: levels.method)
      case .envelope:
        return PeakReducer(
          frameCount: outline.frames.count, count: count, fullScale: outline.fullScale)
      case .spectrogram:
        let scale = spectrogram.scale(for: outline)
        return SpectrogramReducer(
          frameCount: outline.frames.count, columnCount: spectra ?? count, rowCount: rows(lane),
          sampleRate: outline.sampleRate,
          noiseFloor: levels.noiseFloor ?? SpectrogramReducer.defaultNoiseFloor,
          windowLength: spectrogram.windowLength, scale: scale,
          highest: spectrogram.highestFrequency,
          makesCloseUps: scale == .linear && spectrogram.highestFrequency == nil)
      case .both, .loudness: return nil
      }
    }
  }
}
