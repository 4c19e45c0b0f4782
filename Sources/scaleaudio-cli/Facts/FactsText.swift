import ScaleAudio

/// The facts of a file as lines of text, aligned.
struct FactsText {
  private let facts: AudioFacts
  private let output: Result<PlannedOutput, ConversionError>
  private let isScaled: Bool

  /// At most so many tracks are listed.
  private static let mostTracks = 8

  /// The text of facts and of what a conversion would make, at another length where `isScaled`.
  init(
    _ facts: AudioFacts, _ output: Result<PlannedOutput, ConversionError>, isScaled: Bool
  ) {
    self.facts = facts
    self.output = output
    self.isScaled = isScaled
  }

  /// Everything but the file's name, in lines of at most so many columns.
  func lines(columns: Int) -> [String] {
    var table = FactsTable()
    addAudio(to: &table)
    addStorage(to: &table)
    AttachmentsText(facts.source).add(to: &table)
    if let levels = facts.levels { LevelsText(levels, facts.source).add(to: &table) }
    addOutput(to: &table)
    for warning in facts.source.warnings {
      table.add("Note", sentence: escapedForTerminal(warning))
    }
    return table.lines(columns: columns)
  }

  private var rate: Int { facts.source.spec.sampleRate }

  // MARK: Audio

  private func addAudio(to table: inout FactsTable) {
    let source = facts.source
    let isLossless = facts.isLossless
    table.add("Container", "\(facts.storage.container), \(Numbers.grouped(facts.byteCount)) bytes")
    table.add("Codec", "\(source.codec), \(isLossless ? "lossless" : "lossy")")
    table.add("Sample rate", "\(Numbers.grouped(rate)) Hz")
    table.add("Channels", channels)
    if let depth { table.add("Depth", depth) }
    table.add(
      "Length",
      "\(Quantities.playingTime(source.spec.seconds(frames: source.frameCount))), "
        + "\(Numbers.count(source.frameCount, "frame")) (\(basis))")
    table.add("Bit rate", bitRate)
  }

  /// `2: stereo (FL FR)`
  private var channels: String {
    let layout = facts.source.spec.layout
    guard let speakers = layout.speakers else {
      return "\(layout.channelCount), positions not told"
    }
    let names = speakers.map(\.abbreviation).joined(separator: " ")
    let name = layout.description
    return "\(layout.channelCount): " + (name == names ? name : "\(name) (\(names))")
  }

  /// `16 bits`, `32 bits, floating point`, `20 of 24 bits`
  private var depth: String? {
    guard let format = facts.source.sampleFormat else { return nil }
    if format.isFloat { return "\(format.bitDepth) bits, floating point" }
    if let bits = facts.storage.bitDepth, bits < format.bitDepth {
      return "\(bits) bits, kept in \(format.bitDepth)"
    }
    return "\(format.bitDepth) bits"
  }

  private var basis: String {
    switch facts.source.lengthBasis {
    case .declared: "exact"
    case .counted: "exact, counted"
    case .estimated: "estimated; --exact counts"
    }
  }

  private var bitRate: String {
    guard let average = facts.averageBitRate, average > 0 else {
      return facts.storage.needsCounting ? "not told; --exact counts" : "not told"
    }
    let rate =
      "\(Quantities.decimal(Double(average) / 1000, digits: average < 100_000 ? 1 : 0)) kb/s"
    switch facts.storage.bitRateMode {
    case .constant: return "\(rate), constant"
    case .variable: return "\(rate) on average, variable"
    case nil: return "\(rate) on average"
    }
  }

  // MARK: Storage

  private func addStorage(to table: inout FactsTable) {
    let storage = facts.storage
    table.add("Audio data", audioData)
    if let packets = storage.packets { table.add("Packets", text(of: packets)) }
    if storage.delay ?? 0 != 0 || storage.padding ?? 0 != 0 {
      let texts = [(storage.delay, "delay"), (storage.padding, "padding")].compactMap {
        count, name in count.map { "\(Numbers.grouped($0)) frames of \(name)" }
      }
      table.add("Encoder", texts.joined(separator: ", "))
    }
    if let md5 = storage.declaredMD5 { table.add("MD5 told", md5) }
    if storage.tracks.count > 1 {
      table.add("Tracks", rows: storage.tracks.map(text(of:)), most: Self.mostTracks)
    }
  }

  private var audioData: String {
    let storage = facts.storage
    let place = storage.audioOffset.map { "from byte \(Numbers.grouped($0))" }
    if let bytes = storage.audioByteCount {
      return (["\(Numbers.grouped(bytes)) bytes"] + [place].compactMap(\.self))
        .joined(separator: " ")
    }
    let size = storage.needsCounting ? "--exact counts bytes and packets" : "size not told"
    return [place, size].compactMap(\.self).joined(separator: "; ")
  }

  private func text(of packets: StorageFacts.Packets) -> String {
    var parts: [String] = []
    if let count = packets.count { parts.append(Numbers.grouped(count)) }
    if let bytes = packets.bytes {
      parts.append(
        bytes.lowerBound == bytes.upperBound
          ? "\(Numbers.grouped(bytes.lowerBound)) bytes each"
          : "\(Numbers.grouped(bytes.lowerBound)) to \(Numbers.grouped(bytes.upperBound)) bytes")
    }
    if let frames = packets.frameCount { parts.append("\(Numbers.grouped(frames)) frames each") }
    return parts.joined(separator: ", ")
  }

  private func text(of track: StorageFacts.Track) -> String {
    var parts = ["\(track.number)", track.codec]
    if track.sampleRate > 0 { parts.append("\(Numbers.grouped(track.sampleRate)) Hz") }
    if let layout = track.layout { parts.append(layout) }
    if let language = track.language { parts.append(escapedForTerminal(language)) }
    if let title = track.title { parts.append("\"\(escapedForTerminal(title))\"") }
    return "\(parts[0])  " + parts.dropFirst().joined(separator: ", ")
      + (track.isTaken ? "  (this one)" : "")
  }

  // MARK: Output

  private func addOutput(to table: inout FactsTable) {
    switch output {
    case .failure(let error):
      table.add("Becomes", sentence: "nothing: \(escapedForTerminal(error.cause))")
    case .success(let output):
      var parts = [output.format.name]
      if let format = output.sampleFormat { parts.append(format.description) }
      parts.append(output.spec.layout.description)
      let name = isScaled ? output.path?.lastComponent.map { FilePath(root: nil, [$0]) } : nil
      table.add(
        "Becomes",
        sentence: (name.map { escapedForTerminal($0) + ": " } ?? "")
          + parts.joined(separator: ", "))
      if isScaled {
        let seconds = output.spec.seconds(frames: output.frameCount)
        let isEstimated = facts.source.lengthBasis == .estimated
        table.add(
          "",
          sentence: "\(Quantities.playingTime(seconds)), "
            + "\(Numbers.count(output.frameCount, "frame"))\(isEstimated ? " (estimated)" : ""), "
            + Quantities.change(factor: output.factor))
      }
      for warning in output.warnings { table.add("", sentence: escapedForTerminal(warning)) }
    }
  }
}
