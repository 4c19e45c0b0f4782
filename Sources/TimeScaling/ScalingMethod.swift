/// How the samples between the original ones are found.
public enum ScalingMethod: String, CaseIterable, Hashable, Sendable {
  /// Linear interpolation at control points eased by `t*t*(3-2*t)` when lengthening; linear
  /// otherwise. The default.
  case smoothstep
  /// Linear interpolation at evenly spaced control points.
  case linear
}
