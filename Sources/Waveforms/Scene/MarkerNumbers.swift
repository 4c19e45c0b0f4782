/// The numbers of chapters or marks that are too dense for their names.
struct MarkerNumbers {
  /// The width that a shortened name needs, and that of the gap around a name.
  let nameRoom, nameGap: Double
  /// The width of the gap around a number.
  let numberGap: Double
  /// The width of text.
  let width: (String) -> Double

  /// The numbers of every marker, every second, fifth, tenth and so on, as close as they fit, by the index of the
  /// marker; empty if at least half of the names have room.
  ///
  /// Chapters are counted, or if there are none, marks.
  ///
  /// - Parameters:
  ///   - markers: The visible markers with their positions, in order.
  ///   - all: All markers of the source.
  func numbers(
    of markers: [(x: Double, marker: TimeMarker)], among all: [TimeMarker]
  ) -> [Int: String] {
    let named = zip(markers, markers.dropFirst()).filter { one, next in
      next.x - one.x - nameGap >= min(nameRoom, width(one.marker.label))
    }
    guard markers.count > 4, 2 * named.count < markers.count - 1 else { return [:] }
    let kind: TimeMarker.Kind = all.contains { $0.kind == .chapter } ? .chapter : .mark
    let counted = all.filter { $0.kind == kind }.sorted { $0.seconds < $1.seconds }
    // Equal markers have the number of the first.
    var numberOf: [TimeMarker: Int] = [:]
    for (index, marker) in counted.enumerated() where numberOf[marker] == nil {
      numberOf[marker] = index + 1
    }
    let placed = markers.enumerated().compactMap { (index, item) in
      numberOf[item.marker].map { (index: index, x: item.x, number: $0) }
    }
    for step in [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] {
      let shown = placed.filter { step == 1 || $0.number == 1 || $0.number % step == 0 }
      let ends = shown.map { $0.x + numberGap + width("\($0.number)") }
      if zip(ends, shown.dropFirst()).allSatisfy({ $0 <= $1.x }) {
        return Dictionary(uniqueKeysWithValues: shown.map { ($0.index, "\($0.number)") })
      }
    }
    return [:]
  }
}
