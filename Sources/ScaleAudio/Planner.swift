#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Turns what a user named into drafts of jobs.
struct Planner {
  private(set) var drafts: [JobDraft] = []
  private(set) var problems: [AudioFileError] = []
  private let request: BatchRequest
  private let target: Target
  /// Folders that outputs go to and that are there already, which no walk enters.
  private let outputFolders: Set<FileIdentity>

  /// Where the outputs go, once it is known what the inputs are.
  private enum Target {
    case beside
    case folder(FilePath)
    case file(FilePath)
    case standardOutput
  }

  init(_ request: BatchRequest) throws(BatchPlanError) {
    self.request = request
    target = try Self.target(request)
    var folders: [FilePath] = []
    switch target {
    case .folder(let folder): folders = [folder]
    case .beside: folders = request.inputs.compactMap { request.naming.mirrorFolder(of: $0.path) }
    case .file, .standardOutput: break
    }
    outputFolders = Set(folders.compactMap { FileIdentity(path: $0) })
  }

  private static func target(_ request: BatchRequest) throws(BatchPlanError) -> Target {
    let takesMany =
      request.inputs.count != 1
      || request.inputs.contains { FileStatus(path: $0.path)?.kind == .folder }
    switch request.naming.destination {
    case .beside: return .beside
    case .standardOutput:
      if takesMany { throw .severalToStandardOutput }
      return .standardOutput
    case .folder(let path):
      return .folder(try checkedFolder(path))
    case .path(let path):
      let isFolder = FileStatus(path: path)?.kind == .folder
      return takesMany || isFolder ? .folder(try checkedFolder(path)) : .file(path)
    }
  }

  /// The path itself, unless something that is no folder is there.
  private static func checkedFolder(_ path: FilePath) throws(BatchPlanError) -> FilePath {
    if let status = FileStatus(path: path), status.kind != .folder { throw .notAFolder(path) }
    return path
  }

  mutating func add(_ input: BatchInput, _ cancellation: Cancellation) throws(BatchPlanError) {
    switch input {
    case .standardInput: try addStandardInput()
    case .path(let path):
      let status = FileStatus(path: path)
      let isMissing = status == nil && (errno == ENOENT || errno == ENOTDIR)
      if status?.kind == .folder {
        try addFolder(path, cancellation)
      } else {
        try addFile(path, status, isMissing: isMissing)
      }
    }
  }

  private mutating func addStandardInput() throws(BatchPlanError) {
    var settings = request.settings
    let output: ConversionOutput
    switch target {
    case .beside, .folder: throw .needsOutput("-")
    case .standardOutput: output = .standardOutput
    case .file(let path):
      output = .file(path)
      if settings.format == nil { settings.format = try writtenFormat(named: path) }
    }
    drafts.append(
      JobDraft(
        conversion: Conversion(input: .standardInput, output: output, settings: settings),
        inputBytes: 0, identity: nil, isMissing: false, journalFolder: nil))
  }

  private mutating func addFile(
    _ path: FilePath, _ status: FileStatus?, isMissing: Bool
  ) throws(BatchPlanError) {
    var settings = request.settings
    var journalFolder: FilePath?
    let output: ConversionOutput
    switch target {
    case .standardOutput: output = .standardOutput
    case .file(let named):
      output = .file(named)
      settings.format = try formatForOutput(named, of: path)
      journalFolder = request.resumes ? named.folder : nil
    case .folder(let folder):
      settings.format = try formatForPipe(path, status)
      let name = request.naming.outputName(
        for: path, fileExtension: fileExtension(for: path, settings.format))
      output = .file(folder.appending(name.components))
      journalFolder = folder
    case .beside:
      let place = RealPath.resolve(path.folder)
      // `/dev/stdin` and the pipes of process substitution are beside nothing of the user's.
      if place == "/dev" || place.starts(with: "/proc") { throw .needsOutput(path) }
      settings.format = try formatForPipe(path, status)
      let name = request.naming.outputName(
        for: path, fileExtension: fileExtension(for: path, settings.format))
      output = .file(path.removingLastComponent().appending(name.components))
      journalFolder = request.resumes ? path.folder : nil
    }
    drafts.append(
      JobDraft(
        conversion: Conversion(input: .file(path), output: output, settings: settings),
        inputBytes: status?.kind == .file ? status?.stamp.size ?? 0 : 0,
        identity: status?.identity, isMissing: isMissing, journalFolder: journalFolder))
  }

  private mutating func addFolder(
    _ folder: FilePath, _ cancellation: Cancellation
  ) throws(BatchPlanError) {
    let mirror: FilePath
    switch target {
    case .folder(let folder): mirror = folder
    case .beside:
      guard let beside = request.naming.mirrorFolder(of: folder) else {
        throw .needsOutput(folder)
      }
      mirror = beside
    case .file(let path): throw .notAFolder(path)
    case .standardOutput: throw .severalToStandardOutput
    }
    let findings = request.walker.walk(
      folder, avoiding: outputFolders, cancellation: cancellation)
    problems += findings.problems
    for file in findings.files {
      let path = request.naming.mirroredPath(
        of: file.relativePath, fileExtension: fileExtension(for: file.path, request.settings.format)
      )
      drafts.append(
        JobDraft(
          conversion: Conversion(
            input: .file(file.path), output: .file(mirror.appending(path.components)),
            settings: request.settings),
          inputBytes: file.size, identity: file.identity, isMissing: false, journalFolder: mirror))
    }
  }

  /// The extension of an input's output; `nil` when it keeps its own.
  private func fileExtension(for input: FilePath, _ asked: AudioFormat?) -> String? {
    guard let written = asked ?? SniffedFormat.of(input)?.writtenForm else {
      return nil
    }
    if let own = input.extension?.lowercased(), written.extensions.contains(own) { return nil }
    return written.extensions.first
  }

  /// The format of an output file that the user named; `nil` for the input's own.
  private func formatForOutput(
    _ output: FilePath, of input: FilePath
  ) throws(BatchPlanError) -> AudioFormat? {
    if let asked = request.settings.format { return asked }
    let named = try writtenFormat(named: output)
    // Some extensions stand for several formats; the input's own comes first among them.
    let own = SniffedFormat.of(input)?.writtenForm
    if let own, let name = output.extension?.lowercased(), own.extensions.contains(name) {
      return nil
    }
    return named
  }

  /// The format written for a pipe, whose content cannot be looked at beforehand.
  private func formatForPipe(
    _ path: FilePath, _ status: FileStatus?
  ) throws(BatchPlanError) -> AudioFormat? {
    if let asked = request.settings.format { return asked }
    guard status?.kind == .pipe else { return nil }
    guard let named = path.extension.flatMap(AudioFormat.forExtension),
      let written = named.writtenForm
    else { throw .needsFormat(path) }
    return written
  }

  /// The format that an output's extension stands for.
  private func writtenFormat(named output: FilePath) throws(BatchPlanError) -> AudioFormat {
    guard let format = output.extension.flatMap(AudioFormat.forExtension), format.isWritable else {
      throw .unknownExtension(output)
    }
    return format
  }
}
