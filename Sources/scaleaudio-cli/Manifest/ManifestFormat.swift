import ScaleAudio

/// The form of a manifest.
enum ManifestFormat: String, CaseIterable, Sendable {
  /// Lines of JSON with the names of `--json`.
  case jsonl
  /// The same as a table.
  case csv
  /// Lines of JSON for NVIDIA NeMo.
  case nemo
  /// A `RecordingSet` of lhotse.
  case lhotse
  /// A folder for Kaldi.
  case kaldi

  /// The form for a path: a table if it ends in `.csv` or `.csv.gz`.
  init(path: FilePath) {
    let name = path.lastComponent?.string.lowercased() ?? ""
    self = name.hasSuffix(".csv") || name.hasSuffix(".csv.gz") ? .csv : .jsonl
  }

  /// The text before the lines of outputs.
  func header(_ columns: ManifestColumns) -> [UInt8] { self == .csv ? columns.header : [] }

  /// The line of an output; of Kaldi, that of the first file.
  func line(
    _ entry: ManifestEntry, _ name: ManifestName, _ columns: ManifestColumns
  ) -> [UInt8] {
    switch self {
    case .jsonl: ManifestRecord(entry).jsonLine
    case .csv: columns.line(entry)
    case .nemo: PythonText.escaped(NeMoLine(entry).jsonLine)
    case .lhotse: PythonText.escaped(LhotseRecording(entry, name).jsonLine)
    case .kaldi: KaldiFolder.line(KaldiFolder.files[0], entry, name)
    }
  }
}

/// The columns of a manifest as CSV; paths are unmodified bytes.
struct ManifestColumns {
  /// True if some outputs are made of a part.
  var hasParts = false
  /// True if some outputs were limited.
  var hasLimiting = false
  /// True if a tempo was requested for some outputs.
  var hasTempo = false
  var hasChecksums = false

  /// The columns for these outputs.
  init(_ entries: [ManifestEntry] = []) {
    hasParts = entries.contains { $0.part.fromFrame != nil }
    hasLimiting = entries.contains { $0.limiting != nil }
    hasTempo = entries.contains { $0.inputBPM != nil }
    hasChecksums = entries.contains { $0.sha256 != nil }
  }

  var header: [UInt8] {
    var header = [
      "output", "input", "outputFormat", "outputFrames", "outputSeconds", "outputSampleRate",
      "outputChannels", "outputLayout", "factor", "speed",
    ]
    if hasParts { header += ["fromFrame", "toFrame"] }
    if hasLimiting { header += ["limitedDecibels", "limitedSeconds"] }
    if hasTempo { header += ["inputBPM", "outputBPM"] }
    if hasChecksums { header.append("outputSHA256") }
    return CSVLine.bytes(header.map { Array($0.utf8) })
  }

  func line(_ entry: ManifestEntry) -> [UInt8] {
    let audio = entry.audio
    var texts = [
      audio.outputFormat, "\(audio.outputFrames)", Self.number(audio.outputSeconds),
      "\(audio.outputSampleRate)", "\(audio.outputChannels)", audio.outputLayout,
      Self.number(audio.factor), Self.number(entry.speed),
    ]
    if hasParts {
      texts += [entry.part.fromFrame, entry.part.toFrame].map { $0.map(String.init) ?? "" }
    }
    if hasLimiting {
      texts += [entry.limiting?.decibels, entry.limiting?.seconds].map {
        $0.map(Self.number) ?? ""
      }
    }
    if hasTempo {
      texts += [entry.inputBPM, entry.outputBPM].map { $0.map(Self.number) ?? "" }
    }
    if hasChecksums { texts.append(entry.sha256 ?? "") }
    return CSVLine.bytes([entry.output.bytes, entry.input.bytes] + texts.map { Array($0.utf8) })
  }

  /// `1.5`, `3`
  private static func number(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// A line for NeMo; fields without a value, such as `offset` and `text`, may be omitted.
private struct NeMoLine: Encodable {
  private enum CodingKeys: String, CodingKey {
    case path = "audio_filepath"
    case duration
  }

  let path: String
  let duration: Double

  init(_ entry: ManifestEntry) {
    path = PythonText.text(of: entry.output.bytes)
    duration = entry.audio.outputSeconds
  }
}

/// A `Recording` of lhotse.
private struct LhotseRecording: Encodable {
  private enum CodingKeys: String, CodingKey {
    case id, sources, duration
    case sampleRate = "sampling_rate"
    case frameCount = "num_samples"
    case channels = "channel_ids"
  }

  private struct Source: Encodable {
    let type = "file"
    let channels: [Int]
    let source: String
  }

  let id: String
  let sampleRate, frameCount: Int
  let duration: Double
  let channels: [Int]
  private let sources: [Source]

  init(_ entry: ManifestEntry, _ name: ManifestName) {
    id = PythonText.text(of: name.lhotse)
    sampleRate = entry.audio.outputSampleRate
    frameCount = entry.audio.outputFrames
    duration = entry.audio.outputSeconds
    channels = Array(0..<entry.audio.outputChannels)
    sources = [Source(channels: channels, source: PythonText.text(of: entry.output.bytes))]
  }
}

/// Texts in JSON for Python, which represents each byte of a name that is not UTF-8 by a lone surrogate.
private enum PythonText {
  static func text(of bytes: [UInt8]) -> String { RawArgument.text(of: bytes) }

  /// A line of JSON in which such bytes are written as in Python: `\udcff`.
  static func escaped(_ line: [UInt8]) -> [UInt8] {
    // Scalars of four bytes with this first byte represent such bytes.
    guard line.contains(0xF4) else { return line }
    return String(decoding: line, as: UTF8.self).unicodeScalars.flatMap { scalar -> [UInt8] in
      let byte = RawArgument.bytes(of: String(scalar))
      guard byte.count == 1, byte[0] >= 0x80 else { return byte }
      return Array("\\udc\(String(byte[0], radix: 16))".utf8)
    }
  }
}
