internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import FoundationEssentials
internal import TimeScaling

/// The metadata that goes from a source to an output: selected, without invalid parts, scaled with
/// the audio, and with a note of how the output was made.
struct CarriedMetadata {
  /// The metadata for the writer.
  let written: Metadata
  /// Tags omitted because they do not apply to the output.
  let staleTags: [String]
  /// True if what was measured on the source is kept.
  let keepsMeasured: Bool
  /// The metadata that the reader could not read, and that the output's format cannot hold.
  private let lost: [MetadataLoss]
  /// The precision that the times of chapters lose; `nil` if they lose none.
  let lostPrecision: MetadataLoss?
  /// A warning about texts in an unknown encoding; `nil` if there are none.
  let encodingWarning: AudioWarning?

  init(
    source: SourceDescription, settings: ConversionSettings, factor: Double, map: TimeMap?,
    output: OutputDescription
  ) {
    let selected = source.metadata.selected(by: settings.metadata)
    let provenance = Self.provenance(factor: factor, map: map, method: settings.method)
    let movesPitch = settings.method.movesPitch(by: factor)
    // Measured values remain valid if only the format changes.
    let keepsMeasured = settings.keepsStaleTags || settings.keepsSound
    self.keepsMeasured = keepsMeasured
    let fresh = selected.withoutStaleTags(
      keepingMeasured: keepsMeasured, movingPitch: movesPitch,
      movingTempo: settings.only.isEmpty && (factor != 1 || map != nil))
    // The tempo of the parts that are not scaled stays.
    let converted = fresh.metadata.converted(
      from: source, by: settings.only.isEmpty ? factor : 1, map: map, to: output,
      provenance: provenance,
      keepsTimes: factor == 1 && map == nil && settings.part == nil && settings.only.isEmpty
        && output.spec.sampleRate == source.spec.sampleRate)
    let seconds = output.spec.seconds(frames: output.frameCount)
    let timed = converted.metadata.withLength(
      milliseconds: Int((seconds * 1000).rounded(.toNearestOrEven)))
    // Without tags there is no provenance either.
    written = settings.metadata == .none ? timed : timed.withEncoder(provenance)
    let texts = written.assumedTexts(writtenTo: output.format.metadata.textKind)
    let assumed = written.storedTexts?.kind == .id3 ? "Latin-1" : "Windows-1252"
    encodingWarning = texts.first.map {
      AudioWarning(
        .tagEncoding,
        "the encoding of some tags or markers is unknown; read as \(assumed): \"\($0)\"")
    }
    // Unread tags are reported only if tags are wanted.
    let wanted = settings.metadata == .none ? [] : source.notCarried
    let stale = wanted.filter {
      !keepsMeasured && StaleTags.isStale($0.text, movingPitch: movesPitch)
    }
    let technical = selected.comments.map(\.name).filter(StaleTags.isTechnicalNote)
    lost =
      wanted.filter { !stale.contains($0) } + converted.lost
      + technical.map { MetadataLoss(.tag, "tag \($0)") }
      + (settings.keepsSound ? [] : selected.unreadTimes)
    staleTags = fresh.dropped + stale.map(\.text)
    lostPrecision = selected.precisionLost(
      in: output.format, sampleRate: source.spec.sampleRate)
  }

  /// How the output was made: `scaleaudio 0.1.0 factor=1.5 method=smoothstep`, with `mapped` after the factor
  /// if it is the mean of a time map, then what is chosen of the method: `quality=best` of `sinc`, `engine=r3`, and
  /// `pitch=-2` with `formants=preserve` if the pitch changes. The program alone if neither length nor pitch changes.
  static func provenance(factor: Double, map: TimeMap?, method: ScalingMethod) -> String {
    if factor == 1, map == nil, method.semitones == 0 { return "scaleaudio \(scaleAudioVersion)" }
    return "scaleaudio \(scaleAudioVersion) factor=\(number(factor))"
      + (map == nil ? "" : " mapped") + " method=\(method.kind.rawValue)"
      + settings(of: method).map { " \($0)=\($1)" }.joined()
  }

  /// The settings of a method that an encoder tag states: those that change the sound.
  private static func settings(of method: ScalingMethod) -> [(name: String, value: String)] {
    switch method {
    case .smoothstep, .linear: return []
    case .sinc(let quality): return [("quality", quality.rawValue)]
    case .stretch(let stretch):
      var found: [(String, String)] = []
      if stretch.engine != .vocoder { found.append(("engine", stretch.engine.rawValue)) }
      if stretch.semitones != 0 {
        found.append(("pitch", Self.number(stretch.semitones)))
        if stretch.formants == .preserve { found.append(("formants", "preserve")) }
      }
      return found
    }
  }

  /// `2`, `0.5`
  private static func number(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }

  /// Everything that the output lacks, each loss once, including what the writer could not hold.
  func notCarried(besides written: [MetadataLoss]) -> [MetadataLoss] {
    var losses: [MetadataLoss] = []
    for loss in lost + written where !losses.contains(where: { $0.text == loss.text }) {
      losses.append(loss)
    }
    return losses
  }

  /// One warning that names what is missing; none if nothing is missing.
  static func warnings(about notCarried: [MetadataLoss]) -> [AudioWarning] {
    if notCarried.isEmpty { return [] }
    return [AudioWarning(.notCarried, "not carried to the output: " + notCarried.listed())]
  }
}

extension Metadata {
  /// The metadata with all times scaled, arranged for what the output's format can hold, and the names of
  /// what it cannot hold.
  fileprivate func converted(
    from source: SourceDescription, by factor: Double, map: TimeMap?, to output: OutputDescription,
    provenance: String, keepsTimes: Bool
  ) -> (metadata: Metadata, lost: [MetadataLoss]) {
    var scaled = scaled(
      by: factor, from: source.frameCount, to: output.frameCount,
      sampleRate: source.spec.sampleRate, outputRate: output.spec.sampleRate, map: map)
    var dropped: [MetadataLoss] = []
    let timed = keepsTimes ? [] : scaled.dropTimedChunks()
    scaled.broadcastExtension = broadcastExtension.map { bytes in
      guard var chunk = BroadcastExtension(bytes) else { return bytes }
      dropped = chunk.dropMeasurements()
      chunk.changeRate(from: source.spec.sampleRate, to: output.spec.sampleRate)
      chunk.addHistory(
        sampleRate: output.spec.sampleRate, bitDepth: output.sampleFormat?.bitDepth ?? 16,
        channelCount: output.spec.channelCount,
        text: provenance)
      return chunk.bytes
    }
    // The full names of freeform items have a meaning only in MP4, those of TXXX frames only in ID3v2.
    let holdsID3 = [.id3, .riff, .iff].contains(output.format.metadata)
    var prefixes = holdsID3 ? [] : [Metadata.Comment.userPrefix]
    if output.format.container != .mp4 { prefixes.append(Metadata.Comment.freeformPrefix) }
    for index in scaled.comments.indices {
      for prefix in prefixes where scaled.comments[index].name.hasPrefix(prefix) {
        scaled.comments[index].name.removeFirst(prefix.count)
      }
    }
    // Programs write English for tracks of any language, and Matroska's default is English.
    if output.format.container != .mp4, let language = trackLanguage, language != "eng",
      values("LANGUAGE").isEmpty
    {
      scaled.comments.append(Metadata.Comment(name: "LANGUAGE", value: language))
    }
    // Phones state the date of a recording only here.
    if output.format.container != .mp4, let date = creationDate, values("DATE").isEmpty {
      scaled.comments.append(Metadata.Comment(name: "DATE", value: date))
    }
    let lostLanguages = scaled.dropLanguages(holdsID3: holdsID3)
    let timeMarks = output.format.timeMarks
    var arranged = scaled.arranged(for: timeMarks, sampleRate: output.spec.sampleRate)
    // Comments and marks have only the title of a chapter, comments also its address.
    if !timeMarks.contains(.chapters), !arranged.lost.contains(where: { $0.text == "chapters" }) {
      if chapters.contains(where: { $0.picture != nil }) {
        arranged.lost.append(MetadataLoss(.picture, "pictures of chapters"))
      }
      if !timeMarks.contains(.chapterComments), chapters.contains(where: { $0.address != nil }) {
        arranged.lost.append(MetadataLoss(.chapter, "addresses of chapters"))
      }
    }
    arranged.lost += timed
    if arranged.metadata.broadcastExtension != nil { arranged.lost += dropped }
    if !lostLanguages.isEmpty {
      let names = lostLanguages.sorted().joined(separator: ", ")
      arranged.lost.append(MetadataLoss(.tag, "languages of tags (\(names))"))
    }
    return arranged
  }
}

extension Metadata {
  /// The precision that times lose in a format that states chapters in milliseconds; `nil` if these times are whole
  /// milliseconds, to within half a frame, or become marks, which are exact.
  fileprivate func precisionLost(in format: AudioFormat, sampleRate: Int) -> MetadataLoss? {
    let support = format.timeMarks
    // The chapters of MP4 are exact to the frame.
    guard [.id3, .vorbisComments, .flac].contains(format.metadata), sampleRate > 1000 else {
      return nil
    }
    var times = chapters.flatMap { [$0.start, $0.end ?? $0.start] }
    if times.isEmpty, !support.contains(.marks) {
      times = marks.flatMap { [$0.start, $0.start + $0.length] }
    }
    if times.isEmpty, !support.contains(.cueSheet) {
      times = cueSheet?.tracks.map(\.offset) ?? []
    }
    let framesPerMillisecond = Double(sampleRate) / 1000
    let isFiner = times.contains { time in
      let nearest = (time / framesPerMillisecond).rounded() * framesPerMillisecond
      return abs(nearest - time) > 0.5
    }
    return isFiner
      ? MetadataLoss(.precision, "the precision of marks, which become milliseconds") : nil
  }

  /// The lines of lyrics and cue sheets in tags whose times cannot be read, so that they stay what they were.
  fileprivate var unreadTimes: [MetadataLoss] {
    let same = TimeScale(factor: 1, inputFrames: .max, outputFrames: .max, sampleRate: 1)
    return comments.compactMap { comment in
      guard let lines = comment.timedText(same)?.unreadLines, !lines.isEmpty else { return nil }
      return MetadataLoss(.lyrics, "the times in \(lines.lineNames) of tag \(comment.name)")
    }
  }

  /// When the recording was made according to MP4, as ISO 8601 has it; `nil` if unknown. Some writers count from 1970
  /// instead of 1904, which gives times before 1970.
  private var creationDate: String? {
    let seconds = creationTime - 2_082_844_800
    return seconds > 0 ? Date(timeIntervalSince1970: Double(seconds)).ISO8601Format() : nil
  }

  /// Removes the languages of tags, in ID3 except those of comments and lyrics. Returns those that say something:
  /// programs write English for texts of any language.
  fileprivate mutating func dropLanguages(holdsID3: Bool) -> Set<String> {
    var dropped: Set<String> = []
    for index in comments.indices {
      guard let language = comments[index].language else { continue }
      let name = comments[index].name.uppercased()
      let isHeld = ["COMMENT", "LYRICS"].contains { name == $0 || name.hasPrefix("\($0):") }
      if holdsID3, isHeld { continue }
      comments[index].language = nil
      if language.lowercased() != "eng" { dropped.insert(language) }
    }
    return dropped
  }
}
