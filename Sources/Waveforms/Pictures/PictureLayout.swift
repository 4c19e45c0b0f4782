/// Where the parts of a picture, or of a cell of a sheet, stand, in points.
struct PictureLayout: Hashable {
  /// The parts of one source.
  struct Track: Hashable {
    /// The line of its name and facts; `nil` where there is no room for it.
    var title: Rectangle?
    /// The line of the names of chapters and marks.
    var markerNames: Rectangle?
    /// The lanes, from the top. All of them are as wide.
    var lanes: [Rectangle]
    /// How many bars, or columns of pixels, a lane has room for.
    var valueCount: Int
    /// The width that these take, the gap behind the last bar included.
    var valueWidth: Double
  }

  /// The height of the whole.
  var height: Double
  var tracks: [Track]
  /// Where the axis of time is labeled; `nil` where it is not.
  var timeAxis: Rectangle?
  /// Where the axes of levels begin and end, left of the lanes; `nil` where there are none.
  var levelAxis: (start: Double, end: Double)? {
    get { levelAxisEnds.map { ($0[0], $0[1]) } }
    set { levelAxisEnds = newValue.map { [$0.start, $0.end] } }
  }
  private var levelAxisEnds: [Double]?
  /// Where the names of lanes begin; `nil` where there is no room for them.
  var laneNamesStart: Double?

  fileprivate enum Measure {
    static let side = 24.0
    static let top = 18.0
    static let bottom = 12.0
    static let title = 36.0
    static let cellTitle = 22.0
    static let markerNames = 18.0
    static let betweenTracks = 16.0
    static let betweenLanes = 10.0
    static let timeAxis = 26.0
    static let levelGap = 8.0
    static let nameGap = 14.0
    /// Lanes lower than this lose what stands around them.
    static let lowestLane = 24.0
    /// Lanes lower than this have no axis of levels.
    static let lowestAxis = 44.0
    /// Pictures narrower than this have no axis of levels.
    static let narrow = 280.0
    /// Pictures narrower than this have nothing but their lanes.
    static let narrowest = 100.0
  }

  /// What stands around the lanes.
  struct Surroundings: Hashable {
    var margins = true
    var titles = true
    var markerNames = true
    var timeAxis = true
    var levelAxis = true
    /// The height of a title with the gap below it.
    var titleHeight = Measure.title

    static let none = Surroundings(
      margins: false, titles: false, markerNames: false, timeAxis: false, levelAxis: false)

    /// A cell of a sheet.
    static func cell(hasTitle: Bool) -> Surroundings {
      Surroundings(
        margins: false, titles: hasTitle, markerNames: false, timeAxis: false, levelAxis: false,
        titleHeight: Measure.cellTitle)
    }

    /// The same with less: what can best be done without goes first. `nil` when nothing is left.
    fileprivate var reduced: Surroundings? {
      var less = self
      if less.markerNames {
        less.markerNames = false
      } else if less.titles {
        less.titles = false
      } else if less.timeAxis {
        (less.timeAxis, less.levelAxis) = (false, false)
      } else if less.margins {
        less.margins = false
      } else {
        return nil
      }
      return less
    }
  }

  /// The layout of sources in a width and a height; without `height`, in what they take.
  init(
    of outlines: [TrackOutline], settings: PictureSettings, canvas: Canvas,
    width: Double, height: Double?, surroundings: Surroundings
  ) {
    let laneCounts = outlines.map(\.laneNames.count)
    var surroundings = surroundings
    if width < Measure.narrow { surroundings.levelAxis = false }
    if width < Measure.narrowest { surroundings = .none }
    if !outlines.contains(where: { !$0.markers.isEmpty }) { surroundings.markerNames = false }
    let usual = Self.usualLaneHeight(count: laneCounts.reduce(0, +))
    var laneHeight = usual
    if let height {
      laneHeight = Self.laneHeight(height, outlines, surroundings)
      while laneHeight < Measure.lowestLane, let less = surroundings.reduced {
        surroundings = less
        laneHeight = Self.laneHeight(height, outlines, surroundings)
      }
    }
    laneHeight = max(1, canvas.snapped(laneHeight - 0.5 / canvas.scale))

    let names = outlines.flatMap(\.laneNames).map { canvas.width(of: $0, .laneName) }.max() ?? 0
    let side = surroundings.margins ? Measure.side : 0
    var start = side
    if surroundings.levelAxis && names > 0 {
      laneNamesStart = start
      start += names + Measure.nameGap
    }
    if surroundings.levelAxis && laneHeight >= Measure.lowestAxis {
      let labels = canvas.width(of: "\u{2212}00.0", .label)
      levelAxisEnds = [start, start + labels]
      start += labels + Measure.levelGap
    }
    start = canvas.snapped(start)
    let room = max(1, width - side - start)

    // Titles end where the lanes of the longest source do.
    let right = start + Self.laneWidth(Self.values(settings, canvas, room: room), settings, canvas)

    let longest = outlines.map(\.seconds).max() ?? 0
    tracks = []
    var top = surroundings.margins ? Measure.top : 0
    for (index, outline) in outlines.enumerated() {
      if index > 0 { top += Measure.betweenTracks }
      let share = longest > 0 ? outline.seconds / longest : 1
      var track = Self.values(settings, canvas, room: room * share)
      if surroundings.titles {
        track.title = Rectangle(
          x: side, y: top, width: right - side, height: surroundings.titleHeight)
        top += surroundings.titleHeight
      }
      if surroundings.markerNames && !outline.markers.isEmpty {
        track.markerNames = Rectangle(
          x: start, y: top, width: right - start, height: Measure.markerNames)
        top += Measure.markerNames
      }
      let laneWidth = Self.laneWidth(track, settings, canvas)
      for lane in outline.laneNames.indices {
        if lane > 0 { top += Measure.betweenLanes }
        track.lanes.append(
          Rectangle(
            x: start, y: canvas.snapped(top), width: laneWidth, height: laneHeight))
        top += laneHeight
      }
      tracks.append(track)
    }
    if surroundings.timeAxis {
      timeAxis = Rectangle(x: start, y: top, width: room, height: Measure.timeAxis)
      top += Measure.timeAxis
    }
    top += surroundings.margins ? Measure.bottom : 0
    self.height = height ?? top
  }

  /// The same elsewhere.
  func moved(x: Double, y: Double) -> PictureLayout {
    var moved = self
    for index in moved.tracks.indices {
      moved.tracks[index].title?.move(x, y)
      moved.tracks[index].markerNames?.move(x, y)
      for lane in moved.tracks[index].lanes.indices { moved.tracks[index].lanes[lane].move(x, y) }
    }
    moved.timeAxis?.move(x, y)
    moved.levelAxis = levelAxis.map { ($0.start + x, $0.end + x) }
    moved.laneNamesStart = laneNamesStart.map { $0 + x }
    return moved
  }

  /// The room for values in a width.
  private static func values(
    _ settings: PictureSettings, _ canvas: Canvas, room: Double
  ) -> Track {
    switch settings.style {
    case .bars:
      let pitch = Double(max(1, settings.barPitch))
      // The gap behind the last bar may lie outside.
      let count = max(1, Int((room + Double(settings.barSpacing)) / pitch))
      return Track(lanes: [], valueCount: count, valueWidth: Double(count) * pitch)
    case .envelope:
      let count = max(1, Int(room * canvas.scale))
      return Track(lanes: [], valueCount: count, valueWidth: Double(count) / canvas.scale)
    }
  }

  /// The width of a lane: that of its values, without the gap behind the last bar.
  private static func laneWidth(
    _ track: Track, _ settings: PictureSettings, _ canvas: Canvas
  ) -> Double {
    let gap = settings.style == .bars ? Double(settings.barSpacing) : 0
    return max(1 / canvas.scale, canvas.snapped(track.valueWidth - gap))
  }

  /// The height of a lane where nobody says how high the picture is to be.
  private static func usualLaneHeight(count: Int) -> Double {
    switch count {
    case ...1: 200
    case 2: 124
    case 3...4: 96
    case 5...16: 72
    default: 48
    }
  }

  /// The height of a lane that is left in a height.
  private static func laneHeight(
    _ height: Double, _ outlines: [TrackOutline], _ surroundings: Surroundings
  ) -> Double {
    var rest = height
    if surroundings.margins { rest -= Measure.top + Measure.bottom }
    if surroundings.timeAxis { rest -= Measure.timeAxis }
    rest -= Double(max(0, outlines.count - 1)) * Measure.betweenTracks
    var lanes = 0
    for outline in outlines {
      if surroundings.titles { rest -= surroundings.titleHeight }
      if surroundings.markerNames && !outline.markers.isEmpty { rest -= Measure.markerNames }
      rest -= Double(max(0, outline.laneNames.count - 1)) * Measure.betweenLanes
      lanes += outline.laneNames.count
    }
    return rest / Double(max(1, lanes))
  }
}
