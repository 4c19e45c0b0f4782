public import AudioModel

/// A method of changing the length of audio.
public enum ScalingMethod: Hashable, Sendable {
  /// Linear interpolation at control points eased by `t*t*(3-2*t)` if the audio becomes longer, otherwise
  /// evenly spaced. The default. Speed and pitch change together.
  case smoothstep
  /// Linear interpolation at evenly spaced control points. Speed and pitch change together.
  case linear
  /// Band-limited interpolation by libsoxr. Speed and pitch change together.
  case sinc(quality: ScalingQuality = .high)
  /// Time stretching. Keeps the pitch, or shifts it independently.
  case stretch(StretchSettings = StretchSettings())

  /// A method without its settings.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    case smoothstep, linear, sinc, stretch
  }

  /// The method without its settings.
  public var kind: Kind {
    switch self {
    case .smoothstep: .smoothstep
    case .linear: .linear
    case .sinc: .sinc
    case .stretch: .stretch
    }
  }

  /// The quality level; `nil` for methods that have only one.
  public var quality: ScalingQuality? {
    switch self {
    case .smoothstep, .linear, .stretch: nil
    case .sinc(let quality): quality
    }
  }

  /// The interpolation between neighboring frames; `nil` for methods that do not interpolate linearly.
  public var interpolation: Interpolation? {
    switch self {
    case .smoothstep: .smoothstep
    case .linear: .linear
    case .sinc, .stretch: nil
    }
  }

  /// The shift of the pitch independent of the length, in semitones.
  package var semitones: Double {
    if case .stretch(let settings) = self { settings.semitones } else { 0 }
  }

  /// True if the pitch changes when the length changes by `factor`.
  package func movesPitch(by factor: Double) -> Bool {
    if case .stretch = self { semitones != 0 } else { factor != 1 }
  }
}

extension ScalingMethod {
  /// The settings of the method as `name=value`, equal for equal settings; empty if it has none.
  package var parameters: [String] {
    switch self {
    case .smoothstep, .linear: []
    case .sinc(let quality): ["scaling-quality=\(quality.rawValue)"]
    case .stretch(let settings):
      [
        "pitch=\(settings.semitones)", "formants=\(settings.formants.rawValue)",
        "engine=\(settings.engine.rawValue)",
      ]
    }
  }
}

/// A trade-off between speed and quality.
public enum ScalingQuality: String, CaseIterable, Hashable, Sendable {
  /// From the least work to the most.
  case fast, high, best
}

/// The spacing of the control points of linear interpolation.
public enum Interpolation: String, CaseIterable, Hashable, Sendable {
  /// Eased by `t*t*(3-2*t)` if the audio becomes longer, otherwise evenly spaced.
  case smoothstep
  /// Evenly spaced.
  case linear
}

extension ScalingMethod {
  /// Checks that this build has the engine of the method and that the method supports the factor and the map.
  ///
  /// - Parameters:
  ///   - factor: Output length / input length.
  ///   - map: The positions in the output; `nil` for a constant factor.
  /// - Throws: ``ScalingError/unavailable(_:)`` in a build without the engine, and ``ScalingError/outOfRange(_:remedy:)`` if the factor, a segment of the map or a setting is
  ///   out of range.
  public func check(factor: Double, map: TimeMap? = nil) throws(ScalingError) {
    guard case .stretch(let settings) = self else { return }
    try settings.checkEngine()
    try settings.checkPitch()
    try StretchSettings.check(factor: factor, of: settings.engine)
    guard let points = map?.points else { return }
    for (one, next) in zip(points, points.dropFirst()) {
      try StretchSettings.check(
        factor: (next.output - one.output) / (next.source - one.source), of: settings.engine)
    }
  }
}
