#if RubberBand
  /// The silence that a source is given before and after, so that its first and last attacks come out
  /// whole, and what comes of it that is left out again.
  ///
  /// Without it, Rubber Band 3.1.2's R3 engine makes the first 23 ms too soft (-2.5 dB at frame 0: fewer
  /// windows overlap there). Besides, R3 sets phases anew where a window first meets an attack, which
  /// is before its middle: where time is lengthened, attacks come early by 6 ms of each second added to
  /// one (measured on clicks, castanets and bursts of noise, at 44.1 and 48 kHz, for ratios up to 3:
  /// 2.8 ms at 1.5, 5.8 ms at 2). That much less is left out at the beginning. At twice the length, other
  /// rates were measured off by 1 ms (96 and 192 kHz), -2 to -2.5 ms (22.05 and 32 kHz) and -10 ms (16 kHz);
  /// these are left as they are.
  struct StretchPadding {
    /// Frames of silence before the source.
    let before: Int
    /// Frames of silence after it.
    let after: Int
    /// Frames of the output that are left out at the beginning.
    let outputBefore: Int

    /// The padding of a source whose first and last parts become so many times as long.
    init(sampleRate: Int, settings: StretchSettings, firstRatio: Double) {
      // More than half of the longest window.
      let frames = max(Self.leastFrames, Int(Double(min(sampleRate, 192_000)) * Self.seconds))
      after = frames
      // R2 makes up for missing windows by itself, and its own padding keeps the first frame in place.
      before = settings.quality == .fast ? 0 : frames
      outputBefore = max(
        0,
        Int(
          (Double(before) * firstRatio
            - settings.lead(ofAttacksAt: firstRatio, sampleRate: sampleRate)).rounded()))
    }

    private static var seconds: Double { 0.1 }
    private static var leastFrames: Int { 2048 }
  }

  extension StretchSettings {
    /// How early attacks come where the duration becomes so many times as long, in frames of the output.
    func lead(ofAttacksAt ratio: Double, sampleRate: Int) -> Double {
      guard quality != .fast, (44_100...48_000).contains(sampleRate) else { return 0 }
      // Pitch is moved by stretching more, or less, and resampling the result.
      let stretch = ratio * pitchScale
      guard stretch > 1 else { return 0 }
      return 0.006 * Double(sampleRate) * (min(stretch, 3) - 1) / pitchScale
    }
  }
#endif
