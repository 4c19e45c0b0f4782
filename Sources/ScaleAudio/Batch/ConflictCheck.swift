internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// A job that has not been checked against others yet.
struct JobDraft {
  var job: ConversionJob
  /// `nil` for standard input and missing files.
  let source: FileIdentity?
  /// How the output got its name; `nil` if the user named it.
  let origin: Origin?

  /// The origin of an output's name: the number of its source, from 1, and the index of its settings, from 0.
  struct Origin {
    let number: Int
    let variant: Int
  }
}

/// Finds conflicting jobs: jobs that share an output, or whose output is an input.
struct ConflictCheck {
  /// The path of an output if its naming is changed; `nil` if it has none.
  typealias Renaming = (JobDraft.Origin, _ change: (inout OutputNaming) -> Void) -> FilePath?

  private var drafts: [JobDraft] = []
  private let request: BatchRequest
  private var resolver = FolderResolver()
  private var inputs: [FileIdentity: FilePath] = [:]
  /// The drafts of each output.
  private var groups: [FilePath: [Int]] = [:]
  /// The drafts with the same output, for each draft that shares one.
  private var clashing: [Int: [Int]] = [:]

  init(_ request: BatchRequest) {
    self.request = request
  }

  /// Adds a draft, unless it repeats an earlier one.
  mutating func add(_ draft: JobDraft) {
    if let identity = draft.source, !draft.job.isOfOutput {
      inputs[identity] = draft.job.work.input.path
    }
    if case .file(let output) = draft.job.work.output {
      let path = resolver.resolve(output)
      let group = groups[path, default: []]
      if group.contains(where: { isRepeated(drafts[$0], draft) }) { return }
      groups[path] = group + [drafts.count]
    }
    drafts.append(draft)
  }

  /// The jobs, with conflicting ones refused; throws if all are. `renamed` tries other names for the remedy.
  mutating func jobs(_ renamed: Renaming) throws(PlanningError) -> [ConversionJob] {
    for group in groups.values where group.count > 1 {
      for index in group { clashing[index] = group }
    }
    groups = [:]
    var jobs = drafts.map(\.job)
    var conflicts: [PlanningError.Conflict] = []
    var remedy: Remedy?
    for (index, draft) in drafts.enumerated() {
      jobs[index].id = index
      if let (other, output) = clash(index) {
        let way = remedy ?? self.remedy(renamed)
        remedy = way
        let path = draft.job.work.input.path
        if other.index < index {
          conflicts.append(.sameOutput(other.path, path, output: output))
        }
        jobs[index].refusal = .sameOutput(path, other: other.path, output: output, remedy: way)
      } else if let (other, output) = replacedInput(draft) {
        let path = draft.job.work.input.path
        conflicts.append(.outputIsInput(path, output: output, other: other))
        jobs[index].refusal = .outputIsInput(path, output: output, other: other)
      }
    }
    if !jobs.isEmpty, jobs.allSatisfy({ $0.refusal != nil }) {
      throw .conflicts(conflicts, remedy: remedy ?? .chooseOutput)
    }
    return jobs
  }

  /// Another draft with the same output; the first one if there are several.
  private func clash(_ index: Int) -> (other: (index: Int, path: FilePath), output: FilePath)? {
    guard case .file(let output) = drafts[index].job.work.output, let group = clashing[index],
      let other = group.first(where: { $0 != index })
    else { return nil }
    return ((other, drafts[other].job.work.input.path), output)
  }

  /// The input that an output would replace; `nil` if the output would be skipped because it exists.
  private func replacedInput(_ draft: JobDraft) -> (other: FilePath, output: FilePath)? {
    guard case .file(let output) = draft.job.work.output,
      let identity = FileIdentity(path: output), let other = inputs[identity]
    else { return nil }
    let isOwn = identity == draft.source
    guard isOwn || request.files.existing != .skip else { return nil }
    return (isOwn ? draft.job.work.input.path : other, output)
  }

  private func isRepeated(_ one: JobDraft, _ other: JobDraft) -> Bool {
    guard one.job.work.settings == other.job.work.settings else { return false }
    if let identity = one.source { return identity == other.source }
    return one.job.work.input == other.job.work.input
  }

  // MARK: - Remedies

  /// The change of naming that gives every draft a path of its own.
  private func remedy(_ renamed: Renaming) -> Remedy {
    if let folder = commonFolder { return .keepFolders(below: folder) }
    let suffix = request.suffix ?? ""
    var ways: [(Remedy, (inout OutputNaming) -> Void)] = []
    if request.template == nil, !request.keepsExtensions {
      ways.append((.keepExtensions, { $0.keepsExtension = true }))
    }
    let stems = [
      "{parent}-{stem}", "{stem}-x{factor}", "{stem}-pitch{pitch}", "{stem}-x{factor}-pitch{pitch}",
      "{stem}-{index}",
    ]
    for stem in stems {
      let text = stem + suffix + ".{ext}"
      guard let template = try? NameTemplate(text) else { continue }
      let isKnown = drafts.allSatisfy { (draft) in
        template.placeholders.allSatisfy { draft.job.work.settings.text(of: $0) != nil }
      }
      if isKnown { ways.append((.nameOutputs(template: text), { $0.template = template })) }
    }
    for (remedy, change) in ways where separates({ renamed($0, change) }) { return remedy }
    return .separateOutputs
  }

  /// The folder that holds all inputs, if all of them would have different outputs in folders of their own below it; `nil`
  /// where that does not help.
  private var commonFolder: String? {
    guard request.base == nil, request.template == nil, drafts.allSatisfy({ $0.origin != nil })
    else { return nil }
    switch request.destination {
    case .beside, .standardOutput: return nil
    case .path, .folder: break
    }
    let folders = drafts.map { $0.job.work.input.path.removingLastComponent() }
    var paths: Set<FilePath> = []
    var resolved: [FilePath: FilePath] = [:]
    for (draft, folder) in zip(drafts, folders) {
      let real = resolved[folder] ?? RealPath.resolve(folder.isEmpty ? "." : folder)
      resolved[folder] = real
      let path = request.tree(of: request.naming(draft.job.work.settings), below: real)
        .appending(mirroredName(draft).components)
      if !paths.insert(path).inserted { return nil }
    }
    guard var common = folders.first else { return nil }
    for folder in folders {
      guard folder.isAbsolute == common.isAbsolute else { return nil }
      let shared = zip(common.components, folder.components).prefix { $0 == $1 }.map(\.0)
      common = FilePath(root: common.root, shared)
    }
    // The way to it from the current folder would be unknown.
    if common.components.contains(where: { $0.kind == .parentDirectory }) { return nil }
    return common.isEmpty ? "." : common.printable
  }

  /// The name of an output in the folder of its source.
  private func mirroredName(_ draft: JobDraft) -> FilePath {
    guard case .file(let output) = draft.job.work.output,
      let name = draft.job.work.input.path.lastComponent
    else { return FilePath() }
    var naming = OutputNaming(suffix: "")
    naming.keepsExtension = request.keepsExtensions
    return naming.mirroredPath(
      of: FilePath(root: nil, [name]), fileExtension: output.extension)
  }

  /// True if all outputs that are named after their sources differ with changed names.
  private func separates(_ path: (JobDraft.Origin) -> FilePath?) -> Bool {
    var paths: Set<FilePath> = []
    var resolver = FolderResolver()
    for draft in drafts {
      guard let path = draft.origin.flatMap(path) else { continue }
      if !paths.insert(resolver.resolve(path)).inserted { return false }
    }
    return true
  }
}

/// The folders of outputs, with links followed.
private struct FolderResolver {
  /// Folders as written and the folders that they resolve to.
  private var folders: [FilePath: FilePath] = [:]

  mutating func resolve(_ output: FilePath) -> FilePath {
    guard let name = output.lastComponent else { return output }
    let folder = folders[output.folder] ?? RealPath.resolve(output.folder)
    folders[output.folder] = folder
    let path = folder.appending(name)
    let isLink = FileStatus(path: path, followingLinks: false)?.kind == .link
    return isLink ? RealPath.resolve(path) : path
  }
}
