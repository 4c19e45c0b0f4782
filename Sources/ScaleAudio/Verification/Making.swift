internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import FoundationEssentials
internal import SystemPackage
internal import TimeScaling

/// The known facts about how an output was made.
struct Making {
  /// The place that tells.
  let basis: Verification.Basis
  /// Output length / input length; `nil` if it is not known.
  var factor: Double?
  /// The requested length in frames or seconds; `nil` if a factor was requested.
  var time: TimeRequest?
  var method = ScalingMethod.Kind.smoothstep
  var semitones = 0.0
  /// The part of the source; `nil` for the whole.
  var part: TimeRange?
  /// False if only a part of what determines the length is known: with a time map, and with parts that alone are scaled.
  var determinesLength = true
  /// True for a track of an album that was scaled as one stream, whose length may differ by a frame.
  var isGapless = false
  var metadata = MetadataSelection.keep
  var keepsStaleTags = false
  var track: Int?
  /// The stamps of the source and of the output when it was recorded; `nil` if there are none.
  var sourceStamp: FileStamp?
  var outputStamp: FileStamp?

  /// The making by the encoder tag of an output; its name tells the part.
  init?(_ metadata: Metadata, source: FilePath, output: FilePath) {
    guard let tag = Provenance(metadata) else { return nil }
    basis = .tags
    factor = tag.factor
    (method, semitones) = (tag.method, tag.semitones)
    determinesLength = !tag.isMapped
    let suffix = String(
      decoding: FileName(output).stem.dropFirst(FileName(source).stem.count), as: UTF8.self)
    if suffix.hasPrefix("-only") { determinesLength = false }
    for start in ["-from", "-to", "-chapter"] where suffix.hasPrefix(start) {
      part = Self.part(named: suffix.dropFirst())
      if part == nil { determinesLength = false }
    }
  }

  /// The making by the entry of a journal.
  init(_ entry: JournalEntry) {
    basis = .journal
    (sourceStamp, outputStamp) = (entry.sourceStamp, entry.outputStamp)
    for word in entry.parameters.split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      let value = parts.count == 2 ? parts[1] : ""
      switch parts[0] {
      case "factor": factor = Double(value)
      case "duration": time = Double(value).map { .duration(seconds: $0) }
      case "frames": time = Int(value).map { .frames($0) }
      case "gapless": isGapless = true
      case "map", "only": determinesLength = false
      case "part":
        part = Self.part(named: value[...])
        if part == nil { determinesLength = false }
      case "method": method = ScalingMethod.Kind(rawValue: value) ?? method
      case "pitch": semitones = Double(value) ?? 0
      case "metadata": metadata = MetadataSelection(rawValue: value) ?? .keep
      case "keep-stale-tags": keepsStaleTags = true
      case "track": track = Int(value)
      default: break
      }
    }
  }

  /// The making by the line of a manifest.
  init(_ claim: Verification.Claim) {
    basis = .manifest
    factor = claim.factor
    if let first = claim.fromFrame, let end = claim.toFrame {
      part = TimeRange(from: .afterStart(.frames(first)), to: .afterStart(.frames(end)))
    }
  }

  /// The part that a name shows: `from90-to120`, `to120`, `chapter3`; `nil` for other names.
  private static func part(named name: Substring) -> TimeRange? {
    var rest = name
    func take(_ word: String) -> TimePosition? {
      guard rest.hasPrefix(word) else { return nil }
      rest = rest.dropFirst(word.count)
      // A time before the end begins with a hyphen.
      let sign = rest.hasPrefix("-") ? 1 : 0
      let text = rest.prefix(sign) + rest.dropFirst(sign).prefix { $0 != "-" }
      rest = rest.dropFirst(text.count)
      return TimePosition(text)
    }
    if let start = take("from") {
      if rest.hasPrefix("-to") { rest = rest.dropFirst() }
      return TimeRange(from: start, to: take("to"))
    }
    if let end = take("to") { return TimeRange(to: end) }
    guard rest.hasPrefix("chapter"), let number = Int(rest.dropFirst(7).prefix { $0 != "-" }) else {
      return nil
    }
    return TimeRange(from: .chapter(number), to: .chapter(number))
  }

  /// The settings that make the output from a source; what is not known is as in the output.
  func settings(
    from source: SourceDescription, to output: SourceDescription
  ) -> ConversionSettings {
    let length: TimeRequest =
      time ?? factor.flatMap { $0 == 1 ? .unchanged : TimeFactor($0).map { .factor($0) } }
      ?? .unchanged
    var settings = ConversionSettings(time: length, method: scalingMethod)
    settings.format = output.format.isWritable ? output.format : nil
    if output.spec.sampleRate != source.spec.sampleRate {
      settings.sampleRate = output.spec.sampleRate
    }
    if output.spec.channelCount == 1, source.spec.channelCount > 1 {
      settings.channels = .mono(.mean)
    }
    settings.allowsLayoutLoss = true
    settings.sampleFormat = output.format.isLossless ? output.sampleFormat : nil
    settings.part = part
    settings.metadata = metadata
    settings.keepsStaleTags = keepsStaleTags
    settings.track = track
    return settings
  }

  private var scalingMethod: ScalingMethod {
    switch method {
    case .smoothstep: .smoothstep
    case .linear: .linear
    case .sinc: .sinc()
    // The length does not depend on the engine.
    case .stretch: .stretch(StretchSettings(semitones: semitones))
    }
  }
}
