/// Draws chapters and marks: a line through the lanes, and a name above them if it fits.
struct MarkerPainter {
  let canvas: Canvas
  let theme: PictureTheme
  let place: PictureLayout.Track
  let pointsPerSecond: Double
  /// The color of lines on lanes that hide the background; `nil` for the color of the theme.
  var laneColor: RGBColor?

  /// The distance from a line to its name, and from a name to the next line, in points.
  private static let (nameOffset, nameGap) = (5.0, 10.0)
  /// The minimum width of a name, in points.
  private static let leastRoom = 28.0
  /// The minimum distance of lines; closer lines are omitted.
  private static let leastDistance = 3.0

  func draw(_ outline: TrackOutline) {
    guard let first = place.lanes.first else { return }
    let markers = visible(outline, from: first.x, to: first.right)
    for (index, (x, marker)) in markers.enumerated() {
      drawLine(at: x, marker.kind)
      guard let names = place.markerNames else { continue }
      let next = index + 1 < markers.count ? markers[index + 1].x : names.right + Self.nameGap
      drawName(marker.label, at: x, to: next - Self.nameGap, names)
    }
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

  private func drawLine(at x: Double, _ kind: TimeMarker.Kind) {
    let pixel = 1 / canvas.scale
    guard let top = place.markerNames?.y ?? place.lanes.first?.y,
      let bottom = place.lanes.last?.bottom
    else { return }
    let line = Rectangle(x: x, y: canvas.snapped(top), width: pixel, height: bottom - top)
    draw(line, kind, theme.marker)
    guard let laneColor else { return }
    for lane in place.lanes {
      draw(Rectangle(x: x, y: lane.y, width: pixel, height: lane.height), kind, laneColor)
    }
  }

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
