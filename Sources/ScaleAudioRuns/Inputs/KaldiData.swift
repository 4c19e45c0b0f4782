internal import AudioIO
internal import ScaleAudio
internal import SystemPackage

/// A data folder of Kaldi: `wav.scp`, and `segments` if its utterances are parts of recordings.
///
/// Source: https://kaldi-asr.org/doc/data_prep.html
struct KaldiData {
  static let recordings: FilePath.Component = "wav.scp"
  private static let segments: FilePath.Component = "segments"

  private let folder: FilePath

  init(_ folder: FilePath) { self.folder = folder }

  /// Passes on each utterance.
  func read(
    _ cancellation: Cancellation, onLine: (RunLine) throws(RunError) -> Void
  ) throws(RunError) {
    let segments = folder.appending(Self.segments)
    let isParted = FileStatus(path: segments)?.kind == .file
    var paths: [[UInt8]: FilePath] = [:]
    let path = folder.appending(Self.recordings)
    let reader = try RunError.files(LineReader(path, cancellation: cancellation))
    while let bytes = try RunError.files(reader.next()) {
      let fields = Self.fields(bytes, most: 2)
      if fields.isEmpty { continue }
      guard fields.count == 2 else {
        throw .badLine(path, number: reader.number, reason: "it has no file")
      }
      guard fields[1].last != UInt8(ascii: "|") else {
        throw .badLine(
          path, number: reader.number, reason: "a command; run it first, and name the file it makes"
        )
      }
      let file = FilePath(bytes: fields[1])
      if isParted {
        paths[Array(fields[0])] = file
        continue
      }
      var line = RunLine(file)
      line.source = .kaldi
      line.id = Array(fields[0])
      try onLine(line)
    }
    if isParted { try readSegments(segments, paths, cancellation, onLine) }
  }

  private func readSegments(
    _ path: FilePath, _ paths: [[UInt8]: FilePath], _ cancellation: Cancellation,
    _ onLine: (RunLine) throws(RunError) -> Void
  ) throws(RunError) {
    let reader = try RunError.files(LineReader(path, cancellation: cancellation))
    while let bytes = try RunError.files(reader.next()) {
      let fields = Self.fields(bytes, most: .max)
      if fields.isEmpty { continue }
      let times = fields.dropFirst(2).prefix(2).compactMap {
        Double(String(decoding: $0, as: UTF8.self))
      }
      // An end of -1 means the end of the recording.
      guard times.count == 2, times[0] >= 0, times[1] > times[0] || times[1] == -1, times[0] < 1e9
      else {
        throw .badLine(
          path, number: reader.number,
          reason: "expected an utterance, a recording, a start and an end")
      }
      guard let file = paths[Array(fields[1])] else {
        let name = FilePath(bytes: fields[1]).printable
        throw .badLine(
          path, number: reader.number, reason: "\(Self.recordings.string) has no \(name)")
      }
      var line = RunLine(file)
      line.source = .kaldi
      line.id = Array(fields[0])
      line.start = times[0]
      if times[1] >= 0 {
        line.end = times[1]
        line.seconds = times[1] - times[0]
      }
      try onLine(line)
    }
  }

  /// The words of a line; the last of `most` words holds the rest of the line.
  private static func fields(_ line: [UInt8], most: Int) -> [ArraySlice<UInt8>] {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    var end = line.count
    while end > 0, isSpace(line[end - 1]) { end -= 1 }
    var fields = line[..<end].split(maxSplits: most - 1, whereSeparator: isSpace)
    if let last = fields.last { fields[fields.count - 1] = last.drop(while: isSpace) }
    return fields
  }
}
