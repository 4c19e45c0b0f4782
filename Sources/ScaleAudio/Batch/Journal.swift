internal import AudioIO
internal import FoundationEssentials
import Glibc
import SystemPackage

/// The record of the outputs in a folder and of their sources: `.scaleaudio.jsonl`, a line of JSON for
/// each output.
///
/// Lines are only appended, each in one write, so several processes may share a folder. If several lines
/// have the same output, the last one counts. Unreadable lines are ignored.
final class Journal: Sendable {
  static let fileName: FilePath.Component = ".scaleaudio.jsonl"
  /// Longer lines are ignored.
  private static let longestLine = 1 << 16

  private let folder: FilePath
  /// For the roots, see ``FilePolicy/outputRoots``.
  private let roots: [FilePath]
  private let state: Locked<State>

  private struct State {
    /// The entries by output, relative to the folder.
    var entries: [FilePath: JournalEntry]
    /// True if the file ends within a line, for example after a crash.
    var endsTorn: Bool
  }

  /// The journal of a folder, which need not exist yet.
  init(folder: FilePath, beneath roots: [FilePath] = []) {
    (self.folder, self.roots) = (folder, roots)
    let text = Self.read(folder.appending(Self.fileName), beneath: roots)
    state = Locked(
      State(entries: Self.entries(text), endsTorn: !text.isEmpty && text.last != newline))
  }

  /// The entry for an output; `nil` if there is none.
  func entry(for output: FilePath) -> JournalEntry? {
    let key = relative(output)
    return state.withLock { $0.entries[key] }
  }

  /// An entry for an output of a source in the given state; `nil` if the output does not exist.
  func makeEntry(
    source: FilePath, stamp: FileStamp, parameters: String, output: FilePath
  ) -> JournalEntry? {
    guard let outputStamp = FileStatus(path: output)?.stamp else { return nil }
    return JournalEntry(
      source: relative(source), stamp: stamp, parameters: parameters, output: relative(output),
      outputStamp: outputStamp)
  }

  /// Appends an entry.
  func record(_ entry: JournalEntry) throws(Errno) {
    guard var line = try? Array(Self.encoder.encode(entry)) else { return }
    line.append(newline)
    do {
      let file = try Self.open(
        folder.appending(Self.fileName), beneath: roots, O_WRONLY | O_APPEND | O_CREAT)
      defer { try? file.close() }
      try state.withLock { (state) throws in
        let bytes = (state.endsTorn ? [newline] : []) + line
        state.endsTorn = true
        guard try bytes.withUnsafeBytes({ try file.write($0) }) == bytes.count else {
          throw Errno.noSpace
        }
        state.endsTorn = false
        state.entries[entry.outputPath] = entry
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// A path relative to the journal's folder.
  func relative(_ path: FilePath) -> FilePath {
    RealPath.relative(RealPath.resolveFolder(of: path), from: RealPath.resolve(folder))
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  private static func entries(_ text: [UInt8]) -> [FilePath: JournalEntry] {
    let decoder = JSONDecoder()
    var entries: [FilePath: JournalEntry] = [:]
    for line in text.split(separator: newline) where line.count <= longestLine {
      guard let entry = try? decoder.decode(JournalEntry.self, from: Data(line)),
        entry.version == JournalEntry.currentVersion
      else { continue }
      entries[entry.outputPath] = entry
    }
    return entries
  }

  /// Opens the file of a journal, which is no link.
  private static func open(
    _ path: FilePath, beneath roots: [FilePath], _ flags: Int32
  ) throws -> FileDescriptor {
    if !roots.isEmpty { return try .file(path, beneath: roots, flags | O_NONBLOCK) }
    return try .open(
      path, FileDescriptor.AccessMode(rawValue: flags & O_ACCMODE),
      options: [
        .init(rawValue: flags & ~O_ACCMODE), .noFollow, .nonBlocking, .closeOnExec,
      ], permissions: FilePermissions(rawValue: 0o666))
  }

  private static func read(_ path: FilePath, beneath roots: [FilePath]) -> [UInt8] {
    guard let file = try? open(path, beneath: roots, O_RDONLY) else { return [] }
    defer { try? file.close() }
    guard (try? FileStatus(descriptor: file))?.kind == .file else { return [] }
    return (try? Spool.bytes(of: file, path: path, isCancelled: { false })) ?? []
  }
}

private let newline = UInt8(ascii: "\n")

/// One line of a ``Journal``.
struct JournalEntry: Codable, Hashable, Sendable {
  static let currentVersion = 1

  let version: Int
  private let source: String
  /// The bytes of `source` if it is not UTF-8.
  private let sourceBytes: Data?
  private let size: Int
  private let modified: Int64
  let parameters: String
  private let output: String
  private let outputBytes: Data?
  private let outputSize: Int
  private let outputModified: Int64

  init(
    source: FilePath, stamp: FileStamp, parameters: String, output: FilePath,
    outputStamp: FileStamp
  ) {
    version = Self.currentVersion
    (self.source, sourceBytes) = Self.text(source)
    size = stamp.size
    modified = stamp.modified
    self.parameters = parameters
    (self.output, outputBytes) = Self.text(output)
    outputSize = outputStamp.size
    outputModified = outputStamp.modified
  }

  /// The source, relative to the journal's folder.
  var sourcePath: FilePath { Self.path(source, sourceBytes) }
  /// The state of the source that was read.
  var sourceStamp: FileStamp { FileStamp(size: size, modified: modified) }
  /// The output, relative to the journal's folder.
  var outputPath: FilePath { Self.path(output, outputBytes) }
  /// The state of the output when it was written.
  var outputStamp: FileStamp { FileStamp(size: outputSize, modified: outputModified) }

  private static func text(_ path: FilePath) -> (String, Data?) {
    let bytes = path.bytes
    return (path.string, String(validating: bytes, as: UTF8.self) == nil ? Data(bytes) : nil)
  }

  private static func path(_ text: String, _ bytes: Data?) -> FilePath {
    bytes.map { FilePath(bytes: $0) } ?? FilePath(text)
  }
}
