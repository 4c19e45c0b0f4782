/// How duration is changed without pitch.
public struct StretchSettings: Hashable, Sendable {
  /// `fast` is Rubber Band's R2 engine, the others its R3.
  public var quality: ScalingQuality
  /// How far the pitch is moved, in semitones: 12 is an octave up, 0.3 is 30 cents.
  public var semitones: Double
  /// What becomes of the resonances of a voice or an instrument when the pitch is moved.
  public var formants: Formants
  /// How attacks are treated; the R3 engine keeps them crisp whatever this says.
  public var transients: Transients

  /// What becomes of formants when the pitch is moved.
  public enum Formants: String, CaseIterable, Hashable, Sendable {
    /// They move with the pitch.
    case shift
    /// They stay where they are.
    case preserve
  }

  /// How attacks are treated.
  public enum Transients: String, CaseIterable, Hashable, Sendable {
    /// Phases are set anew at attacks, which stay sharp.
    case crisp
    /// Phases are set anew at attacks outside the range where tones matter most.
    case mixed
    /// Phases are never set anew; attacks may be blurred.
    case smooth
  }

  /// The pitches that can be asked for, in semitones.
  public static let semitoneRange: ClosedRange<Double> = -48...48
  /// The factors that can be asked for.
  public static let factorRange: ClosedRange<Double> = 0.05...20

  /// Settings that keep the pitch.
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
