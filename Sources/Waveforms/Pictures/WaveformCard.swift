/// The text of a card about its audio.
public struct CardContent: Hashable, Sendable {
  /// The first line, such as the title of the music or the name of the file.
  public var title: String
  /// The second line, such as the artist; may be empty.
  public var artist: String
  /// The third line, such as the album; may be empty.
  public var album: String
  /// The last line, such as the length and the sample rate.
  public var facts: String
  /// The cover; `nil` for none.
  public var cover: Cover?

  /// The pixels of a cover.
  public struct Cover: Hashable, Sendable {
    let image: PixelImage

    /// A cover of rows from the top, each pixel a red, a green and a blue byte; `nil` if `bytes` does not have this
    /// size.
    public init?(width: Int, height: Int, bytes: [UInt8]) {
      guard width > 0, height > 0, bytes.count == 3 * width * height else { return nil }
      image = PixelImage(width: width, height: height, bytes: bytes)
    }
  }

  /// Content; by default without a cover.
  public init(title: String, artist: String, album: String, facts: String, cover: Cover? = nil) {
    self.title = title
    self.artist = artist
    self.album = album
    self.facts = facts
    self.cover = cover
  }
}

/// A card for sharing, with a fixed layout before its audio is read: cover, title and artist above the audio.
///
/// Use it like ``WaveformPicture``.
public struct WaveformCard: Hashable, Sendable {
  /// The default size of a card, in points.
  public static let (usualWidth, usualHeight) = (1200, 630)

  /// The appearance of the card.
  public let settings: PictureSettings
  private let outline: TrackOutline
  private let content: CardContent
  private let width, height: Int
  private let measure: Measure
  private let layout: PictureLayout

  /// The dimensions of a card in points, derived from its size.
  private struct Measure: Hashable {
    let margin, header, gap: Double
    /// The sizes of text.
    let title, artist, small: Double

    init(width: Double, height: Double) {
      let unit = min(
        width / Double(WaveformCard.usualWidth), height / Double(WaveformCard.usualHeight))
      margin = max(2, 52 * unit)
      header = max(4, min(248 * unit, height * 0.45))
      gap = max(2, 44 * unit)
      (title, artist, small) = (max(5, 46 * unit), max(4, 30 * unit), max(4, 23 * unit))
    }
  }

  /// A layout for a source.
  ///
  /// Throws if Cairo is not available or a size is out of range.
  public init(
    settings: PictureSettings, outline: TrackOutline, content: CardContent
  ) throws(RenderingError) {
    var settings = settings
    settings.height = settings.height ?? Self.usualHeight
    // Axes and panels would be too small to read where cards are shown.
    settings.isBare = true
    try settings.check()
    (width, height) = (settings.width, settings.height ?? Self.usualHeight)
    self.settings = settings
    self.outline = outline
    self.content = content
    let measure = Measure(width: Double(width), height: Double(height))
    self.measure = measure
    let canvas = try Canvas(width: 1, height: 1, scale: settings.scale, format: .png, title: "")
    let top = measure.margin + measure.header + measure.gap
    layout = PictureLayout(
      of: [outline], settings: settings, canvas: canvas,
      width: max(1, Double(width) - 2 * measure.margin),
      height: max(1, Double(height) - top - measure.margin), surroundings: .none
    ).moved(x: canvas.snapped(measure.margin), y: canvas.snapped(top))
  }

  /// The reducers for the lanes; see ``WaveformPicture/reducers(forTrack:levels:)``.
  public func reducers(levels: LevelSettings = LevelSettings()) -> [any LaneReducer] {
    settings.reducers(of: outline, count: columnCount, levels: levels) {
      layout.tracks.first?.rowCount(ofLane: $0, scale: Double(settings.scale)) ?? 1
    }
  }

  /// The number of values in a lane, for a curve of loudness.
  public var columnCount: Int { layout.tracks.first?.valueCount ?? 1 }

  /// The bytes of a picture file of the card, with these lanes.
  public func render(
    _ lanes: [LaneContent], as format: PictureFormat
  ) throws(RenderingError) -> [UInt8] {
    let canvas = try Canvas(
      width: width, height: height, scale: settings.scale, format: format,
      title: [content.title, content.artist].filter { !$0.isEmpty }.joined(separator: ", "),
      description: settings.style.description(of: outline))
    canvas.fill(
      Rectangle(x: 0, y: 0, width: canvas.width, height: canvas.height), settings.theme.background)
    drawHeader(on: canvas)
    let scene = WaveformScene(tracks: [WaveformTrack(outline: outline, lanes: lanes)])
    ScenePainter(
      canvas: canvas, settings: settings, layout: layout, scene: scene.fittingFrequencies
    ).draw()
    return try canvas.finish()
  }

  // MARK: - Header

  private func drawHeader(on canvas: Canvas) {
    var left = measure.margin
    if let cover = content.cover {
      left += draw(cover.image, on: canvas) + measure.gap
    }
    let room = canvas.width - left - measure.margin
    let title = TextStyle(size: measure.title, isBold: true)
    let lines = canvas.wrapped(content.title, title, width: room, maximumLines: 2)
    let others = [(content.artist, measure.artist), (content.album, measure.small)]
      .filter { !$0.0.isEmpty }
    let theme = settings.theme
    var y = measure.margin
    for line in lines {
      y += measure.title * 1.2
      canvas.draw(line, x: left, baseline: y - measure.title * 0.3, title, theme.text)
    }
    for (text, size) in others {
      let style = TextStyle(size: size)
      y += size * 1.5
      canvas.draw(
        canvas.fitted(text, style, width: room), x: left, baseline: y - size * 0.35, style,
        theme.mutedText)
    }
    // The facts are at the bottom of the header.
    let facts = TextStyle(size: measure.small)
    canvas.draw(
      canvas.fitted(content.facts, facts, width: room), x: left,
      baseline: measure.margin + measure.header - measure.small * 0.08, facts, theme.mutedText)
  }

  /// Draws a cover as high as the header, at most as wide as a third of the card, and returns its width.
  private func draw(_ image: PixelImage, on canvas: Canvas) -> Double {
    let most = (width: canvas.width * 0.35, height: measure.header)
    let scale = min(most.width / Double(image.width), most.height / Double(image.height))
    let place = Rectangle(
      x: canvas.snapped(measure.margin), y: canvas.snapped(measure.margin),
      width: max(1, canvas.snapped(Double(image.width) * scale)),
      height: max(1, canvas.snapped(Double(image.height) * scale)))
    // Twice as fine in formats that are enlarged.
    let fineness = canvas.svgText == nil ? canvas.scale : 2
    canvas.draw(
      image.resized(
        width: max(1, Int((place.width * fineness).rounded())),
        height: max(1, Int((place.height * fineness).rounded()))),
      in: place)
    return place.width
  }
}

extension PixelImage {
  /// The image with another number of pixels. Each is the mean of the pixels that it covers, or is interpolated.
  func resized(width: Int, height: Int) -> PixelImage {
    let across = Self.weights(from: self.width, to: width)
    let down = Self.weights(from: self.height, to: height)
    // First each row, then each column.
    var rows: [Float] = []
    rows.reserveCapacity(3 * width * self.height)
    for y in 0..<self.height {
      for taps in across {
        for part in 0..<3 {
          var sum: Float = 0
          for (x, weight) in taps { sum += weight * Float(bytes[3 * (y * self.width + x) + part]) }
          rows.append(sum)
        }
      }
    }
    var result: [UInt8] = []
    result.reserveCapacity(3 * width * height)
    for taps in down {
      for place in 0..<3 * width {
        var sum: Float = 0
        for (y, weight) in taps { sum += weight * rows[y * 3 * width + place] }
        result.append(UInt8(min(255, max(0, sum.rounded()))))
      }
    }
    return PixelImage(width: width, height: height, bytes: result)
  }

  /// The pixels that contribute to each of `count` new ones, with weights that sum to 1: a triangle twice as wide as
  /// a pixel of the coarser image.
  private static func weights(from old: Int, to count: Int) -> [[(Int, Float)]] {
    let ratio = Double(old) / Double(count)
    let reach = max(1, ratio)
    return (0..<count).map { index in
      let middle = (Double(index) + 0.5) * ratio - 0.5
      let first = max(0, Int((middle - reach).rounded(.up)))
      let last = min(old - 1, Int((middle + reach).rounded(.down)))
      guard first <= last else { return [(min(old - 1, max(0, Int(middle.rounded()))), 1)] }
      let taps = (first...last).map { ($0, max(0, 1 - abs(Double($0) - middle) / reach)) }
      let sum = taps.reduce(0) { $0 + $1.1 }
      return sum > 0
        ? taps.map { ($0.0, Float($0.1 / sum)) }
        : [(min(old - 1, max(0, Int(middle.rounded()))), 1)]
    }
  }
}

extension Canvas {
  /// A text on at most `maximumLines` lines of a width, broken at spaces if possible. The last line ends in `…` if text
  /// is omitted.
  func wrapped(
    _ text: String, _ style: TextStyle, width: Double, maximumLines: Int
  ) -> [String] {
    var lines: [String] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      if lines.count == maximumLines - 1 || self.width(of: String(rest), style) <= width {
        let line = fitted(String(rest), style, width: width)
        if !line.isEmpty { lines.append(line) }
        break
      }
      // The part that fits, without the ellipsis.
      let start = fitted(String(rest), style, width: width).dropLast()
      if start.isEmpty { break }
      var end = rest.index(rest.startIndex, offsetBy: start.count)
      if let space = rest[..<end].lastIndex(of: " "), rest[end] != " ",
        space > rest.index(rest.startIndex, offsetBy: start.count / 2)
      {
        end = space
      }
      lines.append(String(rest[..<end]))
      rest = rest[end...].drop { $0 == " " }
    }
    return lines
  }
}
