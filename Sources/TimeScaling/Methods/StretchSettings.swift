/// The settings of time stretching.
public struct StretchSettings: Hashable, Sendable {
  /// The engine: `fast` is Rubber Band's R2, the others are R3.
  public var quality: ScalingQuality
  /// The pitch shift in semitones, within ``semitoneRange``: 12 is an octave up, 0.3 is 30 cents.
  public var semitones: Double
  /// The treatment of formants, the resonances of a voice or an instrument, if the pitch is shifted.
  public var formants: Formants
  /// The treatment of attacks by the R2 engine. R3 ignores it, and keeps attacks crisp.
  public var transients: Transients

  /// The treatment of formants if the pitch is shifted.
  public enum Formants: String, CaseIterable, Hashable, Sendable {
    /// Formants move with the pitch.
    case shift
    /// Formants stay in place.
    case preserve
  }

  /// The treatment of attacks.
  public enum Transients: String, CaseIterable, Hashable, Sendable {
    /// Phases are reset at attacks, which stay sharp.
    case crisp
    /// Phases are reset at attacks, except in the frequency range where tones matter most.
    case mixed
    /// Phases are never reset; attacks may be blurred.
    case smooth
  }

  /// The accepted pitch shifts, in semitones.
  public static let semitoneRange: ClosedRange<Double> = -48...48
  /// The accepted factors.
  public static let factorRange: ClosedRange<Double> = 0.05...20

  /// Settings; by default the pitch does not change.
  public init(
    quality: ScalingQuality = .high, semitones: Double = 0, formants: Formants = .shift,
    transients: Transients = .crisp
  ) {
    self.quality = quality
    self.semitones = semitones
    self.formants = formants
    self.transients = transients
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
          + "\(Int(range.upperBound))")
    }
  }

  static func outOfRange(factor: Double) -> ScalingError {
    .outOfRange(
      "a factor of \(factor) is not within \(factorRange.lowerBound) to "
        + "\(Int(factorRange.upperBound)), the range of the method stretch",
      remedy: .useMethod(ScalingMethod.Kind.sinc.rawValue))
  }
}
