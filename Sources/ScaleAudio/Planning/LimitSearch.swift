internal import TimeScaling

/// The search for the gain with which limited audio has the requested loudness.
///
/// Limiting lowers loudness, by an amount that only shows when it is measured. Each pass over the audio measures the
/// result of one gain; the next gain follows from the last two results (the secant method), between the highest gain that
/// was too quiet and the lowest that was too loud. Loudness may jump as the gain rises, since its gate leaves out what is
/// far quieter than the rest; the gain with the nearest result is used then.
struct LimitSearch: Hashable {
  /// The gain before the limiter.
  private(set) var gain: Double
  /// The ceiling of the limiter.
  private(set) var ceiling: Double
  /// The requested highest true peak.
  private let highest: Double
  /// The requested loudness; `nil` for a gain of 1.
  private let target: Double?
  /// The gain of the last result, in dB, and its loudness.
  private var lastDecibels, lastLoudness: Double
  private let mostDecibels: Double
  /// The highest gain that was too quiet, and the lowest that was too loud, in dB.
  private var (quietDecibels, loudDecibels) = (-Double.infinity, Double.infinity)
  /// The gain with the nearest result, in dB, and how much it misses, in LU.
  private var (nearestDecibels, leastMissing) = (0.0, Double.infinity)
  private var passes = 0

  /// The most passes that measure a result.
  static let mostPasses = 6
  /// The most that the gain rises to make up for what the limiter takes, in dB: more would only distort.
  static let mostCompensation = 12.0
  /// A loudness this near to the target is near enough, in LU.
  private static let tolerance = 0.05
  /// A step for this much needs no measurement of its own, in LU: the pass that writes measures, too.
  private static let smallStep = 0.25
  /// The part of the ceiling that is used: true peaks that other programs measure differ by some hundredths of a dB.
  private static let used = 0.9965

  /// A search for audio of a loudness before any gain, in LUFS.
  init(ceiling: Double, loudness: Double, target: Double) {
    self.target = target
    (highest, self.ceiling) = (ceiling, ceiling * Self.used)
    (lastDecibels, lastLoudness) = (0, loudness)
    gain = Double(decibels: target - loudness)
    mostDecibels = target - loudness + Self.mostCompensation
  }

  /// A search for a ceiling alone.
  init(ceiling: Double) {
    target = nil
    (highest, self.ceiling) = (ceiling, ceiling * Self.used)
    (lastDecibels, lastLoudness, gain, mostDecibels) = (0, 0, 1, 0)
  }

  /// Takes the result of the last gain and ceiling; returns true if the next ones must be measured, too.
  mutating func next(_ level: ScaledLevel) -> Bool {
    passes += 1
    let isTooHigh = level.highest > highest
    if isTooHigh { ceiling *= highest / level.highest * Self.used }
    guard let target, let loudness = level.loudness else {
      return isTooHigh && passes < Self.mostPasses
    }
    let missing = target - loudness
    let decibels = gain.decibels
    if missing.magnitude < leastMissing {
      (nearestDecibels, leastMissing) = (decibels, missing.magnitude)
    }
    if missing > 0 {
      quietDecibels = max(quietDecibels, decibels)
    } else {
      loudDecibels = min(loudDecibels, decibels)
    }
    // The slope is that of the last step, at most 1 and at least a sixth, so that no step is too far.
    let slope = (loudness - lastLoudness) / (decibels - lastDecibels)
    let usable = slope.isFinite ? min(1, max(1.0 / 6, slope)) : 1
    (lastDecibels, lastLoudness) = (decibels, loudness)
    var wanted = min(mostDecibels, decibels + missing / usable)
    if wanted <= quietDecibels && loudDecibels.isFinite
      || wanted >= loudDecibels && quietDecibels.isFinite
    {
      wanted = (quietDecibels + loudDecibels) / 2
    }
    let isLast = passes >= Self.mostPasses || wanted == decibels
    if missing.magnitude <= Self.tolerance || isLast && missing.magnitude > Self.smallStep {
      gain = Double(decibels: nearestDecibels)
      return isTooHigh && passes < Self.mostPasses
    }
    gain = Double(decibels: wanted)
    return !isLast && (missing.magnitude > Self.smallStep || isTooHigh)
  }
}
