/// The settings of time stretching.
public struct StretchSettings: Hashable, Sendable {
  /// The engine that stretches.
  public var engine: Engine
  /// The pitch shift in semitones, within ``semitoneRange``: 12 is an octave up, 0.3 is 30 cents.
  public var semitones: Double
  /// The treatment of formants, the resonances of a voice or an instrument, if the pitch is shifted.
  public var formants: Formants

  /// The engine that stretches.
  public enum Engine: String, CaseIterable, Hashable, Sendable {
    /// Our own phase vocoder, in every build.
    case vocoder
    /// The R3 engine of Rubber Band, in builds with the trait `RubberBand`.
    case r3

    /// True if this build has the engine.
    public var isAvailable: Bool {
      #if RubberBand
        true
      #else
        self == .vocoder
      #endif
    }
  }

  /// The treatment of formants if the pitch is shifted.
  public enum Formants: String, CaseIterable, Hashable, Sendable {
    /// Formants move with the pitch.
    case shift
    /// Formants stay in place.
    case preserve
  }

  /// The accepted pitch shifts, in semitones.
  public static let semitoneRange: ClosedRange<Double> = -48...48
  /// The accepted factors; ``Engine/factorRange`` may be less.
  public static let factorRange: ClosedRange<Double> = 0.05...100

  /// Settings; by default the pitch does not change.
  public init(engine: Engine = .vocoder, semitones: Double = 0, formants: Formants = .shift) {
    self.engine = engine
    self.semitones = semitones
    self.formants = formants
  }
}

extension StretchSettings {
  /// Checks that this build has the engine.
  func checkEngine() throws(ScalingError) {
    if !engine.isAvailable { throw .unavailable(engine) }
  }

  static func check(factor: Double, of engine: Engine) throws(ScalingError) {
    guard engine.factorRange.contains(factor) else { throw outOfRange(factor: factor, of: engine) }
  }

  func checkPitch() throws(ScalingError) {
    let range = Self.semitoneRange
    guard range.contains(semitones) else {
      throw .outOfRange(
        "a pitch of \(semitones) semitones is not within \(Int(range.lowerBound)) to "
          + "\(Int(range.upperBound))")
    }
  }

  static func outOfRange(factor: Double, of engine: Engine) -> ScalingError {
    if factorRange.contains(factor) {
      let range = engine.factorRange
      return .outOfRange(
        "a factor of \(factor) is not within \(range.lowerBound) to \(Int(range.upperBound)), "
          + "the range of the engine \(engine.rawValue)",
        remedy: .act("use the engine \(Engine.vocoder.rawValue)"))
    }
    return .outOfRange(
      "a factor of \(factor) is not within \(factorRange.lowerBound) to "
        + "\(Int(factorRange.upperBound)), the range of the method stretch",
      remedy: .useMethod(ScalingMethod.Kind.sinc.rawValue))
  }
}

extension StretchSettings.Engine {
  /// The accepted factors.
  public var factorRange: ClosedRange<Double> {
    self == .vocoder ? StretchSettings.factorRange : 0.05...20
  }
}
