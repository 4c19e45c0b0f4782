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

    /// Rubber Band's options for these settings, where no part of the audio becomes less than so many times
    /// as long.
    ///
    /// One thread, so that results never depend on the machine. Channels are kept together: of a wide
    /// stereo noise whose sides correlate by -0.34, R3 1.5 times as long made -0.15 so and 0.03
    /// otherwise, and R2 -0.36 and 0.01; chords between two channels came out alike in both.
    ///
    /// Between 1/16 and 1/8, counting the pitch, R3 of version 3.1.2 reads up to half a window beyond one
    /// of its buffers (hops longer than half its middle window, with readahead), and makes noise of full
    /// scale, or NaN. From 1/8 down it is kept to one short window, which has no such hops.
    func options(leastRatio: Double) -> RubberBandOptions {
      let engine = quality == .fast ? RubberBandOptionEngineFaster : RubberBandOptionEngineFiner
      let formant =
        formants == .preserve ? RubberBandOptionFormantPreserved : RubberBandOptionFormantShifted
      let window =
        quality != .fast && leastRatio * pitchScale < 0.125
        ? RubberBandOptionWindowShort : RubberBandOptionWindowStandard
      let parts = [
        RubberBandOptionProcessOffline, RubberBandOptionThreadingNever,
        RubberBandOptionChannelsTogether, engine, formant, transients.option, window,
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
