/// Draws chapters and marks: a line through the lanes, and above them names, or numbers if they are dense.
struct MarkerPainter {
  let canvas: Canvas
  let theme: PictureTheme
  let place: PictureLayout.Track
  let pointsPerSecond: Double
  /// Which lanes hide the background with dark colors.
  var darkLanes: [Bool] = []

  /// The distance from a line to its name, and from a name to the next line, in points.
  private static let (nameOffset, nameGap) = (5.0, 10.0)
  /// The minimum width of a name, in points.
  private static let leastRoom = 28.0
  /// The minimum distance of numbers, and their offset from their lines.
  private static let (numberGap, numberOffset) = (8.0, 3.0)
  /// The minimum distance of lines; closer lines are omitted.
  private static let leastDistance = 3.0

  func draw(_ outline: TrackOutline) {
    guard let first = place.lanes.first else { return }
    let markers = visible(outline, from: first.x, to: first.right)
    let numbered = place.markerNames == nil ? [:] : numbers(of: markers, outline)
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

  /// The minimum distance of lines without a number; closer ones are ticks of a length, all in points.
  private static let (leastLines, tickLength) = (10.0, 5.0)

  private func isCrowded(_ markers: [(x: Double, marker: TimeMarker)], at index: Int) -> Bool {
    let x = markers[index].x
    let before = index > 0 ? x - markers[index - 1].x : .infinity
    let after = index + 1 < markers.count ? markers[index + 1].x - x : .infinity
    return min(before, after) < Self.leastLines
  }

  /// A short line above the first lane.
  private func drawTick(at x: Double) {
    guard let first = place.lanes.first else { return }
    canvas.fill(
      Rectangle(
        x: x, y: first.y - Self.tickLength, width: 1 / canvas.scale, height: Self.tickLength),
      theme.marker)
  }

  /// The numbers of every marker, every second, fifth, tenth and so on, as close as they fit, by the index of the
  /// marker; empty if at least half of the names have room.
  ///
  /// Chapters are counted, or if there are none, marks.
  private func numbers(
    of markers: [(x: Double, marker: TimeMarker)], _ outline: TrackOutline
  ) -> [Int: String] {
    let rooms = zip(markers, markers.dropFirst()).filter { one, next in
      next.x - one.x - Self.nameGap - Self.nameOffset
        >= min(Self.leastRoom + 12, canvas.width(of: one.marker.label, .label))
    }
    guard markers.count > 4, 2 * rooms.count < markers.count - 1 else { return [:] }
    let sorted = outline.markers.sorted { $0.seconds < $1.seconds }
    let kind: TimeMarker.Kind =
      sorted.contains { $0.kind == .chapter } ? .chapter : .mark
    let counted = sorted.filter { $0.kind == kind }
    // Positions can repeat; each has the number of its first marker.
    var numberOf: [TimeMarker: Int] = [:]
    for (index, marker) in counted.enumerated() where numberOf[marker] == nil {
      numberOf[marker] = index + 1
    }
    let placed = markers.enumerated().compactMap { (index, item) in
      numberOf[item.marker].map { (index: index, x: item.x, number: $0) }
    }
    for step in [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] {
      let shown = placed.filter { step == 1 || $0.number == 1 || $0.number % step == 0 }
      let ends = shown.map {
        $0.x + Self.numberOffset + canvas.width(of: "\($0.number)", .label) + Self.numberGap
      }
      let fits = zip(ends, shown.dropFirst()).allSatisfy { $0 <= $1.x }
      if fits {
        return Dictionary(uniqueKeysWithValues: shown.map { ($0.index, "\($0.number)") })
      }
    }
    return [:]
  }

  /// The markers that are far enough apart, in the order of time.
  private func visible(
    _ outline: TrackOutline, from left: Double, to right: Double
  ) -> [(x: Double, marker: TimeMarker)] {
    var placed: [(x: Double, marker: TimeMarker)] = []
    for marker in outline.markers.sorted(by: { $0.seconds < $1.seconds }) {
      let x = canvas.snapped(
        left + (marker.seconds - outline.startSeconds) * pointsPerSecond)
      guard x >= left, x < right else { continue }
      if let last = placed.last, x - last.x < Self.leastDistance { continue }
      placed.append((x, marker))
    }
    return placed
  }

  private func drawLine(at x: Double, _ kind: TimeMarker.Kind, reachesNames: Bool) {
    let pixel = 1 / canvas.scale
    guard let first = place.lanes.first?.y, let bottom = place.lanes.last?.bottom else { return }
    let top = reachesNames ? place.markerNames?.y ?? first : first
    let line = Rectangle(x: x, y: canvas.snapped(top), width: pixel, height: bottom - top)
    for (index, lane) in place.lanes.enumerated() where !isDark(index) {
      // The ground on either side sets the line off from the waveform.
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
      canvas.fill(dashes, .color(color))
    }
  }

  private func drawName(_ name: String, at x: Double, to end: Double, _ names: Rectangle) {
    let start = x + Self.nameOffset
    let room = end - start
    guard room >= Self.leastRoom else { return }
    canvas.draw(
      canvas.fitted(name, .label, width: room), x: start, baseline: names.y + 11, .label, theme.text
    )
  }
}
