#if RubberBand
  internal import CRubberBand
  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Darwin
  #endif

  extension StretchSettings {
    /// How much higher the pitch becomes, as a ratio of frequencies.
    var pitchScale: Double { semitones == 0 ? 1 : exp2(semitones / 12) }

    /// Rubber Band's options for these settings.
    ///
    /// One thread, so that results never depend on the machine. Channels are kept together: of a wide
    /// stereo noise whose sides correlate by -0.34, R3 1.5 times as long made -0.15 so and 0.03
    /// otherwise, and R2 -0.36 and 0.01; tones in the chord between two channels came out alike in both.
    var options: RubberBandOptions {
      let engine = quality == .fast ? RubberBandOptionEngineFaster : RubberBandOptionEngineFiner
      let formant =
        formants == .preserve ? RubberBandOptionFormantPreserved : RubberBandOptionFormantShifted
      let parts = [
        RubberBandOptionProcessOffline, RubberBandOptionThreadingNever, engine, formant,
        transients.option, RubberBandOptionChannelsTogether,
      ]
      return RubberBandOptions(parts.reduce(0) { $0 | $1.rawValue })
    }
  }

  extension StretchSettings.Transients {
    fileprivate var option: RubberBandOption {
      switch self {
      case .crisp: RubberBandOptionTransientsCrisp
      case .mixed: RubberBandOptionTransientsMixed
      case .smooth: RubberBandOptionTransientsSmooth
      }
    }
  }
#endif
