internal import AudioIO
public import ScaleAudio

/// A finished output, as manifests of data sets list it.
public struct MergedLine: Hashable, Sendable {
  /// Its input.
  public let line: RunLine
  /// The index of the output among those of the input, from 0.
  public let variant: Int
  /// The properties of the audio.
  public let audio: RecordedAudio

  /// An output with its record; `nil` if the record has no audio.
  public init?(_ line: RunLine, _ variant: Int, _ record: RunRecord) {
    guard let audio = record.audio, line.outputs.indices.contains(variant) else { return nil }
    (self.line, self.variant, self.audio) = (line, variant, audio)
  }

  init(_ line: RunLine, _ variant: Int, _ audio: RecordedAudio) {
    (self.line, self.variant, self.audio) = (line, variant, audio)
  }

  /// The output.
  public var output: FilePath { line.outputs[variant] }

  /// A line for NeMo, with all other fields of the original line.
  ///
  /// The output contains only the part, so its offset is 0.
  public var nemo: [UInt8] {
    let times: [(String, [UInt8])] = [
      ("audio_filepath", JSONWriter.text(output.bytes)), ("duration", Self.seconds(audio.seconds)),
    ]
    guard let manifest = line.manifest, let fields = JSONFields(manifest[...]) else {
      return Self.object(times)
    }
    switch line.source {
    case .nemo:
      return fields.replacing(
        times + (fields.value("offset") == nil ? [] : [("offset", Array("0".utf8))]))
    case .cut:
      let supervisions = fields.array("supervisions") ?? []
      let text = supervisions.count == 1 ? JSONFields(supervisions[0])?.value("text") : nil
      return Self.object(times + (text.map { [("text", Array($0))] } ?? []))
    case .recording, .kaldi, nil: return Self.object(times)
    }
  }

  /// A line for lhotse: a `Cut` if the input was a cut, otherwise a `Recording`.
  ///
  /// - Parameters:
  ///   - name: The name of the output.
  ///   - change: How the name differs from that of the input: `_sp0.9`.
  public func lhotse(name: [UInt8], change: [UInt8]) -> [UInt8] {
    let recording = recording(name)
    guard line.source == .cut, let manifest = line.manifest, let fields = JSONFields(manifest[...])
    else { return recording }
    let supervisions = (fields.array("supervisions") ?? []).map {
      supervision(Array($0), recording: name, change)
    }
    let channels = fields.value("channel").map { [("channel", Array($0))] } ?? []
    return fields.replacing(
      [
        ("id", JSONWriter.text(name)), ("start", Array("0".utf8)),
        ("duration", Self.seconds(audio.seconds)),
        ("supervisions", JSONWriter.array(supervisions)), ("recording", recording),
      ] + channels, dropping: ["features"])
  }

  private func recording(_ name: [UInt8]) -> [UInt8] {
    let channels = JSONWriter.array((0..<audio.channels).map { Array("\($0)".utf8) })
    let source = Self.object([
      ("type", JSONWriter.text(Array("file".utf8))), ("channels", channels),
      ("source", JSONWriter.text(output.bytes)),
    ])
    return Self.object([
      ("id", JSONWriter.text(name)), ("sources", JSONWriter.array([source])),
      ("sampling_rate", Array("\(audio.sampleRate)".utf8)),
      ("num_samples", Array("\(audio.frames)".utf8)),
      ("duration", Self.seconds(audio.seconds)), ("channel_ids", channels),
    ])
  }

  /// A supervision whose times, and those of its alignments, are scaled.
  private func supervision(_ json: [UInt8], recording: [UInt8], _ change: [UInt8]) -> [UInt8] {
    guard let fields = JSONFields(json[...]) else { return json }
    var changed: [(String, [UInt8])] = [("recording_id", JSONWriter.text(recording))]
    if let id = fields.text("id") { changed.append(("id", JSONWriter.text(id + change))) }
    let times = span(start: fields.number("start"), duration: fields.number("duration"))
    if let start = times.start { changed.append(("start", Self.seconds(start))) }
    if let duration = times.duration { changed.append(("duration", Self.seconds(duration))) }
    if let alignment = fields.object("alignment") {
      changed.append(
        (
          "alignment",
          Self.object(alignment.fields.map { ($0.name, alignmentItems($0.value)) })
        ))
    }
    return fields.replacing(changed)
  }

  /// Items with a symbol, a start, a duration, and a score.
  private func alignmentItems(_ json: ArraySlice<UInt8>) -> [UInt8] {
    guard let items = JSONFields.elements(json) else { return Array(json) }
    return JSONWriter.array(
      items.map { (item) in
        guard var values = JSONFields.elements(item).map({ $0.map(Array.init) }), values.count >= 3
        else { return Array(item) }
        let numbers = values[1...2].map { Double(String(decoding: $0, as: UTF8.self)) }
        let times = span(start: numbers[0], duration: numbers[1])
        for (place, time) in zip(1...2, [times.start, times.duration]) {
          if let time { values[place] = Self.seconds(time) }
        }
        return JSONWriter.array(values)
      })
  }

  /// The times of a supervision or of an item in the output. The output's length is rounded to a whole frame, so that an
  /// end is limited to it.
  private func span(
    start: Double?, duration: Double?
  ) -> (start: Double?, duration: Double?) {
    let end = Self.rounded(audio.seconds)
    let first = start.map { min(Self.rounded($0 * audio.factor), end) }
    guard let duration else { return (first, nil) }
    var length = min(
      Self.rounded(duration * audio.factor), Self.rounded(end - (first ?? 0)))
    // A sum of two decimal numbers may exceed the end in the last binary place.
    while length > 0, (first ?? 0) + length > end { length = Self.rounded(length - 1e-10) }
    return (first, length)
  }

  private static func object(_ fields: [(String, [UInt8])]) -> [UInt8] {
    var json = JSONWriter()
    for (name, value) in fields { json.raw(name, value[...]) }
    return json.finished()
  }

  /// Seconds without final digits that result from rounding errors.
  private static func seconds(_ value: Double) -> [UInt8] {
    Array(JSONWriter.number(rounded(value)).utf8)
  }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 1e10).rounded() / 1e10 }
}

extension JSONFields {
  /// The object with replaced values, and new ones at its end, without the dropped ones.
  func replacing(_ values: [(String, [UInt8])], dropping dropped: Set<String> = []) -> [UInt8] {
    var json = JSONWriter()
    var left = Dictionary(values, uniquingKeysWith: { $1 })
    for field in fields where !dropped.contains(field.name) {
      json.raw(field.name, left.removeValue(forKey: field.name)?[...] ?? field.value)
    }
    for (name, value) in values where left.removeValue(forKey: name) != nil {
      json.raw(name, value[...])
    }
    return json.finished()
  }
}
