/// How the level of a whole file changes, once its peak is known.
enum LevelRule: Hashable {
  /// The level is lowered just enough that nothing is clipped, or stays as it is.
  case lowered
  /// The peak becomes this amplitude, as far as it can be stored.
  case peak(Double)

  /// The rule that settings ask for; `nil` where they ask for none, or where it cannot change anything.
  init?(
    _ settings: ConversionSettings, _ samples: SampleFormats, input: FilePath
  ) throws(ConversionError) {
    if let decibels = settings.normalizePeak {
      guard ConversionSettings.peakRange.contains(decibels) else {
        let reason = "a peak of \(decibels) dB is not within \(ConversionSettings.peakRangeText)"
        throw .cannotScale(input, .outOfRange(reason))
      }
      self = .peak(Double(decibels: decibels))
    } else if settings.guardsLevel, samples.canClip {
      self = .lowered
    } else {
      return nil
    }
  }

  /// The factor for every sample of a scaled file; `nil` where the level stays as it is.
  ///
  /// - Parameters:
  ///   - peaks: The peaks of the scaled file.
  ///   - range: What can be stored without being clamped.
  ///   - isClippedWhenRead: Whether rounding the source to 16 bits would clamp samples of it.
  func gain(for peaks: PeakMeter, in range: LevelRange, isClippedWhenRead: Bool) -> Double? {
    switch self {
    case .lowered:
      if !range.isExceeded(by: peaks), !isClippedWhenRead { return nil }
      return range.gain(for: peaks, atMost: 1)
    case .peak(let amplitude):
      if peaks.peak == 0 { return nil }
      return range.gain(for: peaks, atMost: amplitude / peaks.peak)
    }
  }
}

extension ConversionSettings {
  /// The peaks that can be asked for, in dB below full scale.
  public static let peakRange: ClosedRange<Double> = -60...0
  /// The same as people read it.
  package static let peakRangeText = "-60 to 0 dB"
}
