/// Where linear interpolation between neighboring frames puts its control points.
public enum Interpolation: String, CaseIterable, Hashable, Sendable {
  /// Eased by `t*t*(3-2*t)` when lengthening; evenly spaced otherwise.
  case smoothstep
  /// Evenly spaced.
  case linear
}
