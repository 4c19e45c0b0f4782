internal import AudioIO
internal import ScaleAudio

/// Why a line of a manifest cannot be used.
struct ManifestLineError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Lines of the manifests of data sets.
enum ManifestLine {
  /// Parses a line of NeMo, a `Recording` or a `Cut` of lhotse, or a line of a retry list that a merge has written.
  static func read(_ bytes: ArraySlice<UInt8>) throws(ManifestLineError) -> RunLine {
    guard let fields = JSONFields(bytes) else { throw ManifestLineError("not a JSON object") }
    var line: RunLine
    if fields.value("audio_filepath") != nil {
      line = try nemo(fields)
    } else if fields.value("recording") != nil {
      line = try cut(fields)
    } else if fields.value("sources") != nil {
      line = try recording(fields)
    } else if var known = RunLine(fields) {
      known.outputs = []
      known.number = 0
      return known
    } else {
      throw ManifestLineError(
        "it has neither audio_filepath (NeMo) nor sources or recording (lhotse)")
    }
    line.manifest = Array(bytes)
    return line
  }

  /// With an offset, a part of a file; otherwise the whole file, for which the duration is only a weight.
  private static func nemo(_ fields: JSONFields) throws(ManifestLineError) -> RunLine {
    guard let path = fields.path("audio_filepath") else {
      throw ManifestLineError("audio_filepath is not a path")
    }
    var line = RunLine(path)
    line.source = .nemo
    line.seconds = try seconds(fields, "duration")
    guard fields.value("offset") != nil else { return line }
    try setPart(of: &line, from: try seconds(fields, "offset"), seconds: line.seconds)
    return line
  }

  private static func recording(_ fields: JSONFields) throws(ManifestLineError) -> RunLine {
    if let transforms = fields.array("transforms"), !transforms.isEmpty {
      throw ManifestLineError("the recording has transforms, which only lhotse can apply")
    }
    guard let sources = fields.array("sources"), sources.count == 1,
      let source = JSONFields(sources[0])
    else { throw ManifestLineError("a recording needs one source") }
    guard source.text("type") == Array("file".utf8), let path = source.path("source") else {
      throw ManifestLineError("the source of a recording must be a file")
    }
    var line = RunLine(path)
    line.source = .recording
    line.id = fields.text("id")
    line.seconds = try seconds(fields, "duration")
    return line
  }

  private static func cut(_ fields: JSONFields) throws(ManifestLineError) -> RunLine {
    guard let recorded = fields.object("recording") else {
      throw ManifestLineError("the recording of the cut is missing")
    }
    var line = try recording(recorded)
    if let channel = fields.integer("channel"), let all = recorded.array("channel_ids"),
      all.count > 1
    {
      throw ManifestLineError(
        "the cut takes channel \(channel) of \(all.count); make files of single channels first")
    }
    let whole = line.seconds
    line.source = .cut
    line.id = fields.text("id") ?? line.id
    let start = try seconds(fields, "start") ?? 0
    line.seconds = try seconds(fields, "duration")
    // lhotse rounds to eight digits.
    let isWhole = start == 0 && (line.seconds ?? 0) >= (whole ?? .infinity) - 1e-6
    if !isWhole { try setPart(of: &line, from: start, seconds: line.seconds) }
    return line
  }

  private static func setPart(
    of line: inout RunLine, from start: Double?, seconds: Double?
  ) throws(ManifestLineError) {
    line.start = start ?? 0
    guard let seconds else { return }
    if seconds <= 0 { throw ManifestLineError("a part must be longer than 0 s") }
    line.end = sum(line.start ?? 0, seconds)
  }

  /// A sum without final digits that result from rounding errors.
  private static func sum(_ start: Double, _ seconds: Double) -> Double {
    let sum = start + seconds
    let short = (sum * 1e9).rounded() / 1e9
    return (short - sum).magnitude < 1e-12 * max(1, sum) ? short : sum
  }

  private static func seconds(
    _ fields: JSONFields, _ name: String
  ) throws(ManifestLineError) -> Double? {
    guard fields.value(name) != nil else { return nil }
    guard let seconds = fields.number(name), seconds >= 0, seconds < 1e9 else {
      throw ManifestLineError("\(name) is not a time in seconds")
    }
    return seconds
  }
}
