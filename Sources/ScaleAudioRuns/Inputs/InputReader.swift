internal import AudioIO
import Glibc
public import ScaleAudio
internal import SystemPackage

/// A source of the inputs of a run.
public enum RunSource: Hashable, Sendable {
  /// A file, or a folder to be walked. A JSON Lines file is a manifest, and a folder with a `wav.scp` is a data set
  /// of Kaldi.
  case path(FilePath)
  /// A file of paths, or standard input for `-`. `endsInNull` means that paths end with NUL instead of line feeds.
  case list(FilePath, endsInNull: Bool)
}

/// Reads the inputs of a run one by one.
struct InputReader {
  let walker: FileWalker
  let cancellation: Cancellation
  /// Folders that walks skip.
  let avoided: Set<FileIdentity>
  /// The base of mirrored paths; `nil` for mirroring each folder by itself.
  var base: MirroredBase?
  /// Folders that could not be read, broken links, and files that were named and cannot be looked at.
  private(set) var problems: [AudioFileError] = []

  init(_ request: BatchRequest, output: FilePath, _ cancellation: Cancellation) {
    walker = request.walker
    self.cancellation = cancellation
    avoided = Set([FileIdentity(path: output)].compactMap(\.self))
    base = request.base.map { MirroredBase($0) }
  }

  /// Passes on each input of a source.
  mutating func read(
    _ source: RunSource, onLine: (RunLine) throws(RunError) -> Void
  ) throws(RunError) {
    switch source {
    case .list(let path, let endsInNull):
      let reader = try RunError.files(
        LineReader(
          path, separator: endsInNull ? 0 : UInt8(ascii: "\n"), cancellation: cancellation))
      while let bytes = try RunError.files(reader.next()) {
        if !bytes.isEmpty { try onLine(try placed(RunLine(FilePath(bytes: bytes)))) }
      }
    case .path(let path):
      let status = FileStatus(path: path)
      let reason = Errno(rawValue: errno)
      if status?.kind == .folder {
        if FileStatus(path: path.appending(KaldiData.recordings))?.kind == .file {
          try KaldiData(path).read(cancellation) { (line) throws(RunError) in try onLine(line) }
        } else {
          try readFolder(path, onLine)
        }
      } else if Self.isManifest(path) {
        try readManifest(path, onLine)
      } else {
        // It is planned nevertheless, and its failure recorded.
        if status == nil { problems.append(.cannotOpen(path, reason)) }
        try onLine(try placed(RunLine(path)))
      }
    }
  }

  /// True if a file is a JSON Lines file, by its name.
  private static func isManifest(_ path: FilePath) -> Bool {
    let name = path.lastComponent?.string.lowercased() ?? ""
    let plain = name.hasSuffix(".gz") ? name.dropLast(3) : name[...]
    return [".jsonl", ".json", ".ndjson"].contains { plain.hasSuffix($0) }
  }

  /// The line of a file, with its path below the base if there is a base.
  private mutating func placed(_ line: RunLine) throws(RunError) -> RunLine {
    guard var base, line.below == nil, let name = line.input.lastComponent else { return line }
    var line = line
    line.below =
      try RunError.planning(base.place(of: line.input, isFolder: false)).appending(name)
    self.base = base
    return line
  }

  private mutating func readFolder(
    _ folder: FilePath, _ onLine: (RunLine) throws(RunError) -> Void
  ) throws(RunError) {
    var place = FilePath()
    if var base {
      place = try RunError.planning(base.place(of: folder, isFolder: true))
      self.base = base
    }
    let found = try walker.walk(folder, avoiding: avoided, cancellation: cancellation) {
      (file) throws(RunError) in
      var line = RunLine(file.path)
      line.below = place.appending(file.relativePath.components)
      line.bytes = file.size
      try onLine(line)
    }
    problems += found
  }

  private mutating func readManifest(
    _ path: FilePath, _ onLine: (RunLine) throws(RunError) -> Void
  ) throws(RunError) {
    let reader = try RunError.files(LineReader(path, cancellation: cancellation))
    while let bytes = try RunError.files(reader.next()) {
      if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      let line: RunLine
      do throws(ManifestLineError) {
        line = try ManifestLine.read(bytes[...])
      } catch {
        throw .badLine(path, number: reader.number, reason: error.reason)
      }
      try onLine(try placed(line))
    }
  }
}
