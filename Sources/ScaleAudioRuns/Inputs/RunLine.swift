internal import AudioIO
public import ScaleAudio

/// One input of a run: a file, or a part of it, with its outputs.
///
/// It is a line of JSON in its shard's file.
public struct RunLine: Hashable, Sendable {
  /// The form of the manifest that the line comes from.
  public enum Source: String, Hashable, Sendable {
    /// A line of NeMo.
    case nemo
    /// A `Recording` of lhotse.
    case recording
    /// A `Cut` of lhotse.
    case cut
    /// An utterance of Kaldi.
    case kaldi
  }

  /// Its number among all inputs, from 1.
  public var number = 0
  /// The file.
  public var input: FilePath
  /// Its path below the folder that is mirrored; `nil` for a file that was named directly. It is not stored in
  /// shards.
  var below: FilePath?
  /// The name of the input in its data set; `nil` if it has none.
  public var id: [UInt8]?
  /// The start and the end of the part, in seconds; both `nil` for the whole file.
  public var start, end: Double?
  /// The length in seconds; `nil` if it is not known.
  public var seconds: Double?
  /// The size of the file in bytes; `nil` if it was not determined.
  public var bytes: Int?
  /// The outputs, one for each of the settings of the run.
  public var outputs: [FilePath] = []
  /// The form of ``manifest``.
  public var source: Source?
  /// The original line of a manifest; `nil` for other inputs.
  public var manifest: [UInt8]?

  /// A line for a file.
  init(_ input: FilePath) { self.input = input }

  /// The part that is converted; `nil` for the whole file.
  public var part: TimeRange? {
    if start == nil && end == nil { return nil }
    return TimeRange(
      from: start.map { .afterStart(.seconds($0)) }, to: end.map { .afterStart(.seconds($0)) })
  }
}

extension RunLine {
  /// The line as JSON, without a line feed.
  var json: [UInt8] {
    var json = JSONWriter()
    if number > 0 { json.add("line", number) }
    json.add("input", input)
    if let below { json.add("below", below) }
    if let id { json.add("id", text: id) }
    if let start { json.add("from", start) }
    if let end { json.add("to", end) }
    if let seconds { json.add("seconds", seconds) }
    if let bytes { json.add("bytes", bytes) }
    if !outputs.isEmpty {
      json.raw("outputs", JSONWriter.array(outputs.map { JSONWriter.text($0.bytes) })[...])
    }
    if let source { json.add("source", text: Array(source.rawValue.utf8)) }
    if let manifest { json.raw("manifest", manifest[...]) }
    return json.finished()
  }

  /// The input as a line of a manifest for another plan: the original line, if it came from a manifest.
  public var manifestLine: [UInt8] {
    if let manifest { return manifest }
    var line = self
    line.number = 0
    line.outputs = []
    return line.json
  }

  /// Parses a line that ``json`` has written; `nil` for any other bytes.
  init?(_ json: ArraySlice<UInt8>) {
    guard let fields = JSONFields(json) else { return nil }
    self.init(fields)
  }

  init?(_ fields: JSONFields) {
    guard let input = fields.path("input") else { return nil }
    self.init(input)
    number = fields.integer("line") ?? 0
    below = fields.path("below")
    id = fields.text("id")
    start = fields.number("from")
    end = fields.number("to")
    seconds = fields.number("seconds")
    bytes = fields.integer("bytes")
    outputs = fields.array("outputs")?.compactMap(JSONFields.text).map { FilePath(bytes: $0) } ?? []
    source = fields.text("source").flatMap { Source(rawValue: String(decoding: $0, as: UTF8.self)) }
    manifest = fields.value("manifest").map(Array.init)
  }
}
