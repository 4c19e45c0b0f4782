/// The parts of a picture around the lanes.
struct Surroundings: Hashable {
  var margins = true
  var titles = true
  var markerNames = true
  var timeAxis = true
  var levelAxis = true

  /// Lanes only.
  static let none = Surroundings(
    margins: false, titles: false, markerNames: false, timeAxis: false, levelAxis: false)

  /// These surroundings without their least important part; `nil` if there is none left.
  var reduced: Surroundings? {
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

  /// These surroundings without parts that do not fit in a width, or would be empty.
  func fitting(width: Double, _ outlines: [TrackOutline]) -> Surroundings {
    if width < LayoutMeasure.narrowest { return .none }
    var fitting = self
    if width < LayoutMeasure.narrow { fitting.levelAxis = false }
    if outlines.allSatisfy(\.markers.isEmpty) { fitting.markerNames = false }
    return fitting
  }

  /// The remaining height of a lane of weight 1 in a total height.
  ///
  /// - Parameters:
  ///   - height: The total height.
  ///   - outlines: The sources.
  ///   - style: The style, which determines the weights of lanes and the gap between them.
  func laneHeight(
    in height: Double, _ outlines: [TrackOutline], _ style: WaveformStyle
  ) -> Double {
    var rest = height
    if margins { rest -= LayoutMeasure.top + LayoutMeasure.bottom }
    if timeAxis { rest -= LayoutMeasure.timeAxis }
    rest -= Double(max(0, outlines.count - 1)) * LayoutMeasure.betweenTracks
    var names = 0
    for outline in outlines {
      if titles { rest -= LayoutMeasure.title }
      if markerNames && !outline.markers.isEmpty { rest -= LayoutMeasure.markerNames }
      let lanes = outline.laneNames.count * style.parts.count
      rest -= Double(max(0, lanes - 1)) * style.laneGap
      names += outline.laneNames.count
    }
    return rest / (Double(max(1, names)) * style.weights.reduce(0, +))
  }

  /// The minimum height in which lanes are distinguishable, without surroundings.
  static func minimumHeight(of outlines: [TrackOutline], _ style: WaveformStyle) -> Int {
    let names = outlines.map(\.laneNames.count).reduce(0, +)
    let total = Double(max(1, names)) * style.weights.reduce(0, +)
    // The remainder of a height of 0 is the negative gap between lanes, divided among all lanes.
    let between = -Surroundings.none.laneHeight(in: 0, outlines, style) * total
    return Int((between + total * LayoutMeasure.minimumLane).rounded(.up))
  }
}

/// The dimensions of a layout, in points.
enum LayoutMeasure {
  static let side = 24.0
  static let top = 18.0
  static let bottom = 12.0
  /// The height of a title, including the gap below it.
  static let title = 36.0
  static let markerNames = 18.0
  static let betweenTracks = 16.0
  static let betweenLanes = 14.0
  static let timeAxis = 26.0
  static let levelGap = 8.0
  static let (legendRoom, legendGap, legendWidth) = (72.0, 16.0, 14.0)
  static let nameGap = 14.0
  /// Lanes lower than this lose their surroundings.
  static let lowestLane = 24.0
  /// Several lanes lower than this are refused.
  static let minimumLane = 8.0
  /// Lanes lower than this have no level axis.
  static let lowestAxis = 44.0
  /// Pictures narrower than this have no level axis.
  static let narrow = 280.0
  /// Pictures narrower than this have only lanes.
  static let narrowest = 100.0
}
