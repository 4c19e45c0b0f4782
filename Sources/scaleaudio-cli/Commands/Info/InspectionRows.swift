import ScaleAudio

/// The report of a file as lines of text, aligned.
struct InspectionRows {
  private let report: InspectionReport
  private let output: Result<PlannedOutput, ConversionError>
  private let isScaled: Bool
  /// True if the tempo was requested.
  private let hasTempo: Bool

  /// The maximum number of listed tracks.
  private static let maximumTracks = 8

  /// The rows of a report and of the predicted output. `isScaled` is whether the output has another length.
  init(
    _ report: InspectionReport, _ output: Result<PlannedOutput, ConversionError>, isScaled: Bool,
    hasTempo: Bool = false
  ) {
    self.hasTempo = hasTempo
    self.report = report
    self.output = output
    self.isScaled = isScaled
  }

  /// Everything except the file's name, in lines of at most `columns` columns.
  func lines(columns: Int) -> [String] {
    var table = RowTable()
    addAudio(to: &table)
    addStorage(to: &table)
    AttachmentRows(report.source).add(to: &table)
    if hasTempo { table.add("Tempo", sentence: TempoText.line(report.tempo)) }
    if let levels = report.levels { LevelRows(levels, report.source).add(to: &table) }
    addOutput(to: &table)
    for warning in report.source.warnings {
      table.add("Note", sentence: escapedForTerminal(warning.text))
    }
    return table.lines(columns: columns)
  }

  private var rate: Int { report.source.spec.sampleRate }

  // MARK: Audio

  private func addAudio(to table: inout RowTable) {
    let source = report.source
    let isLossless = report.isLossless
    table.add(
      "Container",
      "\(report.source.format.containerName), \(Quantities.grouped(report.byteCount)) bytes"
        + (report.byteCount < 1000 ? "" : " (\(Quantities.size(report.byteCount)))"))
    let codec = [source.codec, report.source.storage.profile, isLossless ? "lossless" : "lossy"]
    table.add("Codec", codec.compactMap(\.self).joined(separator: ", "))
    let inner = report.source.storage.codecSampleRate.map {
      ", decoded from \(Quantities.grouped($0)) Hz"
    }
    table.add("Sample rate", "\(Quantities.grouped(rate)) Hz\(inner ?? "")")
    table.add("Channels", channels)
    if let depth { table.add("Depth", depth) }
    table.add(
      "Length",
      "\(Quantities.playingTime(source.spec.seconds(frames: source.frameCount))), "
        + "\(Quantities.groupedCount(source.frameCount, "frame")) (\(basis))")
    table.add("Bit rate", bitRate)
  }

  /// `2: stereo (FL FR)`
  private var channels: String {
    let layout = report.source.spec.layout
    guard let speakers = layout.speakers else {
      return "\(layout.channelCount), positions unknown"
    }
    let names = speakers.map(\.abbreviation).joined(separator: " ")
    let name = layout.description
    return "\(layout.channelCount): " + (name == names ? name : "\(name) (\(names))")
  }

  /// `16 bits`, `32 bits, floating point`, `20 of 24 bits`
  private var depth: String? {
    guard let format = report.source.sampleFormat else { return nil }
    if format.isFloat { return "\(format.bitDepth) bits, floating point" }
    if let bits = report.source.storage.bitDepth, bits < format.bitDepth {
      return "\(bits) bits, stored in \(format.bitDepth)"
    }
    return "\(format.bitDepth) bits"
  }

  private var basis: String {
    switch report.source.lengthBasis {
    case .declared: "exact"
    case .counted: "exact, counted"
    case .estimated: "estimated; --exact counts"
    }
  }

  private var bitRate: String {
    guard let average = report.averageBitRate, average > 0 else {
      return "unknown"
    }
    let rate =
      "\(Quantities.decimal(Double(average) / 1000, digits: average < 100_000 ? 1 : 0)) kb/s"
    switch report.source.storage.bitRateMode {
    case .constant: return "\(rate), constant"
    case .variable: return "\(rate) on average, variable"
    case nil: return "\(rate) on average"
    }
  }

  // MARK: Storage

  private func addStorage(to table: inout RowTable) {
    let storage = report.source.storage
    var encoder = [storage.encoder.map { escapedForTerminal($0) }].compactMap(\.self)
    if storage.delay ?? 0 != 0 || storage.padding ?? 0 != 0 {
      encoder += [(storage.delay, "delay"), (storage.padding, "padding")].compactMap {
        count, name in count.map { "\(Quantities.grouped($0)) frames of \(name)" }
      }
    }
    if !encoder.isEmpty { table.add("Encoder", encoder.joined(separator: ", ")) }
    if let md5 = storage.declaredMD5 { table.add("Header MD5", md5) }
    if storage.tracks.count > 1 {
      table.add("Tracks", rows: storage.tracks.map(text(of:)), most: Self.maximumTracks)
    }
  }

  private func text(of track: StorageDescription.Track) -> String {
    var parts = ["\(track.number)", track.codec]
    if track.sampleRate > 0 { parts.append("\(Quantities.grouped(track.sampleRate)) Hz") }
    if let layout = track.layout { parts.append(layout) }
    if let language = track.language { parts.append(escapedForTerminal(language)) }
    if let title = track.title { parts.append("\"\(escapedForTerminal(title))\"") }
    return "\(parts[0])  " + parts.dropFirst().joined(separator: ", ")
      + (track.isSelected ? "  (this one)" : "")
  }

  // MARK: Output

  private func addOutput(to table: inout RowTable) {
    if let video = report.source.storage.video {
      table.add("Video", sentence: "\(video): not converted, only the audio is")
    }
    switch output {
    case .failure(let error):
      table.add("Becomes", sentence: "nothing: \(escapedForTerminal(error.fullCause))")
    case .success(let output):
      var parts = [output.format.name]
      if let format = output.sampleFormat { parts.append(format.description) }
      parts.append(output.spec.layout.description)
      // Without another length, the output is as the input.
      if isScaled {
        let name = output.path?.lastComponent.map { FilePath(root: nil, [$0]) }
        table.add(
          "Becomes",
          sentence: (name.map { escapedForTerminal($0) + ": " } ?? "")
            + parts.joined(separator: ", "))
        let seconds = output.spec.seconds(frames: output.frameCount)
        let isEstimated = report.source.lengthBasis == .estimated
        table.add(
          "",
          sentence: "\(Quantities.playingTime(seconds)), "
            + "\(Quantities.groupedCount(output.frameCount, "frame"))\(isEstimated ? " (estimated)" : ""), "
            + Quantities.change(factor: output.factor))
      }
      for warning in output.warnings {
        table.add("", sentence: escapedForTerminal(warning.text))
      }
      for loss in output.losses where !report.source.notCarried.contains(loss) {
        table.add("Not kept", sentence: escapedForTerminal(loss.text))
      }
    }
  }
}
