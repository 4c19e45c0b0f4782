public import AudioModel
internal import TimeScaling

/// A map from positions in a source to positions in an output, as people write it: in seconds, or in frames of
/// the source and output.
///
/// As text, each line is `source-time output-time`:
///
/// ```
/// # the bridge at half speed
/// 0:00      0:00
/// 1:10.5    1:10.5
/// 1:25.5    1:40.5
/// 3:02      3:17
/// ```
public struct TimeMapRequest: Hashable, Sendable {
  /// A unit of time.
  public enum Unit: Hashable, Sendable {
    case seconds, frames
  }

  /// The unit of all times in the map.
  public let unit: Unit
  /// The map, in ``unit``.
  public let map: TimeMap

  /// A map whose slopes, output over source, are within `StretchSettings.factorRange`; `nil` for other maps.
  public init?(_ map: TimeMap, in unit: Unit) {
    let steps = zip(map.points, map.points.dropFirst())
    guard steps.allSatisfy({ Self.isStretchable(from: $0, to: $1) }) else { return nil }
    self.init(unchecked: map, in: unit)
  }

  /// A map whose slopes have been checked.
  init(unchecked map: TimeMap, in unit: Unit) {
    self.map = map
    self.unit = unit
  }

  /// True if the factor between two points is within `StretchSettings.factorRange`.
  static func isStretchable(from: TimeMap.Point, to: TimeMap.Point) -> Bool {
    let factor = (to.output - from.output) / (to.source - from.source)
    let range = StretchSettings.factorRange
    // Decimal fractions are not exact.
    let slack = 1e-9
    return factor >= range.lowerBound * (1 - slack) && factor <= range.upperBound * (1 + slack)
  }

  /// A short text that differs between maps.
  var digest: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for point in map.points {
      for word in [point.source.bitPattern, point.output.bitPattern] {
        for byte in 0..<8 {
          // FNV-1a (Fowler, Noll, Vo).
          hash = (hash ^ (word >> (8 * UInt64(byte)) & 0xFF)) &* 0x100_0000_01B3
        }
      }
    }
    let unit = unit == .frames ? "frames" : "seconds"
    return "\(map.points.count)-\(unit)-\(String(hash, radix: 16))"
  }
}
