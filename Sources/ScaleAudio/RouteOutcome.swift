/// What came of moving a file's frames to its output.
struct RouteOutcome {
  /// Samples that were clamped when they were stored.
  var clipping = Clipping()
  /// What every sample was multiplied by; `nil` where the level stayed as it was.
  var gain: Double?
}
