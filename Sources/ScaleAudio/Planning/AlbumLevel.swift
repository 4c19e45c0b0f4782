internal import AudioModel
internal import TimeScaling

/// The one gain of an album: the files of a folder that are converted with the same settings.
struct AlbumLevel: Hashable, Sendable {
  /// The factor of every sample; `nil` if the level stays.
  var gain: Double?
  /// The ceiling and the gain of the limiter; `nil` for none.
  var search: LimitSearch?
  /// The loudness of all outputs together, in LUFS; `nil` if it was not measured, or cannot be.
  var loudness: Double?
}

/// The facts about one file that the level of its album needs.
struct AlbumPart: Sendable {
  let rule: LevelRule?
  /// The range that the output can store without clamping.
  let range: LevelRange
  let peaks: PeakMeter
  /// True when rounding the source to 16 bits would clamp some of its samples.
  let isClippedWhenRead: Bool
  /// The highest true peak; `nil` if it was not measured, or cannot be.
  let truePeak: Double?
  /// `nil` in the same cases.
  let blocks: GatedLoudness?
}

extension AlbumPart {
  /// The highest magnitude that is known.
  var highest: Double { max(truePeak ?? 0, peaks.peak) }

  /// The same file, with every sample times a gain.
  func raised(by gain: Double) -> AlbumPart {
    var blocks = GatedLoudness()
    if let own = self.blocks { blocks.add(own, decibels: gain.decibels) }
    return AlbumPart(
      rule: rule, range: range, peaks: peaks.times(gain), isClippedWhenRead: isClippedWhenRead,
      truePeak: truePeak.map { $0 * gain }, blocks: self.blocks.map { _ in blocks })
  }
}

extension ScaledLevel {
  /// The level of several files together.
  init(_ parts: [AlbumPart]) {
    self.init()
    var blocks = GatedLoudness()
    for part in parts {
      peaks.add(part.peaks)
      if let own = part.blocks { blocks.add(own) }
      if let peak = part.truePeak { truePeak = max(truePeak ?? 0, peak) }
    }
    loudness = blocks.integrated
  }
}
