/// The layout of a picture, in points.
struct PictureLayout: Hashable {
  /// The layout of one source.
  struct Track: Hashable {
    /// The line of the title; `nil` if it does not fit.
    var title: Rectangle?
    /// The line of the names of chapters and marks; `nil` if it does not fit.
    var markerNames: Rectangle?
    /// The lanes from top to bottom, all of the same width.
    var lanes: [Rectangle]
    /// The number of bars, or columns of pixels, in a lane.
    var valueCount: Int
    /// The width of the values, including the gap after the last bar.
    var valueWidth: Double

    /// The number of rows of pixels in a lane.
    func rowCount(ofLane lane: Int, scale: Double) -> Int {
      max(1, Int(((lanes.indices.contains(lane) ? lanes[lane].height : 1) * scale).rounded()))
    }
  }

  /// The total height.
  var height: Double
  var tracks: [Track]
  /// The labels of the time axis; `nil` if there are none.
  var timeAxis: Rectangle?
  /// The legend of colors; `nil` if there is none.
  var legend: Rectangle?
  /// The right end of the labels of level axes, left of the lanes; `nil` if there are none.
  var levelAxisEnd: Double?
  /// The left end of the names of lanes; `nil` if they do not fit.
  var laneNamesStart: Double?

  /// The layout of sources in a width and a height; without `height`, the height is what they need.
  init(
    of outlines: [TrackOutline], settings: PictureSettings, canvas: Canvas, width: Double,
    height: Double?, surroundings: Surroundings
  ) {
    var surroundings = surroundings.fitting(width: width, outlines)
    var laneHeight = Self.usualLaneHeight(
      count: settings.style.parts.count * outlines.map(\.laneNames.count).reduce(0, +))
    let weights = settings.style.weights
    if let height {
      laneHeight = surroundings.laneHeight(in: height, outlines, settings.style)
      while laneHeight < LayoutMeasure.lowestLane, let less = surroundings.reduced {
        surroundings = less
        laneHeight = surroundings.laneHeight(in: height, outlines, settings.style)
      }
    }
    let heights = weights.map { max(1, canvas.snapped($0 * laneHeight - 0.5 / canvas.scale)) }
    (tracks, self.height) = ([], 0)
    let left = surroundings.margins ? LayoutMeasure.side : 0
    let lanesStart = placeLeftOfLanes(
      outlines, canvas, from: left, names: surroundings.levelAxis,
      levels: surroundings.levelAxis && heights.allSatisfy { $0 >= LayoutMeasure.lowestAxis })
    let hasLegend = surroundings.levelAxis && settings.style.parts.contains(.spectrogram)
    let room = max(1, width - left - lanesStart - (hasLegend ? LayoutMeasure.legendRoom : 0))
    // Titles end at the right end of the longest source.
    let right =
      lanesStart + Self.laneWidth(Self.values(settings, canvas, room: room), settings, canvas)
    let longest = outlines.map(\.seconds).max() ?? 0
    var top = surroundings.margins ? LayoutMeasure.top : 0
    for (index, outline) in outlines.enumerated() {
      if index > 0 { top += LayoutMeasure.betweenTracks }
      let share = longest > 0 ? outline.seconds / longest : 1
      var track = Self.values(settings, canvas, room: room * share)
      track.placeAbove(outline, surroundings, left: left, lanesStart, right: right, top: &top)
      let lane = Rectangle(
        x: lanesStart, y: 0, width: Self.laneWidth(track, settings, canvas), height: 0)
      track.placeLanes(
        like: lane, heights: outline.laneNames.flatMap { _ in heights },
        gap: settings.style.laneGap, top: &top, canvas)
      tracks.append(track)
    }
    let spectra = tracks.flatMap(\.lanes).enumerated().filter {
      settings.style.parts[$0.offset % settings.style.parts.count] == .spectrogram
    }
    if hasLegend, let first = spectra.first?.element, let last = spectra.last?.element {
      legend = Rectangle(
        x: canvas.snapped(lanesStart + room + LayoutMeasure.legendGap), y: first.y,
        width: LayoutMeasure.legendWidth, height: last.bottom - first.y)
    }
    if surroundings.timeAxis {
      timeAxis = Rectangle(x: lanesStart, y: top, width: room, height: LayoutMeasure.timeAxis)
      top += LayoutMeasure.timeAxis
    }
    self.height = height ?? top + (surroundings.margins ? LayoutMeasure.bottom : 0)
  }

  /// Places the names of lanes and the level axes, starting at `left`; returns the left end of the lanes.
  private mutating func placeLeftOfLanes(
    _ outlines: [TrackOutline], _ canvas: Canvas, from left: Double, names: Bool, levels: Bool
  ) -> Double {
    let widest = outlines.flatMap(\.laneNames).map { canvas.width(of: $0, .laneName) }.max() ?? 0
    var start = left
    if names && widest > 0 {
      laneNamesStart = start
      start += widest + LayoutMeasure.nameGap
    }
    if levels {
      start += canvas.width(of: "\u{2212}00.0", .label)
      levelAxisEnd = start
      start += LayoutMeasure.levelGap
    }
    return canvas.snapped(start)
  }

  /// The number and the total width of values in a width.
  private static func values(
    _ settings: PictureSettings, _ canvas: Canvas, room: Double
  ) -> Track {
    switch settings.style {
    case .bars:
      let pitch = Double(max(1, settings.barPitch))
      // The gap after the last bar may be outside.
      let count = max(1, Int((room + Double(settings.barSpacing)) / pitch))
      return Track(lanes: [], valueCount: count, valueWidth: Double(count) * pitch)
    case .envelope, .spectrogram, .both, .loudness:
      let count = max(1, Int(room * canvas.scale))
      return Track(lanes: [], valueCount: count, valueWidth: Double(count) / canvas.scale)
    }
  }

  /// The width of a lane: that of its values without the gap after the last bar.
  private static func laneWidth(
    _ track: Track, _ settings: PictureSettings, _ canvas: Canvas
  ) -> Double {
    let gap = settings.style == .bars ? Double(settings.barSpacing) : 0
    return max(1 / canvas.scale, canvas.snapped(track.valueWidth - gap))
  }

  /// The height of a lane if the height of the picture is not set.
  private static func usualLaneHeight(count: Int) -> Double {
    switch count {
    case ...1: 200
    case 2: 124
    case 3...4: 96
    case 5...16: 72
    default: 48
    }
  }
}

extension PictureLayout.Track {
  /// Places the lines above the lanes, starting at `top`, and moves `top` below them.
  fileprivate mutating func placeAbove(
    _ outline: TrackOutline, _ surroundings: Surroundings, left: Double, _ lanesStart: Double,
    right: Double, top: inout Double
  ) {
    if surroundings.titles {
      title = Rectangle(x: left, y: top, width: right - left, height: LayoutMeasure.title)
      top += LayoutMeasure.title
    }
    if surroundings.markerNames && !outline.markers.isEmpty {
      markerNames = Rectangle(
        x: lanesStart, y: top, width: right - lanesStart, height: LayoutMeasure.markerNames)
      top += LayoutMeasure.markerNames
    }
  }

  /// Places the lanes, starting at `top`, and moves `top` below them.
  fileprivate mutating func placeLanes(
    like first: Rectangle, heights: [Double], gap: Double, top: inout Double, _ canvas: Canvas
  ) {
    for (lane, height) in heights.enumerated() {
      if lane > 0 { top += gap }
      var place = first
      place.height = height
      place.y = canvas.snapped(top)
      lanes.append(place)
      top += height
    }
  }
}
