/// Colors for values from 0 to 1.
struct ColorMap: Hashable {
  private let colors: [RGBColor]

  /// Even steps between these colors; `inferno` where there are fewer than two.
  init(_ colors: [RGBColor] = []) {
    self.colors = colors.count > 1 ? colors : Self.infernoTable.map { RGBColor($0) }
  }

  /// The color of a value; those beyond the range are the nearest within.
  func color(at value: Double) -> RGBColor {
    let place = min(1, max(0, value.isNaN ? 0 : value)) * Double(colors.count - 1)
    let index = min(Int(place), colors.count - 2)
    return colors[index].mixed(with: colors[index + 1], place - Double(index))
  }
}
