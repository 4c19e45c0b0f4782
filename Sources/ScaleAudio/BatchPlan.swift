/// The jobs that a request means, settled before anything is read or written.
public struct BatchPlan: Sendable {
  /// The jobs, in the order of the inputs, folders in the order of their walk.
  public let jobs: [ConversionJob]
  /// Folders that could not be read, and links that lead nowhere.
  public let problems: [AudioFileError]
  /// Whether there is nothing to convert: folders held nothing, and every file named is missing.
  public let foundNothing: Bool

  /// Walks the folders and names every output.
  ///
  /// Throws when two inputs would have one output, or an output is an input.
  public init(
    _ request: BatchRequest, cancellation: Cancellation = Cancellation()
  ) throws(BatchPlanError) {
    var planner = try Planner(request)
    for input in request.inputs { try planner.add(input, cancellation) }
    if cancellation.isCancelled { throw .cancelled }
    problems = planner.problems
    foundNothing = planner.drafts.allSatisfy(\.isMissing)
    jobs = try Self.jobs(planner.drafts, existing: request.settings.existing)
  }

  /// Numbers the jobs, dropping repetitions and refusing conflicts.
  private static func jobs(
    _ drafts: [JobDraft], existing: ExistingOutput
  ) throws(BatchPlanError) -> [ConversionJob] {
    var check = ConflictCheck(drafts, existing: existing)
    let jobs = drafts.filter { check.admits($0) }.enumerated().map { (id, draft) in
      ConversionJob(
        id: id, conversion: draft.conversion, inputBytes: draft.inputBytes,
        journalFolder: draft.journalFolder)
    }
    if !check.conflicts.isEmpty { throw .conflicts(check.conflicts) }
    return jobs
  }
}

/// A job that has not been checked against the others yet.
struct JobDraft {
  var conversion: Conversion
  var inputBytes: Int
  /// `nil` for standard input and missing files.
  var identity: FileIdentity?
  var isMissing: Bool
  var journalFolder: FilePath?
}

/// Finds jobs that stand in each other's way.
private struct ConflictCheck {
  private(set) var conflicts: [BatchPlanError.Conflict] = []
  private let inputs: [FileIdentity: FilePath]
  private let existing: ExistingOutput
  private var byOutput: [FilePath: JobDraft] = [:]
  /// Folders as written and what they lead to.
  private var resolvedFolders: [FilePath: FilePath] = [:]

  init(_ drafts: [JobDraft], existing: ExistingOutput) {
    self.existing = existing
    var inputs: [FileIdentity: FilePath] = [:]
    for draft in drafts {
      if let identity = draft.identity { inputs[identity] = draft.conversion.input.path }
    }
    self.inputs = inputs
  }

  /// Whether a job is to be done: not if it was met before, nor if it is in conflict.
  mutating func admits(_ draft: JobDraft) -> Bool {
    guard case .file(let output) = draft.conversion.output else { return true }
    let input = draft.conversion.input.path
    let key = resolved(output)
    if let earlier = byOutput[key] {
      if !isSameInput(earlier, draft) {
        conflicts.append(.sameOutput(earlier.conversion.input.path, input, output: output))
      }
      return false
    }
    byOutput[key] = draft
    if let identity = FileIdentity(path: output), let other = inputs[identity] {
      let isOwn = identity == draft.identity
      // An output that is skipped because it exists does no harm to the input that it is.
      if isOwn || existing != .skip {
        conflicts.append(.outputIsInput(input, output: output, other: isOwn ? input : other))
        return false
      }
    }
    return true
  }

  private func isSameInput(_ one: JobDraft, _ other: JobDraft) -> Bool {
    if let identity = one.identity { return identity == other.identity }
    return one.conversion.input == other.conversion.input
  }

  private mutating func resolved(_ output: FilePath) -> FilePath {
    guard let name = output.lastComponent else { return output }
    let folder = resolvedFolders[output.folder] ?? RealPath.resolve(output.folder)
    resolvedFolders[output.folder] = folder
    return folder.appending(name)
  }
}
