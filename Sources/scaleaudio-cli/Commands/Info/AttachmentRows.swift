import AudioModel
import ScaleAudio

/// Tags, pictures, chapters and marks as rows of text.
struct AttachmentRows {
  private let metadata: Metadata
  private let notCarried: [String]
  /// Frames per second.
  private let rate: Int

  /// The maximum numbers of listed items.
  private static let maximumTags = 12
  private static let maximumOthers = 8
  /// The maximum width of a tag name, in columns.
  private static let widestName = 24

  init(_ source: SourceDescription) {
    metadata = source.metadata
    notCarried = source.notCarried.map(\.text)
    rate = source.spec.sampleRate
  }

  func add(to table: inout RowTable) {
    table.add("Tags", rows: tags, most: Self.maximumTags)
    table.add("Pictures", rows: metadata.pictures.map(Self.text(of:)), most: Self.maximumOthers)
    table.add(
      "Chapters",
      rows: aligned(
        metadata.chapters.map {
          (time($0.start), Self.firstLine(of: $0.title) + ($0.isHidden ? " (hidden)" : ""))
        }),
      most: Self.maximumOthers)
    table.add(
      "Marks", rows: aligned(TimelineItem.all(in: metadata).map(texts(of:))),
      most: Self.maximumOthers)
    addBroadcast(to: &table)
    let chunks = metadata.foreignChunks.map { escapedForTerminal($0.title) }
    if !chunks.isEmpty { table.add("Chunks", sentence: chunks.joined(separator: ", ")) }
    for name in notCarried { table.add("Not kept", sentence: escapedForTerminal(name)) }
  }

  /// Adds the fields of a broadcast extension that are given.
  private func addBroadcast(to table: inout RowTable) {
    guard let fields = metadata.broadcastExtension.flatMap(BroadcastExtension.init) else { return }
    let date = [fields.originationDate, fields.originationTime].filter { !$0.isEmpty }
    let frames = fields.timeReferenceFrames
    let named: [(String, String)] = [
      ("description", Self.firstLine(of: fields.descriptionText)),
      ("originator", escapedForTerminal(fields.originator)),
      ("reference", escapedForTerminal(fields.originatorReference)),
      ("date", escapedForTerminal(date.joined(separator: " "))),
      (
        "time reference",
        "\(time(Double(frames))), frame \(Quantities.grouped(Int(clamping: frames)))"
      ),
      ("UMID", fields.materialIdentifierText ?? ""),
      (
        "loudness",
        fields.integratedLoudness.map { "\(Quantities.decimal($0, digits: 2)) LUFS" } ?? ""
      ),
    ]
    let given = named.filter { !$0.1.isEmpty && $0.1 != "(empty)" }
    let width = given.map(\.0.count).max() ?? 0
    var rows = given.map { name, text in
      name + String(repeating: " ", count: width - name.count) + "  " + text
    }
    rows += fields.codingHistory.map { "history  \(escapedForTerminal($0))" }
    table.add("Broadcast", rows: rows, most: 12)
  }

  private var tags: [String] {
    // Encoder delay and padding have separate rows.
    let comments = metadata.comments.filter { $0.name.uppercased() != "ITUNSMPB" }
    let names = comments.map {
      DisplayWidth.cutEnd(of: escapedForTerminal($0.name), to: Self.widestName, mark: "…")
    }
    // Only listed names count.
    let width = names.prefix(Self.maximumTags).map(DisplayWidth.columns).max() ?? 0
    return zip(names, comments).map { name, comment in
      let gap = String(repeating: " ", count: max(0, width - DisplayWidth.columns(name)))
      return "\(name)\(gap)  \(Self.firstLine(of: comment.value))"
    }
  }

  private func time(_ frame: Double) -> String {
    Quantities.playingTime(frame / Double(max(1, rate)))
  }

  private static func text(of picture: Metadata.Picture) -> String {
    var parts = [InspectionRecord.kind(ofPicture: picture.type)]
    if picture.width > 0, picture.height > 0 {
      parts.append("\(picture.width) x \(picture.height)")
    }
    parts.append(escapedForTerminal(picture.mimeType))
    parts.append("\(Quantities.grouped(picture.data.count)) bytes")
    if !picture.description.isEmpty { parts.append("\"\(firstLine(of: picture.description))\"") }
    return parts.joined(separator: ", ")
  }

  private func texts(of item: TimelineItem) -> (time: String, text: String) {
    let end = item.length > 0 ? " to \(time(item.start + item.length))" : ""
    let kind = item.kind.rawValue
    return (
      time(item.start) + end,
      item.label.isEmpty ? kind : "\(kind)  \(Self.firstLine(of: item.label))"
    )
  }

  /// Times and texts in two aligned columns.
  private func aligned(_ rows: [(time: String, text: String)]) -> [String] {
    let width = rows.prefix(Self.maximumOthers).map(\.time.count).max() ?? 0
    return rows.map { time, text in
      time + String(repeating: " ", count: max(0, width - time.count)) + "  " + text
    }
  }

  /// The first non-empty line of a text, marked if there are more.
  private static func firstLine(of text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let first = lines.first else { return "(empty)" }
    let shown = first.reversed().drop(while: \.isWhitespace).reversed()
    return escapedForTerminal(String(shown)) + (lines.count > 1 ? " …" : "")
  }
}
