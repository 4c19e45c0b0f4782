internal import AudioFiles
internal import AudioIO
internal import SystemPackage

/// Turns the inputs of a request into jobs.
struct BatchPlanner {
  private let request: BatchRequest
  private let naming: OutputNaming
  private let target: OutputTarget
  private var list = InputList()
  /// Jobs that have not been checked against each other yet, and their sources.
  private var drafts: [Draft] = []
  /// Existing output folders, which no walk enters.
  private let outputFolders: Set<FileIdentity>

  fileprivate typealias Draft = (job: ConversionJob, source: FileIdentity?)

  init(_ request: BatchRequest) throws(PlanningError) {
    let naming = request.naming
    self.request = request
    self.naming = naming
    target = try OutputTarget(request.destination, for: request.inputs)
    var folders: [FilePath] = []
    switch target {
    case .folder(let folder): folders = [folder]
    case .beside: folders = request.inputs.compactMap { naming.mirrorFolder(of: $0.path) }
    case .file, .standardOutput: break
    }
    outputFolders = Set(folders.compactMap { FileIdentity(path: $0) })
  }

  /// Folders that could not be read, and broken links.
  var problems: [AudioFileError] { list.problems }

  /// The jobs without repetitions; throws if some are in conflict.
  func jobs() throws(PlanningError) -> [ConversionJob] {
    var check = ConflictCheck(drafts, existing: request.files.existing)
    var jobs: [ConversionJob] = []
    for draft in drafts where check.admits(draft) {
      var job = draft.job
      job.id = jobs.count
      jobs.append(job)
    }
    if !check.conflicts.isEmpty { throw .conflicts(check.conflicts) }
    return jobs
  }

  /// Adds the jobs for one input.
  mutating func add(_ input: NamedInput, _ cancellation: Cancellation) throws(PlanningError) {
    // An input that cannot have an output is refused before its folder is walked.
    let mirror = input.isFolder ? try mirrorFolder(of: input.path) : nil
    let found = list.add(
      input, walker: request.walker, avoiding: outputFolders, cancellation: cancellation)
    for source in found {
      if let mirror {
        addMirrored(source, in: mirror)
      } else if case .file(let path) = source.input {
        try addFile(source, path)
      } else {
        try addStandardInput(source)
      }
    }
  }

  private mutating func add(
    _ source: FoundInput, output: ConversionOutput, settings: ConversionSettings,
    journalFolder: FilePath?
  ) {
    let conversion = Conversion(
      input: source.input, output: output, settings: settings, files: request.files)
    let job = ConversionJob(
      id: drafts.count, work: conversion, inputBytes: source.size, isMissing: source.isMissing,
      journalFolder: journalFolder)
    drafts.append((job, source.identity))
  }

  private mutating func addStandardInput(_ source: FoundInput) throws(PlanningError) {
    var settings = request.settings
    let output: ConversionOutput
    switch target {
    case .beside, .folder: throw .needsOutput("-")
    case .standardOutput: output = .standardOutput
    case .file(let path):
      output = .file(path)
      if settings.format == nil { settings.format = try OutputFormat.named(by: path) }
    }
    add(source, output: output, settings: settings, journalFolder: nil)
  }

  private mutating func addFile(
    _ source: FoundInput, _ path: FilePath
  ) throws(PlanningError) {
    var settings = request.settings
    var journalFolder: FilePath?
    let output: ConversionOutput
    switch target {
    case .standardOutput: output = .standardOutput
    case .file(let named):
      output = .file(named)
      if settings.format == nil { settings.format = try OutputFormat.named(by: named, for: path) }
      journalFolder = request.resumes ? named.folder : nil
    case .folder(let folder):
      settings.format = try formatForPipe(source, path)
      output = .file(folder.appending(outputName(for: path, settings.format)))
      journalFolder = folder
    case .beside:
      let folder = try OutputTarget.folder(beside: path)
      settings.format = try formatForPipe(source, path)
      output = .file(folder.appending(outputName(for: path, settings.format)))
      journalFolder = request.resumes ? path.folder : nil
    }
    add(source, output: output, settings: settings, journalFolder: journalFolder)
  }

  /// The folder for the outputs of a folder.
  private func mirrorFolder(of folder: FilePath) throws(PlanningError) -> FilePath {
    switch target {
    case .folder(let folder): return folder
    case .beside:
      guard let beside = naming.mirrorFolder(of: folder) else { throw .needsOutput(folder) }
      return beside
    case .file(let path): throw .notAFolder(path)
    case .standardOutput: throw .severalToStandardOutput
    }
  }

  private mutating func addMirrored(_ source: FoundInput, in mirror: FilePath) {
    let path = naming.mirroredPath(
      of: source.relativePath,
      fileExtension: OutputFormat.fileExtension(
        for: source.input.path, request.settings.format))
    add(
      source, output: .file(mirror.appending(path.components)), settings: request.settings,
      journalFolder: mirror)
  }

  // MARK: - Formats

  private func outputName(
    for input: FilePath, _ format: AudioFormat?
  ) -> FilePath.ComponentView {
    naming.outputName(
      for: input, fileExtension: OutputFormat.fileExtension(for: input, format)
    ).components
  }

  /// The format written for a pipe, whose content cannot be examined beforehand.
  private func formatForPipe(
    _ source: FoundInput, _ path: FilePath
  ) throws(PlanningError) -> AudioFormat? {
    if let asked = request.settings.format { return asked }
    guard source.isPipe else { return nil }
    guard let named = path.extension.flatMap(AudioFormat.forExtension),
      let written = named.writtenForm
    else { throw .needsFormat(path) }
    return written
  }
}

/// Finds jobs that are in conflict.
private struct ConflictCheck {
  private(set) var conflicts: [PlanningError.Conflict] = []
  private let inputs: [FileIdentity: FilePath]
  private let existing: ExistingOutput
  private var byOutput: [FilePath: BatchPlanner.Draft] = [:]
  /// Folders as written and the folders that they resolve to.
  private var resolvedFolders: [FilePath: FilePath] = [:]

  init(_ drafts: [BatchPlanner.Draft], existing: ExistingOutput) {
    self.existing = existing
    var inputs: [FileIdentity: FilePath] = [:]
    for draft in drafts {
      if let identity = draft.source { inputs[identity] = draft.job.work.input.path }
    }
    self.inputs = inputs
  }

  /// Whether a job is to be done: not if it is repeated, nor if it is in conflict.
  mutating func admits(_ draft: BatchPlanner.Draft) -> Bool {
    guard case .file(let output) = draft.job.work.output else { return true }
    let input = draft.job.work.input.path
    let key = resolved(output)
    if let earlier = byOutput[key] {
      if !isSameInput(earlier, draft) {
        conflicts.append(.sameOutput(earlier.job.work.input.path, input, output: output))
      }
      return false
    }
    byOutput[key] = draft
    if let identity = FileIdentity(path: output), let other = inputs[identity] {
      let isOwn = identity == draft.source
      // An output that is skipped because it exists cannot harm the input that it is.
      if isOwn || existing != .skip {
        conflicts.append(.outputIsInput(input, output: output, other: isOwn ? input : other))
        return false
      }
    }
    return true
  }

  private func isSameInput(_ one: BatchPlanner.Draft, _ other: BatchPlanner.Draft) -> Bool {
    if let identity = one.source { return identity == other.source }
    return one.job.work.input == other.job.work.input
  }

  private mutating func resolved(_ output: FilePath) -> FilePath {
    guard let name = output.lastComponent else { return output }
    let folder = resolvedFolders[output.folder] ?? RealPath.resolve(output.folder)
    resolvedFolders[output.folder] = folder
    return folder.appending(name)
  }
}
