public import AudioModel

extension ScalingMethod {
  /// Checks, before anything is read, that the method is here and does what is asked.
  ///
  /// - Parameters:
  ///   - factor: Output length / input length.
  ///   - map: Where moments of the source go, where not all go in proportion.
  /// - Throws: ``ScalingError/unavailable(method:remedy:)`` in a build without the library that the
  ///   method needs, and ``ScalingError/outOfRange(_:)`` where the factor, a part of the map or a setting
  ///   is.
  public func check(factor: Double, map: TimeMap? = nil) throws(ScalingError) {
    guard case .stretch(let settings) = self else { return }
    guard Self.stretches else {
      throw .unavailable(
        method: .stretch,
        remedy:
          "this program was built without Rubber Band; build it with the trait RubberBand, as "
          + "swift build does by itself, or choose --method sinc, which moves the pitch too")
    }
    try settings.checkPitch()
    try StretchSettings.check(factor: factor)
    guard let points = map?.points else { return }
    for (one, next) in zip(points, points.dropFirst()) {
      try StretchSettings.check(
        factor: (next.output - one.output) / (next.source - one.source))
    }
  }

  /// Whether this build can change duration without pitch.
  public static var stretches: Bool {
    #if RubberBand
      true
    #else
      false
    #endif
  }
}

extension StretchSettings {
  static func check(factor: Double) throws(ScalingError) {
    guard factorRange.contains(factor) else { throw outOfRange(factor: factor) }
  }

  func checkPitch() throws(ScalingError) {
    let range = Self.semitoneRange
    guard range.contains(semitones) else {
      throw .outOfRange(
        "a pitch of \(semitones) semitones is not within \(Int(range.lowerBound)) to "
          + "\(Int(range.upperBound)); choose one that is")
    }
  }

  static func outOfRange(factor: Double) -> ScalingError {
    .outOfRange(
      "a factor of \(factor) is not within \(factorRange.lowerBound) to "
        + "\(Int(factorRange.upperBound)), which is what --method stretch does; choose one that is, "
        + "or --method sinc")
  }
}
