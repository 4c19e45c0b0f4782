import ScaleAudio

/// The facts of a file as lines of text, aligned.
struct FactsText {
  private let facts: AudioFacts
  private let output: Result<PlannedOutput, ConversionError>
  private let isScaled: Bool

  /// At most so many tags, chapters and marks are listed each.
  private static let mostRows = 12

  /// The text of facts and of what a conversion would make, at another length where `isScaled`.
  init(
    _ facts: AudioFacts, _ output: Result<PlannedOutput, ConversionError>, isScaled: Bool
  ) {
    self.facts = facts
    self.output = output
    self.isScaled = isScaled
  }

  /// Everything but the file's name, without line breaks.
  var lines: [String] {
    var table = FactsTable()
    addAudio(to: &table)
    addStorage(to: &table)
    addAttachments(to: &table)
    if let levels = facts.levels { LevelsText(levels, facts.source).add(to: &table) }
    addOutput(to: &table)
    for warning in facts.source.warnings { table.add("Note", escapedForTerminal(warning)) }
    return table.lines
  }

  private var rate: Int { facts.source.spec.sampleRate }

  // MARK: Audio

  private func addAudio(to table: inout FactsTable) {
    let source = facts.source
    let isLossless = source.sampleFormat != nil
    table.add("Container", "\(facts.storage.container), \(Numbers.grouped(facts.byteCount)) bytes")
    table.add("Codec", "\(source.codec), \(isLossless ? "lossless" : "lossy")")
    table.add("Sample rate", "\(Numbers.grouped(rate)) Hz")
    table.add("Channels", channels)
    if let depth { table.add("Depth", depth) }
    table.add(
      "Length",
      "\(Quantities.playingTime(source.spec.seconds(frames: source.frameCount))), "
        + "\(Numbers.grouped(source.frameCount)) \(source.frameCount == 1 ? "frame" : "frames") "
        + "(\(basis))")
    if let bitRate { table.add("Bit rate", bitRate) }
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

  private var bitRate: String? {
    guard let average = facts.averageBitRate, average > 0 else { return nil }
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
    if let bytes = storage.audioByteCount {
      let place = storage.audioOffset.map { " from byte \(Numbers.grouped($0))" } ?? ""
      table.add("Audio data", "\(Numbers.grouped(bytes)) bytes\(place)")
    }
    if let packets = storage.packets { table.add("Packets", text(of: packets)) }
    if storage.delay ?? 0 != 0 || storage.padding ?? 0 != 0 {
      let texts = [(storage.delay, "delay"), (storage.padding, "padding")].compactMap {
        count, name in count.map { "\(Numbers.grouped($0)) frames of \(name)" }
      }
      table.add("Encoder", texts.joined(separator: ", "))
    }
    if let md5 = storage.declaredMD5 { table.add("MD5 told", md5) }
    if storage.tracks.count > 1 {
      table.add("Tracks", rows: storage.tracks.map(text(of:)), most: Self.mostRows)
    }
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

  // MARK: What is attached

  private func addAttachments(to table: inout FactsTable) {
    let metadata = facts.source.metadata
    let width = metadata.comments.map { DisplayWidth.columns($0.name) }.max() ?? 0
    table.add(
      "Tags",
      rows: metadata.comments.map { comment in
        let name = escapedForTerminal(comment.name)
        let gap = String(repeating: " ", count: max(0, min(width, 24) - DisplayWidth.columns(name)))
        return "\(name)\(gap)  \(Self.shortened(comment.value))"
      }, most: Self.mostRows)
    table.add("Pictures", rows: metadata.pictures.map(Self.text(of:)), most: Self.mostRows)
    table.add(
      "Chapters",
      rows: metadata.chapters.map { "\(time($0.start))  \(Self.shortened($0.title))" },
      most: Self.mostRows)
    table.add(
      "Marks", rows: FactsMoment.all(in: metadata).map(text(of:)), most: Self.mostRows)
    for name in facts.source.notCarried { table.add("Also", escapedForTerminal(name)) }
  }

  private func time(_ frame: Double) -> String {
    Quantities.playingTime(frame / Double(max(1, rate)))
  }

  private static func text(of picture: Metadata.Picture) -> String {
    var parts = [FactsRecord.kind(ofPicture: picture.type)]
    if picture.width > 0, picture.height > 0 {
      parts.append("\(picture.width) x \(picture.height)")
    }
    parts.append(escapedForTerminal(picture.mimeType))
    parts.append("\(Numbers.grouped(picture.data.count)) bytes")
    if !picture.description.isEmpty { parts.append("\"\(shortened(picture.description))\"") }
    return parts.joined(separator: ", ")
  }

  private func text(of moment: FactsMoment) -> String {
    var text = time(moment.start)
    if moment.length > 0 { text += " to \(time(moment.start + moment.length))" }
    text += "  \(moment.kind.rawValue)"
    return moment.label.isEmpty ? text : text + "  " + Self.shortened(moment.label)
  }

  /// The first line of a text, and no more than fits beside what is in front of it.
  private static func shortened(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let shown = escapedForTerminal(line.prefix(64).description)
    return line.count > 64 || line.count < text.count ? shown + " …" : shown
  }

  // MARK: Output

  private func addOutput(to table: inout FactsTable) {
    switch output {
    case .failure(let error): table.add("Becomes", "nothing: \(escapedForTerminal(error.cause))")
    case .success(let output):
      var parts = [output.format.name]
      if let format = output.sampleFormat { parts.append(format.description) }
      parts.append(output.spec.layout.description)
      if isScaled {
        let seconds = output.spec.seconds(frames: output.frameCount)
        parts.append(Quantities.playingTime(seconds))
        let isEstimated = facts.source.lengthBasis == .estimated
        parts.append(
          "\(Numbers.grouped(output.frameCount)) frames\(isEstimated ? " (estimated)" : "")")
        parts.append(Quantities.change(factor: output.factor))
      }
      let name = isScaled ? output.path?.lastComponent.map { FilePath(root: nil, [$0]) } : nil
      table.add(
        "Becomes",
        (name.map { escapedForTerminal($0) + ": " } ?? "") + parts.joined(separator: ", "))
      for warning in output.warnings { table.add("", escapedForTerminal(warning)) }
    }
  }
}

/// A label in front of each group of rows, all in one column.
struct FactsTable {
  private var rows: [(label: String, text: String)] = []

  /// Adds a row, or one below the last for an empty label.
  mutating func add(_ label: String, _ text: String) { rows.append((label, text)) }

  /// Adds rows below one label, of many only the first.
  mutating func add(_ label: String, rows texts: [String], most: Int) {
    for (index, text) in texts.prefix(most).enumerated() { add(index == 0 ? label : "", text) }
    if texts.count > most { add("", "… and \(texts.count - most) more, which --json lists") }
  }

  var lines: [String] {
    let width = rows.map(\.label.count).max() ?? 0
    return rows.map { label, text in
      "  " + label + String(repeating: " ", count: width - label.count) + "  " + text
    }
  }
}

/// Numbers as people read them.
enum Numbers {
  /// Digits in groups of three: `12,345`.
  static func grouped(_ number: Int) -> String {
    var text = ""
    for (place, digit) in String(number.magnitude).reversed().enumerated() {
      if place > 0 && place % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }
}
