/// How the length of audio is changed.
public enum ScalingMethod: Hashable, Sendable {
  /// Linear interpolation at control points eased by `t*t*(3-2*t)` when lengthening; linear
  /// otherwise. The default. Speed and pitch change together.
  case smoothstep
  /// Linear interpolation at evenly spaced control points. Speed and pitch change together.
  case linear
  /// Band-limited interpolation, as the best resamplers do it. Speed and pitch change together.
  case sinc(quality: ScalingQuality = .high)
  /// The pitch stays, or is moved on its own, while the duration changes.
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

  /// How much work is done for how clean a result; `nil` for methods that know no difference.
  public var quality: ScalingQuality? {
    switch self {
    case .smoothstep, .linear: nil
    case .sinc(let quality): quality
    case .stretch(let settings): settings.quality
    }
  }

  /// The interpolation between neighboring frames; `nil` for methods that work in floating point on
  /// more than those.
  public var interpolation: Interpolation? {
    switch self {
    case .smoothstep: .smoothstep
    case .linear: .linear
    case .sinc, .stretch: nil
    }
  }

  /// How far the pitch is moved independently of the length, in semitones.
  package var semitones: Double {
    if case .stretch(let settings) = self { settings.semitones } else { 0 }
  }

  /// Whether the pitch changes when the length changes by `factor`.
  package func movesPitch(by factor: Double) -> Bool {
    if case .stretch = self { semitones != 0 } else { factor != 1 }
  }
}

/// How much work is done for how clean a result.
public enum ScalingQuality: String, CaseIterable, Hashable, Sendable {
  case fast, high, best
}
