internal import AudioIO
public import SystemPackage

/// The destination of outputs.
public enum OutputDestination: Hashable, Sendable {
  /// Files beside their inputs; folders mirrored in a folder beside them.
  case beside
  /// A file, if there is one input and it is a file; a folder otherwise, or if one exists there.
  case path(FilePath)
  /// A folder, created if it is missing.
  case folder(FilePath)
  /// Standard output, for one input.
  case standardOutput
}

/// The destination of outputs for known inputs.
enum OutputTarget {
  case beside
  case folder(FilePath)
  case file(FilePath)
  case standardOutput

  /// Resolves a destination for these inputs.
  ///
  /// - Parameters:
  ///   - outputsEach: The number of outputs of each input.
  ///   - isFileName: Returns true if a path has an output's extension, so it does not mean a folder.
  init(
    _ destination: OutputDestination, for inputs: [NamedInput], outputsEach: Int = 1,
    isFileName: (FilePath) -> Bool = OutputFormat.isNamed(by:)
  ) throws(PlanningError) {
    let canBeSeveral = inputs.count != 1 || inputs[0].isFolder || outputsEach > 1
    switch destination {
    case .beside: self = .beside
    case .standardOutput:
      if canBeSeveral { throw .severalToStandardOutput }
      self = .standardOutput
    case .folder(let path): self = .folder(try Self.checkedFolder(path))
    case .path(let path):
      let isFolder = FileStatus(path: path)?.kind == .folder
      if inputs.count > 1 || outputsEach > 1, !isFolder, isFileName(path) {
        throw .notAFolder(path)
      }
      self = canBeSeveral || isFolder ? .folder(try Self.checkedFolder(path)) : .file(path)
    }
  }

  /// The path itself, unless something other than a folder exists there.
  private static func checkedFolder(_ path: FilePath) throws(PlanningError) -> FilePath {
    if let status = FileStatus(path: path), status.kind != .folder { throw .notAFolder(path) }
    return path
  }

  /// The folder for the output of `input` beside it, as the user wrote it.
  static func folder(beside input: FilePath) throws(PlanningError) -> FilePath {
    let place = RealPath.resolve(input.folder)
    // Nothing can be written beside `/dev/stdin` and the pipes of process substitution.
    if place == "/dev" || place.starts(with: "/proc") { throw .needsOutput(input) }
    return input.removingLastComponent()
  }
}

extension FileWorkError {
  /// Refuses an output that is the source under any name, or that exists and must not be replaced.
  static func check(
    _ output: ConversionOutput, against source: FileIdentity, existing: ExistingOutput
  ) throws(Self) {
    switch output {
    case .standardOutput:
      let target = try? FileStatus(descriptor: .standardOutput)
      if target?.identity == source { throw .inPlace(output.path) }
    case .file(let path):
      if FileIdentity(path: path) == source { throw .inPlace(path) }
      let place = try Self.files(OutputPlace(path))
      if existing != .replace, place != .stream,
        FileStatus(path: path, followingLinks: false) != nil
      {
        throw .file(.outputExists(path))
      }
    }
  }
}

extension ConversionOutput {
  /// Creates the output, which gets its name later; `folders` records the folders created for it. For `roots`, see
  /// ``FilePolicy/outputRoots``.
  func created(
    in folders: CreatedFolders, beneath roots: [FilePath], _ cancellation: Cancellation
  ) throws(AudioFileError) -> OutputFile {
    switch self {
    case .standardOutput: return try OutputFile(standardOutput: .standardOutput)
    case .file(let path):
      if FileStatus(path: path.folder) == nil {
        try folders.make(roots.isEmpty ? path.folder : path.removingLastComponent(), beneath: roots)
      }
      return try OutputFile(
        path: path, beneath: roots, isCancelled: { cancellation.isCancelled })
    }
  }
}
