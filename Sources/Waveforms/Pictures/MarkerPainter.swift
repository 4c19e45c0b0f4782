/// Draws chapters and marks: a line through the lanes, and above them names, or numbers if they are dense.
struct MarkerPainter {
  let canvas: Canvas
  let theme: PictureTheme
  let place: PictureLayout.Track
  let pointsPerSecond: Double
  /// The lanes that hide the background with dark colors.
  var darkLanes: [Bool] = []

  /// The distance from a line to its name, and from a name to the next line, in points.
  private static let (nameOffset, nameGap) = (5.0, 10.0)
  /// The minimum width of a name, in points.
  private static let minimumRoom = 28.0
  /// The minimum distance of numbers, and their offset from their lines.
  private static let (numberGap, numberOffset) = (8.0, 3.0)
  /// The minimum distance of lines; closer lines are omitted.
  private static let minimumDistance = 3.0

  func draw(_ outline: TrackOutline) {
    guard let first = place.lanes.first else { return }
    let all = visible(outline, from: first.x, to: first.right)
    // Every marker counts for the numbers; without numbers, lines need a minimum distance.
    let numbered = place.markerNames == nil ? [:] : numbers(of: all, outline)
    let markers = numbered.isEmpty ? Self.apart(all) : all
    for (index, (x, marker)) in markers.enumerated() {
      let isNamed = numbered.isEmpty || numbered[index] != nil
      if isNamed || !isCrowded(markers, at: index) {
        drawLine(at: x, marker.kind, reachesNames: isNamed)
      } else {
        drawTick(at: x)
      }
      guard let names = place.markerNames else { continue }
      if let number = numbered[index] {
        canvas.draw(
          number, x: x + Self.numberOffset, baseline: names.y + 11, .label, theme.text)
      } else if numbered.isEmpty {
        let next = index + 1 < markers.count ? markers[index + 1].x : names.right + Self.nameGap
        drawName(marker.label, at: x, to: next - Self.nameGap, names)
      }
    }
  }

  /// The minimum distance of lines without a number, and the length of the ticks that replace closer lines, in
  /// points.
  private static let (minimumLines, tickLength) = (10.0, 5.0)

  private func isCrowded(_ markers: [(x: Double, marker: TimeMarker)], at index: Int) -> Bool {
    let x = markers[index].x
    let before = index > 0 ? x - markers[index - 1].x : .infinity
    let after = index + 1 < markers.count ? markers[index + 1].x - x : .infinity
    return min(before, after) < Self.minimumLines
  }

  /// A short line above the first lane.
  private func drawTick(at x: Double) {
    guard let first = place.lanes.first else { return }
    canvas.fill(
      Rectangle(
        x: x, y: first.y - Self.tickLength, width: 1 / canvas.scale, height: Self.tickLength),
      theme.marker)
  }

  private func numbers(
    of markers: [(x: Double, marker: TimeMarker)], _ outline: TrackOutline
  ) -> [Int: String] {
    MarkerNumbers(
      nameRoom: Self.minimumRoom + 12, nameGap: Self.nameGap + Self.nameOffset,
      numberGap: Self.numberOffset + Self.numberGap
    ) {
      canvas.width(of: $0, .label)
    }.numbers(of: markers, among: outline.markers)
  }

  /// The markers within the lanes, in the order of time.
  private func visible(
    _ outline: TrackOutline, from left: Double, to right: Double
  ) -> [(x: Double, marker: TimeMarker)] {
    outline.markers.sorted { $0.seconds < $1.seconds }.compactMap { marker in
      let x = canvas.snapped(
        left + (marker.seconds - outline.startSeconds) * pointsPerSecond)
      return x >= left && x < right ? (x, marker) : nil
    }
  }

  /// The markers without those that are too close to the one before.
  private static func apart(
    _ markers: [(x: Double, marker: TimeMarker)]
  ) -> [(x: Double, marker: TimeMarker)] {
    var placed: [(x: Double, marker: TimeMarker)] = []
    for marker in markers {
      if let last = placed.last, marker.x - last.x < minimumDistance { continue }
      placed.append(marker)
    }
    return placed
  }

  private func drawLine(at x: Double, _ kind: TimeMarker.Kind, reachesNames: Bool) {
    let pixel = 1 / canvas.scale
    guard let first = place.lanes.first?.y, let bottom = place.lanes.last?.bottom else { return }
    let top = reachesNames ? place.markerNames?.y ?? first : first
    let line = Rectangle(x: x, y: canvas.snapped(top), width: pixel, height: bottom - top)
    for (index, lane) in place.lanes.enumerated() where !isDark(index) {
      // A background color on both sides separates the line from the waveform.
      let left = max(lane.x, x - 1)
      canvas.fill(
        Rectangle(
          x: left, y: lane.y, width: min(lane.right, x + pixel + 1) - left, height: lane.height),
        theme.panel)
    }
    draw(line, kind, theme.marker)
    for (index, lane) in place.lanes.enumerated() where isDark(index) {
      draw(
        Rectangle(x: x, y: lane.y, width: pixel, height: lane.height), kind,
        PictureTheme.dark.marker)
    }
  }

  private func isDark(_ lane: Int) -> Bool { darkLanes.indices.contains(lane) && darkLanes[lane] }

  private func draw(_ line: Rectangle, _ kind: TimeMarker.Kind, _ color: RGBColor) {
    switch kind {
    case .chapter: canvas.fill(line, color)
    case .mark:
      let dashes = stride(from: line.y, to: line.bottom, by: 4).map {
        Rectangle(x: line.x, y: $0, width: line.width, height: min(2, line.bottom - $0))
      }
      canvas.fill(dashes, color)
    }
  }

  private func drawName(_ name: String, at x: Double, to end: Double, _ names: Rectangle) {
    let start = x + Self.nameOffset
    let room = end - start
    guard room >= Self.minimumRoom else { return }
    canvas.draw(
      canvas.fitted(name, .label, width: room), x: start, baseline: names.y + 11, .label, theme.text
    )
  }
}
