public import AudioIO
public import SystemPackage

/// Work on one file that a batch can do: a conversion or a picture.
public protocol FileWork: Hashable, Sendable {
  /// The result of the work.
  associatedtype Report: Hashable & Sendable
  /// Why the work failed.
  associatedtype Failure: FileWorkError

  /// The source.
  var input: ConversionInput { get }
  /// The destination.
  var output: ConversionOutput { get }
  /// The treatment of an output that exists already.
  var existing: ExistingOutput { get set }
}

/// One piece of work in a batch.
public struct Job<Work: FileWork>: Hashable, Sendable, Identifiable {
  /// The job's position in the batch, from 0.
  public var id: Int
  /// The work.
  public var work: Work
  /// The size of the input in bytes, for weighing progress; 0 if unknown.
  public var inputBytes: Int
  /// True if the input does not exist, so that the job can only fail.
  public var isMissing: Bool
  /// The folder whose journal, `.scaleaudio.jsonl`, records the finished job; `nil` for none.
  public var journalFolder: FilePath?
  /// Why the plan refuses the job, so that it fails without being started; `nil` if it is not refused.
  public var refusal: Work.Failure?

  /// True if a record shows that the job was done, so that it is skipped.
  public var isRecorded = false
  /// True if the input is itself an output of this program, made of another input, so that the job is skipped.
  public var isOfOutput = false

  /// The verdict that does not depend on the files that exist; `nil` if there is none.
  var knownVerdict: JobVerdict? {
    isOfOutput ? .skip(.earlierOutput) : isRecorded ? .skip(.alreadyDone) : nil
  }

  /// True if the user named the file to write, so that its extension has to fit its format.
  public var isOutputNamed = false

  /// A job at position `id`.
  public init(
    id: Int, work: Work, inputBytes: Int, isMissing: Bool = false, journalFolder: FilePath? = nil,
    refusal: Work.Failure? = nil
  ) {
    self.id = id
    self.work = work
    self.inputBytes = inputBytes
    self.isMissing = isMissing
    self.journalFolder = journalFolder
    self.refusal = refusal
  }
}

/// Why a job was skipped.
public enum SkipReason: String, Hashable, Sendable {
  /// The output exists.
  case outputExists = "output-exists"
  /// The journal records this conversion as done, and its output exists.
  case alreadyDone = "already-done"
  /// No journal records the output, but it is no older than its source and has the properties that the job would give
  /// it.
  case alike = "alike"
  /// The input is itself an output, made of another input.
  case earlierOutput = "earlier-output"
}

/// An event of the jobs of a batch.
public enum JobEvent<Work: FileWork>: Sendable {
  /// A job has begun.
  case started(Job<Work>)
  /// A job has advanced; at most a few times a second for each job.
  case progress(Job<Work>, ConversionProgress)
  /// The output is in place.
  case finished(Job<Work>, Work.Report)
  /// The job was not needed.
  case skipped(Job<Work>, SkipReason)
  /// The job failed, and its output does not exist.
  case failed(Job<Work>, Work.Failure)
}

/// The fate of a job, given the files that exist.
public enum JobVerdict: Hashable, Sendable {
  /// It runs. `replacing` is whether it replaces an existing output.
  case run(replacing: Bool)
  /// It is not needed.
  case skip(SkipReason)
  /// The output exists and must not be replaced.
  case refuse
}

extension JobVerdict {
  /// The verdict by the output alone.
  init(on output: ConversionOutput, existing: ExistingOutput) {
    guard case .file(let path) = output, FileStatus(path: path, followingLinks: false) != nil,
      !OutputPlace.isStream(path)
    else {
      self = .run(replacing: existing == .replace)
      return
    }
    switch existing {
    case .refuse: self = .refuse
    case .replace: self = .run(replacing: true)
    case .skip: self = .skip(.outputExists)
    }
  }

  /// The verdict on a job by its output alone.
  init<Work>(on job: Job<Work>) {
    self.init(on: job.work.output, existing: job.work.existing)
  }
}

/// A batch of jobs: ``Batch`` or ``PlotBatch``.
public protocol JobBatch<Work>: Sendable {
  /// The work of each job.
  associatedtype Work: FileWork

  /// The jobs, numbered from 0.
  var jobs: [Job<Work>] { get }
  /// Folders that could not be read, and broken links.
  var problems: [AudioFileError] { get }

  /// Starts the jobs and streams events to one consumer; `cancellation` stops them at their next block.
  func events(cancellation: Cancellation) -> AsyncStream<JobEvent<Work>>
  /// Returns what would happen to each job, given the files that exist.
  func verdicts() -> [JobVerdict]
}

extension JobBatch {
  /// True if there is nothing to work on: the folders hold no audio, and every named file is missing.
  public var foundNothing: Bool { jobs.allSatisfy(\.isMissing) }
}
