/// The part of a file that the waveform of `play` shows: it follows the position in pages, or stays.
struct PlayZoom {
  /// Seconds of a column.
  static let levels: [Double] = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 2, 5]
  private static let usual = 0.2

  private(set) var each = usual
  private(set) var showsWhole = false
  /// True if the page stays where it is.
  var isStill = false
  private var start = 0.0
  /// The loop to which the page was fitted.
  private var fitted: Range<Double>?

  /// The page at a moment. It turns when an eighth of it is left; a loop that fits stays on its page.
  mutating func page(
    at position: Double, length: Double, loop: Range<Double>?, columns: Int
  ) -> PlayScene.Page {
    let columns = Double(max(1, columns))
    let whole = length / columns
    if showsWhole || each >= whole {
      return PlayScene.Page(start: 0, secondsPerColumn: max(whole, 1e-4))
    }
    let width = each * columns
    func limited(_ start: Double) -> Double { max(0, min(start, length - width)) }
    start = limited(start)
    if !isStill {
      let isShown = position >= start && position < start + width
      if let loop, loop.upperBound - loop.lowerBound <= width * 7 / 8,
        position >= loop.lowerBound - width / 8, position <= loop.upperBound + 0.1
      {
        if loop.lowerBound < start || loop.upperBound > start + width || !isShown {
          start = limited((loop.lowerBound + loop.upperBound - width) / 2)
        }
      } else if !isShown || position >= start + width * 7 / 8 {
        start = limited(position - width / 8)
      }
    }
    return PlayScene.Page(start: start, secondsPerColumn: each)
  }

  /// Shows less for positive steps, and more for negative ones. The first step in shows a loop as a whole.
  mutating func change(
    by steps: Int, at position: Double, length: Double, loop: Range<Double>?, columns: Int
  ) {
    let whole = length / Double(max(1, columns))
    let before = showsWhole ? whole : min(each, whole)
    let place = showsWhole || each >= whole ? position : position - start
    if steps > 0 {
      let most = Self.levels.last { $0 < before * 0.99 } ?? Self.levels[0]
      each = most
      if let loop, loop != fitted {
        each = max(
          (loop.upperBound - loop.lowerBound) / 0.7 / Double(max(1, columns)), Self.levels[0])
        fitted = loop
      }
      showsWhole = each >= whole
    } else {
      let next = Self.levels.first { $0 > before * 1.01 }
      showsWhole = next.map { $0 >= whole } ?? true
      if let next, !showsWhole { each = next }
    }
    // The position stays in its column.
    start = position - place * (showsWhole ? 1 : each / max(before, 1e-9))
  }
}
