internal import AudioModel
internal import SystemPackage
internal import TimeScaling

/// The level of a whole scaled file; full scale is 1.
struct ScaledLevel: Hashable {
  var peaks = PeakMeter()
  /// Integrated loudness by EBU R 128, in LUFS; `nil` if it was not measured, or cannot be.
  var loudness: Double?
  /// The highest true peak; `nil` in the same cases.
  var truePeak: Double?

  /// The highest magnitude that is known.
  var highest: Double { max(truePeak ?? 0, peaks.peak) }
}

/// How the level of a whole file changes, once its peak is known.
enum LevelRule: Hashable {
  /// The level is lowered just enough that nothing is clipped, or stays unchanged.
  case lowered
  /// The peak becomes this amplitude, limited to what can be stored.
  case peak(Double)
  /// The integrated loudness becomes this value in LUFS; true peaks must not exceed the amplitude. `limits` is true if
  /// peaks are limited where they would.
  case loudness(Double, truePeak: Double, limits: Bool)
  /// True peaks above this amplitude are limited.
  case limited(Double)

  /// True if the rule needs loudness and true peaks.
  var needsLoudness: Bool {
    switch self {
    case .lowered, .peak: false
    case .loudness, .limited: true
    }
  }

  /// True if the level of the output is requested.
  var setsLevel: Bool {
    switch self {
    case .lowered, .limited: false
    case .peak, .loudness: true
    }
  }

  /// True if peaks may be limited.
  var mayLimit: Bool {
    switch self {
    case .lowered, .peak, .loudness(_, truePeak: _, limits: false): false
    case .loudness, .limited: true
    }
  }

  /// The rule that settings request; `nil` if they request none, or if it cannot change anything.
  init?(
    _ settings: ConversionSettings, _ samples: SampleFormats, input: FilePath
  ) throws(ConversionError) {
    guard settings.level.mayApply(canClip: samples.canClip) else { return nil }
    switch settings.level {
    case .unchanged, .guarded: self = .lowered
    case .normalized(let peak):
      self = .peak(try Self.amplitude(peak, input))
    case .limited(let truePeak): self = .limited(try Self.amplitude(truePeak, input))
    case .loudness(let target, let truePeak, let limits):
      guard ConversionSettings.loudnessRange.contains(target) else {
        let reason = "a loudness of \(target) LUFS is not within -60 to 0 LUFS"
        throw .cannotScale(input, .outOfRange(reason))
      }
      self = .loudness(target, truePeak: try Self.amplitude(truePeak, input), limits: limits)
    }
  }

  private static func amplitude(
    _ decibels: Double, _ input: FilePath
  ) throws(ConversionError) -> Double {
    guard ConversionSettings.peakRange.contains(decibels) else {
      let reason = "a peak of \(decibels) dB is not within \(ConversionSettings.peakRangeText)"
      throw .cannotScale(input, .outOfRange(reason))
    }
    return Double(decibels: decibels)
  }

  /// The factor for every sample of a scaled file; `nil` if the level stays.
  ///
  /// - Parameters:
  ///   - level: The level of the scaled file.
  ///   - range: The range that can be stored without clamping.
  ///   - isClippedWhenRead: True when rounding the source to 16 bits would clamp some of its samples.
  func gain(for level: ScaledLevel, in range: LevelRange, isClippedWhenRead: Bool) -> Double? {
    let peaks = level.peaks
    switch self {
    case .lowered:
      if !range.isExceeded(by: peaks), !isClippedWhenRead { return nil }
      return range.gain(for: peaks, atMost: 1)
    case .peak(let amplitude):
      if peaks.peak == 0 { return nil }
      return range.gain(for: peaks, atMost: amplitude / peaks.peak)
    case .loudness(let target, let truePeak, _):
      guard let loudness = level.loudness else { return nil }
      let wanted = Double(decibels: target - loudness)
      return range.gain(for: peaks, atMost: min(wanted, truePeak / level.highest))
    case .limited: return nil
    }
  }

  /// The search for a gain and a ceiling of a limiter; `nil` if none is needed.
  ///
  /// - Parameters:
  ///   - level: The level of the scaled file.
  ///   - range: The range that can be stored without clamping.
  func limitSearch(for level: ScaledLevel, in range: LevelRange) -> LimitSearch? {
    let most = min(range.limits.upperBound, -range.limits.lowerBound)
    switch self {
    case .lowered, .peak, .loudness(_, truePeak: _, limits: false): return nil
    case .loudness(let target, let truePeak, _):
      guard let loudness = level.loudness else { return nil }
      let ceiling = min(most, truePeak)
      guard Double(decibels: target - loudness) * level.highest > ceiling else { return nil }
      return LimitSearch(ceiling: ceiling, loudness: loudness, target: target)
    case .limited(let truePeak):
      let ceiling = min(most, truePeak)
      return level.highest > ceiling ? LimitSearch(ceiling: ceiling) : nil
    }
  }
}

extension LevelChange {
  /// True if the level may change; `canClip` is true if samples may exceed full scale.
  func mayApply(canClip: Bool) -> Bool {
    switch self {
    case .unchanged: false
    case .guarded: canClip
    case .normalized, .loudness, .limited: true
    }
  }
}
