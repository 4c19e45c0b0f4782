import ScaleAudio

/// An output as a dry run finds it.
struct ForeseenFile {
  /// The facts about the output, as the rest of its line.
  let facts: String
  /// Further lines about it.
  let lines: [String]
  /// Lines added by `--verbose`.
  let details: [String]
  /// The fields of its `--json` object.
  let record: PlannedRecord
  /// The playing time, in seconds.
  let seconds: Double
  let bytes: PlannedOutput.Size
  /// True if the output would lack something of its source.
  let losesSomething: Bool
}

/// The fields of a `--json` object about an output that has not been made yet, as described by `convert.schema.json`.
struct PlannedRecord: Encodable {
  private struct Details: Encodable {
    let method: String
    let pitchSemitones: Double?
    let outputBytes: Int?
    let outputBytesAreEstimated: Bool
    let warnings: [String]
    let notCarried: [String]
    let staleTags: [String]
  }

  private let output: OutputFields
  private let details: Details

  init(_ planned: PlannedOutput) {
    output = OutputFields(planned)
    var semitones: Double?
    if case .stretch(let settings) = planned.method { semitones = settings.semitones }
    var isEstimated = false
    if case .estimated = planned.bytes { isEstimated = true }
    details = Details(
      method: planned.method.kind.rawValue, pitchSemitones: semitones,
      outputBytes: planned.bytes?.count, outputBytesAreEstimated: isEstimated,
      warnings: planned.warnings.map(\.text), notCarried: planned.losses.map(\.text),
      staleTags: planned.staleTags)
  }

  /// Encodes both parts into one object.
  func encode(to encoder: any Encoder) throws {
    try output.encode(to: encoder)
    try details.encode(to: encoder)
  }
}

/// The files that a run would only copy.
struct ForeseenCopies {
  var files = 0
  var bytes = 0
}

/// The sum of a dry run: a line on standard error, or its last `--json` object.
struct ForeseenTotal: Encodable {
  enum Status: String, Encodable { case total }

  let schema: RecordSchema
  let status = Status.total
  /// The outputs that would be written.
  private(set) var files = 0
  private(set) var skipped = 0
  /// The outputs that would lack something of their source.
  private(set) var losing = 0
  private(set) var outputSeconds = 0.0
  private(set) var outputBytes = 0
  private(set) var outputBytesAreEstimated = false

  /// The files that would only be copied, and their bytes; `nil` if none were to be.
  let copiedFiles, copiedBytes: Int?

  init(schema: RecordSchema, _ copies: ForeseenCopies?) {
    self.schema = schema
    (copiedFiles, copiedBytes) = (copies?.files, copies?.bytes)
  }

  /// Adds one file.
  mutating func count(_ verdict: JobVerdict, _ foreseen: ForeseenFile?) {
    if case .skip = verdict { skipped += 1 }
    guard let foreseen else { return }
    files += 1
    losing += foreseen.losesSomething ? 1 : 0
    outputSeconds += foreseen.seconds
    outputBytes += foreseen.bytes.count
    if case .estimated = foreseen.bytes { outputBytesAreEstimated = true }
  }

  /// `total  3 outputs, 1:30.000, about 2.4 MB; 1 would lose something; 4 other files copied, 31,415 bytes; 2 skipped`
  var line: String {
    let size: PlannedOutput.Size =
      outputBytesAreEstimated ? .estimated(outputBytes) : .exact(outputBytes)
    var parts = [
      "total  \(Quantities.groupedCount(files, "output")), \(Quantities.playingTime(outputSeconds)), "
        + Self.text(of: size)
    ]
    if losing > 0 { parts.append("\(Quantities.grouped(losing)) would lose something") }
    if let copiedFiles, let copiedBytes, copiedFiles > 0 {
      parts.append(
        "\(Quantities.groupedCount(copiedFiles, "other file")) copied, \(Quantities.groupedCount(copiedBytes, "byte"))"
      )
    }
    if skipped > 0 { parts.append("\(Quantities.grouped(skipped)) skipped") }
    return parts.joined(separator: "; ")
  }

  /// `529,244 bytes`, `about 1.4 MB`
  static func text(of size: PlannedOutput.Size) -> String {
    switch size {
    case .exact(let bytes): Quantities.groupedCount(bytes, "byte")
    case .estimated(let bytes): "about \(Quantities.size(bytes))"
    }
  }
}
