internal import AudioModel
internal import TimeScaling
internal import SystemPackage

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
    guard settings.level.mayApply(canClip: samples.canClip) else { return nil }
    guard case .normalized(let decibels) = settings.level else {
      self = .lowered
      return
    }
    guard ConversionSettings.peakRange.contains(decibels) else {
      let reason = "a peak of \(decibels) dB is not within \(ConversionSettings.peakRangeText)"
      throw .cannotScale(input, .outOfRange(reason))
    }
    self = .peak(Double(decibels: decibels))
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

extension LevelChange {
  /// Whether the level may change, if samples may lie beyond full scale where `canClip`.
  func mayApply(canClip: Bool) -> Bool {
    switch self {
    case .unchanged: false
    case .guarded: canClip
    case .normalized: true
    }
  }
}
