import ArgumentParser
import ScaleAudio

/// Prints the table of formats.
struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List the formats: which can be read and written, and what they can hold.",
    discussion: """
      With --json, an array with an object per format: id (for --format), name, extensions, read, written, \
      lossless, sampleFormats, channels (least, most), sampleRates (absent: any up to highestSampleRate), \
      layouts (the named ones that can be written), anyLayout (whether any set of WAVE's 18 speakers can be \
      written), holds (tags, pictures, chapters, marks), writtenAs (the format written instead, if it cannot \
      be written) and longAs (the format written for audio that is too long for it).
      """)

  @Flag(help: "Print JSON instead of a table.")
  var json = false

  func run() throws {
    let records = AudioFormat.all.map { FormatRecord($0) }
    let text =
      json
      ? records.jsonLine
      : Array(FormatListing(records).text(columns: TerminalWindow.textColumns).utf8)
    var output = StandardOutput()
    output.write(text)
    if output.hasFailed { throw ExitCode(ExitStatus.failedOutput(output.failure)) }
  }
}

/// The table of formats for people.
struct FormatListing {
  /// The width of the whole table, in characters.
  static let maximumColumns = 100
  private static let gap = "  "
  private static let legend = [
    "use       rw: read and written; r>wav: read, and written as wav",
    "depth     bits per sample that can be written, f32 and f64 in floating point; or lossy",
    "speakers  any: any set of WAVE's 18; fixed: one layout or a few for each count; count: mono and",
    "          stereo only",
    "holds     T: tags, P: pictures, C: chapters, M: marks and loops",
  ]

  private let records: [FormatRecord]

  init(_ records: [FormatRecord]) { self.records = records }

  /// The listing for a window of `columns` columns: a table if it fits, otherwise a paragraph per format.
  func text(columns: Int) -> String {
    let lines = columns >= Self.maximumColumns ? table : paragraphs(columns: max(24, columns))
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Table

  private static let titles = [
    "format", "name", "files", "use", "depth", "ch", "rates", "speakers", "holds",
  ]

  private var table: [String] {
    let rows = [Self.titles] + records.map(cells)
    var widths = Self.titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    // A table that is too wide shortens extensions and names.
    let excess = widths.reduce(0, +) + Self.gap.count * (widths.count - 1) - Self.maximumColumns
    if excess > 0 {
      let fromFiles = max(0, min(excess, widths[2] - 12))
      widths[2] -= fromFiles
      widths[1] = max(8, widths[1] - (excess - fromFiles))
    }
    let lines = rows.map { row in
      let cells = zip(row, widths).map { Self.fitted($0, $1) }
      return Self.trimmed(cells.joined(separator: Self.gap))
    }
    return lines + [""] + Self.legend
  }

  private func cells(of record: FormatRecord) -> [String] {
    [
      record.id, record.name, record.extensions.joined(separator: " "), use(of: record),
      depth(of: record), channels(of: record), rates(of: record), speakers(of: record),
      record.holds.map { $0.prefix(1).uppercased() }.joined(),
    ]
  }

  private func use(of record: FormatRecord) -> String {
    if record.written { return "rw" }
    return record.writtenAs.map { "r>\($0)" } ?? "r"
  }

  /// `8-32 f32 f64`: adjacent depths among 8, 16, 24 and 32 form a range.
  private func depth(of record: FormatRecord) -> String {
    if !record.lossless { return "lossy" }
    let whole = record.sampleFormats.compactMap { name in
      name.hasPrefix("int") ? Int(name.dropFirst(3)) : nil
    }
    .sorted()
    var ranges: [(Int, Int)] = []
    for bits in whole {
      if let last = ranges.last, last.1 + 8 == bits {
        ranges[ranges.count - 1].1 = bits
      } else {
        ranges.append((bits, bits))
      }
    }
    let integers = ranges.map { $0 == $1 ? "\($0)" : "\($0)-\($1)" }
    let floats = record.sampleFormats.filter { $0.hasPrefix("float") }.map { "f\($0.dropFirst(5))" }
    return (integers + floats).joined(separator: " ")
  }

  private func channels(of record: FormatRecord) -> String {
    let (least, most) = (record.channels.least, record.channels.most)
    return least == most ? "\(most)" : "\(least)-\(most)"
  }

  private func rates(of record: FormatRecord) -> String {
    guard let rates = record.sampleRates, let least = rates.min(), let most = rates.max() else {
      return "to \(Self.thousands(record.highestSampleRate))"
    }
    return "\(least / 1000)-\(Self.thousands(most))"
  }

  /// `48k`, `655k`, `10M`.
  private static func thousands(_ rate: Int) -> String {
    rate >= 1_000_000 ? "\(rate / 1_000_000)M" : "\(rate / 1000)k"
  }

  private func speakers(of record: FormatRecord) -> String {
    if !record.written { return "" }
    if record.anyLayout { return "any" }
    return record.layouts.allSatisfy { ["mono", "stereo"].contains($0) } ? "count" : "fixed"
  }

  private static func fitted(_ text: String, _ width: Int) -> String {
    if text.count > width { return text.prefix(width - 1) + "…" }
    return text + String(repeating: " ", count: width - text.count)
  }

  private static func trimmed(_ line: String) -> String {
    var line = Substring(line)
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  // MARK: Paragraphs

  private func paragraphs(columns: Int) -> [String] {
    records.flatMap { record -> [String] in
      var parts = [record.written ? "read and written" : use(inWords: record)]
      parts.append("." + record.extensions.joined(separator: " ."))
      let depth = depth(of: record)
      if !depth.isEmpty { parts.append(record.lossless ? "\(depth) bits" : depth) }
      parts.append("\(channels(of: record)) channels \(rates(of: record))Hz")
      if record.written { parts.append("speakers: \(speakers(of: record))") }
      if !record.holds.isEmpty { parts.append("holds \(record.holds.joined(separator: ", "))") }
      let body = DisplayWidth.lines(of: parts.joined(separator: "; "), columns: columns - 2)
      return DisplayWidth.lines(of: "\(record.id): \(record.name)", columns: columns)
        + body.map { "  " + $0 }
    }
  }

  private func use(inWords record: FormatRecord) -> String {
    record.writtenAs.map { "read, and written as \($0)" } ?? "read"
  }
}

/// The `--json` object of one format.
struct FormatRecord: Encodable {
  struct Channels: Encodable {
    let least, most: Int
  }

  let id: String
  let name: String
  let extensions: [String]
  /// Every format in the table can be read.
  let read = true
  let written: Bool
  let lossless: Bool
  let sampleFormats: [String]
  let channels: Channels
  let sampleRates: [Int]?
  let highestSampleRate: Int
  let layouts: [String]
  let anyLayout: Bool
  let holds: [String]
  let writtenAs: String?
  let longAs: String?

  init(_ format: AudioFormat) {
    id = format.id
    name = format.name
    extensions = format.extensions
    written = format.isWritable
    lossless = format.isLossless
    sampleFormats = format.sampleFormats.map(\.rawValue)
    channels = Channels(least: format.channels.lowerBound, most: format.channels.upperBound)
    sampleRates = format.sampleRates
    highestSampleRate = format.sampleRates?.max() ?? format.highestSampleRate
    layouts = format.namedLayouts.map(\.description)
    anyLayout = format.saysAnyLayout
    holds = format.holds.names
    writtenAs = format.isWritable ? nil : format.writtenForm?.id
    longAs = format.longForm?.id
  }
}
