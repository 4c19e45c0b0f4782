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
  /// The files that are no audio, with their copies in the folders that mirror theirs.
  private(set) var others: [OtherFile] = []
  /// The paths of inputs below the base of the request; `nil` without a base.
  private var base: MirroredBase?
  /// Existing output folders, which walks skip.
  private let outputFolders: Set<FileIdentity>

  private struct Variant {
    let naming: OutputNaming
    /// A conversion with the settings; all jobs share them until one changes them.
    let work: Conversion
  }

  /// A source, and the named folder in which it was found.
  private struct Entry {
    let source: FoundInput
    let folder: FilePath?
  }

  init(_ request: BatchRequest) throws(PlanningError) {
    let variants = ([request.settings] + request.otherSettings).map {
      Variant(
        naming: request.naming($0),
        work: Conversion(
          input: .standardInput, output: .standardOutput, settings: $0, files: request.files))
    }
    for variant in variants {
      let settings = variant.work.settings
      let missing = request.template?.placeholders.first { settings.text(of: $0) == nil }
      if let missing { throw .placeholderWithoutValue(missing) }
    }
    self.request = request
    self.variants = variants
    base = request.base.map { MirroredBase($0) }
    do throws(PlanningError) {
      target = try OutputTarget(
        request.destination, for: request.inputs, outputsEach: variants.count)
    } catch {
      // Inputs that are missing are reported first.
      guard !request.inputs.isEmpty, request.inputs.allSatisfy(\.isMissing) else { throw error }
      target = .beside
    }
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
    let named = input.found
    let isFolder = if case .folder = named { true } else { false }
    var place: FilePath?
    if case .path(let path) = input { place = try base?.place(of: path, isFolder: isFolder) }
    let folder = place != nil ? request.base : isFolder ? input.path : nil
    // An input that cannot have an output is refused before its folder is walked.
    if let folder, isFolder { _ = try mirrorFolder(of: folder, variants[0]) }
    let known = list.others.count
    let found = list.add(
      named, walker: request.walker, avoiding: outputFolders, cancellation: cancellation)
    if let folder {
      var mirrors: [FilePath] = []
      for variant in variants {
        let mirror = try mirrorFolder(of: folder, variant)
        if !mirrors.contains(mirror) { mirrors.append(mirror) }
      }
      for other in list.others[known...] {
        let relative = place?.appending(other.relativePath.components) ?? other.relativePath
        others.append(
          OtherFile(
            source: other.path, size: other.size,
            copies: mirrors.map { $0.appending(relative.components) }))
      }
    }
    for var source in found {
      if let place { source.relativePath = place.appending(source.relativePath.components) }
      entries.append(Entry(source: source, folder: folder))
    }
  }

  /// The jobs without repetitions; conflicting jobs are refused. Throws if all are.
  func jobs() throws(PlanningError) -> [ConversionJob] {
    var check = ConflictCheck(request)
    let outputs = request.skipsOutputs ? earlierOutputs : []
    for entry in entries.indices {
      for variant in variants.indices {
        var draft = try draft(entry + 1, variant)
        draft.job.isOfOutput = outputs.contains(entry)
        check.add(draft)
      }
    }
    return try check.jobs { (origin, change) in
      try? name(origin.number, variants[origin.variant], change).output
    }
  }

  /// The entries that are outputs of this program, made of other entries: their names begin with that of one in the same
  /// folder, and their tags name the program.
  private var earlierOutputs: Set<Int> {
    func place(_ path: FilePath, _ stem: some Sequence<UInt8>) -> FilePath {
      path.removingLastComponent().appending(FilePath(bytes: Array(stem)).components)
    }
    let stems = Set(
      entries.map { place($0.source.input.path, FileName($0.source.input.path).stem) })
    return Set(
      entries.indices.filter { index in
        guard case .file(let path) = entries[index].source.input, !entries[index].source.isPipe
        else { return false }
        let stem = FileName(path).stem
        let hasSource = stem.indices.contains {
          $0 > 0 && stem[$0] == UInt8(ascii: "-") && stems.contains(place(path, stem[..<$0]))
        }
        return hasSource && Provenance(of: path, request.files) != nil
      })
  }

  // MARK: - Drafts

  private func draft(_ number: Int, _ index: Int) throws(PlanningError) -> JobDraft {
    let (entry, variant) = (entries[number - 1], variants[index])
    let source = entry.source
    var work = variant.work
    work.input = source.input
    var origin: JobDraft.Origin?
    var journalFolder: FilePath?
    if entry.folder != nil || isNamedByInput {
      if case .standardInput = source.input {
        throw variants.count > 1 ? .readOnce("-") : .needsOutput("-")
      }
      let name = try name(number, variant)
      work.output = .file(name.output)
      work.settings.format = try format(entry, work.settings.format)
      journalFolder = name.journalFolder
      origin = JobDraft.Origin(number: number, variant: index)
    } else {
      work.output = try fixedOutput(of: source, &work.settings)
      journalFolder = folder(ofNamed: work.output)
    }
    var job = ConversionJob(
      id: 0, work: work, inputBytes: source.size, isMissing: source.isMissing,
      journalFolder: request.resumes ? journalFolder : nil)
    if origin == nil, case .file(let path) = work.output {
      job.isOutputNamed = OutputFormat.isNamed(by: path)
    }
    return JobDraft(job: job, source: source.identity, origin: origin)
  }

  /// The output of a source that is named after it, and the folder of the journal that records it.
  private func name(
    _ number: Int, _ variant: Variant, _ change: (inout OutputNaming) -> Void = { _ in }
  ) throws(PlanningError) -> (output: FilePath, journalFolder: FilePath) {
    let entry = entries[number - 1]
    let path = entry.source.input.path
    var settings = variant.work.settings
    settings.format = try format(entry, settings.format)
    var output = NamedOutput(
      source: path, relativePath: entry.source.relativePath, isMirrored: entry.folder != nil,
      index: number, count: entries.count, settings: settings,
      fileExtension: OutputFormat.fileExtension(
        for: path, settings.format, raw: request.files.raw))
    if request.template?.needsFacts(settings) == true, !entry.source.isPipe {
      output.facts = NamedFacts(of: path, settings, request.files)
    }
    let folder: FilePath
    let journalFolder: FilePath
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
    var naming = variant.naming
    change(&naming)
    return (folder.appending(output.path(naming).components), journalFolder)
  }

  /// The format of an output that is named after its source.
  private func format(
    _ entry: Entry, _ asked: AudioFormat?
  ) throws(PlanningError) -> AudioFormat? {
    entry.folder == nil ? try formatForPipe(entry.source, asked) : asked
  }

  /// True if outputs are named after their inputs.
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
    // A missing input is reported, not the name of its output. One that appears until it is read has the named format.
    if source.isMissing {
      settings.format = settings.format ?? (try? OutputFormat.named(by: named))
      return .file(named)
    }
    if let format = settings.format {
      try OutputFormat.check(named, holds: format)
    } else if !OutputPlace.isTaken(named) || OutputFormat.isNamed(by: named) {
      switch source.input {
      case .file(let path):
        settings.format = try OutputFormat.named(
          by: named, for: path, raw: request.files.raw)
      case .standardInput:
        settings.format = try OutputFormat.named(by: named)
        // The encoding declared for the input also applies to the output.
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
