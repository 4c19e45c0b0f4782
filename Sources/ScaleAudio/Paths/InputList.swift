public import AudioIO
import Glibc
public import SystemPackage

/// An input as the user names it.
public enum NamedInput: Hashable, Sendable {
  /// A file, or a folder to be walked.
  case path(FilePath)
  /// Standard input.
  case standardInput

  /// The path for messages; `-` for standard input.
  public var path: FilePath {
    switch self {
    case .path(let path): path
    case .standardInput: "-"
    }
  }

  /// True if it currently names a folder.
  var isFolder: Bool {
    if case .path(let path) = self { FileStatus(path: path)?.kind == .folder } else { false }
  }

  /// True if it names nothing.
  var isMissing: Bool {
    if case .path(let path) = self { FileStatus(path: path) == nil } else { false }
  }

  /// The thing that it names now, looked at once: a second look might find another.
  enum Found {
    case standardInput
    case folder(FilePath)
    /// A file, or nothing that can be looked at, with the reason.
    case file(FilePath, FileStatus?, Errno?)
  }

  var found: Found {
    guard case .path(let path) = self else { return .standardInput }
    let status = FileStatus(path: path)
    let reason = status == nil ? Errno(rawValue: errno) : nil
    return status?.kind == .folder ? .folder(path) : .file(path, status, reason)
  }
}

/// One source among those that the user's inputs name.
public struct FoundInput: Hashable, Sendable {
  /// The source.
  public let input: ConversionInput
  /// The path below the walked folder; the name of a file that was named directly.
  public internal(set) var relativePath: FilePath
  /// Size in bytes; 0 if unknown.
  public let size: Int
  /// True if a named file does not exist.
  public let isMissing: Bool
  /// True for a named pipe, which can be read only once.
  package let isPipe: Bool
  /// `nil` for standard input and missing files.
  let identity: FileIdentity?
}

/// The sources that the user's inputs name: folders are walked, files are taken as they are.
public struct InputList: Hashable, Sendable {
  /// The sources, in the order of the inputs and, within a folder, of its walk.
  public private(set) var inputs: [FoundInput] = []
  /// Folders that could not be read, and broken links.
  public private(set) var problems: [AudioFileError] = []
  /// The files in the folders that are no audio.
  private(set) var others: [FileWalker.FoundFile] = []
  /// True if there is nothing to read: the folders hold no audio, and every named file is missing.
  public var foundNothing: Bool { inputs.allSatisfy(\.isMissing) }

  /// An empty list.
  init() {}

  /// Expands `inputs`.
  ///
  /// - Parameters:
  ///   - inputs: The inputs that the user named, in order.
  ///   - walker: The rules that select files in folders.
  ///   - cancellation: Stops the walk.
  public init(
    _ inputs: [NamedInput], walker: FileWalker, cancellation: Cancellation = Cancellation()
  ) {
    for input in inputs { add(input.found, walker: walker, cancellation: cancellation) }
  }

  /// Adds the sources that one input names, and returns them. The walk never enters `avoided` folders.
  @discardableResult
  mutating func add(
    _ input: NamedInput.Found, walker: FileWalker, avoiding avoided: Set<FileIdentity> = [],
    cancellation: Cancellation
  ) -> ArraySlice<FoundInput> {
    let start = inputs.count
    switch input {
    case .standardInput:
      inputs.append(
        FoundInput(
          input: .standardInput, relativePath: "stdin", size: 0, isMissing: false, isPipe: false,
          identity: nil))
    case .folder(let path):
      let findings = walker.walk(path, avoiding: avoided, cancellation: cancellation)
      problems += findings.problems
      inputs += findings.files.map(FoundInput.init)
      others += findings.others
    case .file(let path, let status, let reason):
      let isMissing = reason == .noSuchFileOrDirectory || reason == .notDirectory
      inputs.append(FoundInput(path, status, isMissing: isMissing))
    }
    return inputs[start...]
  }

  /// Removes files that are earlier in the list under another name.
  mutating func removeRepetitions() {
    var seen: Set<FileIdentity> = []
    inputs = inputs.filter { input in
      input.identity.map { seen.insert($0).inserted } ?? true
    }
  }
}

extension FoundInput {
  fileprivate init(_ path: FilePath, _ status: FileStatus?, isMissing: Bool) {
    self.init(
      input: .file(path),
      relativePath: path.lastComponent.map { FilePath(root: nil, [$0]) } ?? path,
      size: status?.kind == .file ? status?.stamp.size ?? 0 : 0, isMissing: isMissing,
      isPipe: status?.kind == .pipe, identity: status?.identity)
  }

  fileprivate init(_ file: FileWalker.FoundFile) {
    self.init(
      input: .file(file.path), relativePath: file.relativePath, size: file.size, isMissing: false,
      isPipe: false, identity: file.identity)
  }
}
