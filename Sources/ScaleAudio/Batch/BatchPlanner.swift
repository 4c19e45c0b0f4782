internal import AudioFiles
internal import AudioIO
internal import SystemPackage

/// Turns the inputs of a request into jobs.
struct BatchPlanner {
  private let request: BatchRequest
  /// The settings of each output of an input.
  private let variants: [Variant]
  private let target: OutputTarget
  private var list = InputList()
  private var entries: [Entry] = []
  /// Where inputs stand below the base of the request; `nil` without a base.
  private var base: MirroredBase?
  /// Existing output folders, which no walk enters.
  private let outputFolders: Set<FileIdentity>

  private struct Variant {
    let settings: ConversionSettings
    let naming: OutputNaming
  }

  /// A source, and the named folder in which it was found.
  private struct Entry {
    let source: FoundInput
    let folder: FilePath?
  }

  init(_ request: BatchRequest) throws(PlanningError) {
    let variants = ([request.settings] + request.otherSettings).map {
      Variant(settings: $0, naming: request.naming($0))
    }
    for variant in variants {
      let missing = request.template?.placeholders.first { variant.settings.text(of: $0) == nil }
      if let missing { throw .placeholderWithoutValue(missing) }
    }
    self.request = request
    self.variants = variants
    base = request.base.map { MirroredBase($0) }
    target = try OutputTarget(
      request.destination, for: request.inputs, outputsEach: variants.count)
    var folders: [FilePath] = []
    switch target {
    case .folder(let folder): folders = [folder]
    case .beside:
      let mirrored = request.base.map { [$0] } ?? request.inputs.map(\.path)
      folders = variants.flatMap { (variant) in
        mirrored.compactMap { variant.naming.mirrorFolder(of: $0) }
      }
    case .file, .standardOutput: break
    }
    outputFolders = Set(folders.compactMap { FileIdentity(path: $0) })
  }

  /// Folders that could not be read, and broken links.
  var problems: [AudioFileError] { list.problems }

  /// Adds the sources that one input names.
  mutating func add(_ input: NamedInput, _ cancellation: Cancellation) throws(PlanningError) {
    let isFolder = input.isFolder
    var place: FilePath?
    if case .path(let path) = input { place = try base?.place(of: path, isFolder: isFolder) }
    let folder = place != nil ? request.base : isFolder ? input.path : nil
    // An input that cannot have an output is refused before its folder is walked.
    if let folder, isFolder { _ = try mirrorFolder(of: folder, variants[0]) }
    let found = list.add(
      input, walker: request.walker, avoiding: outputFolders, cancellation: cancellation)
    for var source in found {
      if let place { source.relativePath = place.appending(source.relativePath.components) }
      entries.append(Entry(source: source, folder: folder))
    }
  }

  /// The jobs without repetitions; those in conflict are refused. Throws if all are.
  func jobs() throws(PlanningError) -> [ConversionJob] {
    var drafts: [JobDraft] = []
    for (index, entry) in entries.enumerated() {
      for variant in variants { drafts.append(try draft(entry, number: index + 1, variant)) }
    }
    return try ConflictCheck(drafts, request).jobs()
  }

  // MARK: - Drafts

  private func draft(
    _ entry: Entry, number: Int, _ variant: Variant
  ) throws(PlanningError) -> JobDraft {
    let source = entry.source
    let path = source.input.path
    var settings = variant.settings
    guard entry.folder != nil || isNamedByInput else {
      let output = try fixedOutput(of: source, &settings)
      return draft(source, output, settings, journalFolder: folder(ofNamed: output), name: nil)
    }
    if case .standardInput = source.input {
      throw variants.count > 1 ? .readOnce("-") : .needsOutput("-")
    }
    if entry.folder == nil { settings.format = try formatForPipe(source, settings.format) }
    let name = NamedOutput(
      source: path, relativePath: source.relativePath, isMirrored: entry.folder != nil,
      index: number, count: entries.count, settings: settings,
      fileExtension: OutputFormat.fileExtension(
        for: path, settings.format, raw: request.files.raw))
    var folder = FilePath()
    var journalFolder: FilePath?
    if let walked = entry.folder {
      folder = try mirrorFolder(of: walked, variant)
      journalFolder = folder
    } else if case .folder(let given) = target {
      folder = given
      journalFolder = given
    } else {
      folder = try OutputTarget.folder(beside: path)
      journalFolder = path.folder
    }
    let output = folder.appending(name.path(variant.naming).components)
    return draft(
      source, .file(output), settings, journalFolder: journalFolder,
      name: JobDraft.Name(output: name, naming: variant.naming, folder: folder))
  }

  /// Whether outputs are named after their inputs.
  private var isNamedByInput: Bool {
    switch target {
    case .beside, .folder: true
    case .file, .standardOutput: false
    }
  }

  /// The output that the user named, and in `settings`, its format.
  private func fixedOutput(
    of source: FoundInput, _ settings: inout ConversionSettings
  ) throws(PlanningError) -> ConversionOutput {
    guard case .file(let named) = target else { return .standardOutput }
    if let format = settings.format {
      try OutputFormat.check(named, holds: format)
    } else if !OutputPlace.isTaken(named) || OutputFormat.isNamed(by: named) {
      switch source.input {
      case .file(let path):
        settings.format = try OutputFormat.named(
          by: named, for: path, raw: request.files.raw)
      case .standardInput:
        settings.format = try OutputFormat.named(by: named)
        // The encoding declared for the input is that of the output too.
        if let raw = request.files.raw, settings.format?.container == .raw {
          settings.format = .raw(raw.encoding)
        }
      }
    }
    return .file(named)
  }

  /// The folder of an output that the user named; `nil` for a stream or a device.
  private func folder(ofNamed output: ConversionOutput) -> FilePath? {
    guard case .file(let path) = output, !OutputPlace.isTaken(path) else { return nil }
    return path.folder
  }

  private func draft(
    _ source: FoundInput, _ output: ConversionOutput, _ settings: ConversionSettings,
    journalFolder: FilePath?, name: JobDraft.Name?
  ) -> JobDraft {
    let conversion = Conversion(
      input: source.input, output: output, settings: settings, files: request.files)
    let job = ConversionJob(
      id: 0, work: conversion, inputBytes: source.size, isMissing: source.isMissing,
      journalFolder: request.resumes ? journalFolder : nil)
    return JobDraft(job: job, source: source.identity, name: name)
  }

  /// The folder for the outputs of a folder.
  private func mirrorFolder(
    of folder: FilePath, _ variant: Variant
  ) throws(PlanningError) -> FilePath {
    switch target {
    case .folder(let given):
      return request.tree(of: variant.naming, below: given)
    case .beside:
      guard let beside = variant.naming.mirrorFolder(of: folder) else {
        throw .needsOutput(folder)
      }
      return beside
    case .file(let path): throw .notAFolder(path)
    case .standardOutput: throw .severalToStandardOutput
    }
  }

  /// The format written for a pipe, whose content cannot be examined beforehand.
  private func formatForPipe(
    _ source: FoundInput, _ asked: AudioFormat?
  ) throws(PlanningError) -> AudioFormat? {
    guard source.isPipe else { return asked }
    let path = source.input.path
    if variants.count > 1 { throw .readOnce(path) }
    if let asked { return asked }
    if request.files.raw != nil { return nil }
    guard let named = path.extension.flatMap(AudioFormat.forExtension),
      let written = named.writtenForm
    else { throw .needsFormat(path) }
    return written
  }
}
