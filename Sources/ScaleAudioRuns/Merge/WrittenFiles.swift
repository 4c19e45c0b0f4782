internal import AudioIO
internal import FoundationEssentials
public import ScaleAudio
internal import SystemPackage

/// The files that merges of a run have written, by which a later merge knows that it may replace them.
public struct WrittenFiles {
  /// The size and the modification time of a file as it was written.
  private struct State: Codable, Hashable {
    let size: Int
    let modified: Int64

    /// The state of a regular file; `nil` if there is none.
    init?(_ path: FilePath) {
      guard let status = FileStatus(path: path), status.kind == .file else { return nil }
      (size, modified) = (status.stamp.size, status.stamp.modified)
    }
  }

  private let list: FilePath
  /// The states by real paths as text.
  private var states: [String: State]

  /// The files of the run in `folder`.
  public init(_ folder: RunFolder) {
    list = folder.path.appending("written.json")
    let bytes = (try? LineReader(list, separator: 0))
      .flatMap { (reader) -> [UInt8]? in try? reader.next() }
    states =
      bytes.flatMap { try? JSONDecoder().decode([String: State].self, from: Data($0)) } ?? [:]
  }

  /// True if there is another file than the one that a merge has written.
  public func isForeign(_ path: FilePath) -> Bool {
    guard let state = State(path) else { return false }
    return states[Self.key(path)] != state
  }

  /// Notes a file that has just been written. If it cannot be noted, a later merge refuses to replace it.
  public mutating func note(_ path: FilePath) {
    states[Self.key(path)] = State(path)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(states), let file = try? OutputFile(path: list),
      (try? file.descriptor.writeAll(Array(data))) != nil
    else { return }
    try? file.commit(replacing: true)
  }

  private static func key(_ path: FilePath) -> String {
    let folder = RealPath.resolve(path.folder)
    return (path.lastComponent.map { folder.appending($0) } ?? folder).string
  }
}
