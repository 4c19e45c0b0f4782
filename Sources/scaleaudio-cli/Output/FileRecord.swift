internal import FoundationEssentials
import ScaleAudio

/// The outcome of a file: the fields that every `--json` object has.
struct FileOutcome: Encodable {
  enum Status: String, Encodable { case planned, done, skipped, failed }
  /// The outcome, and its reason.
  enum Outcome {
    case planned
    case done
    case skipped(SkipReason)
    case failed(_ errorClass: String, _ message: String)
  }

  let schema: RecordSchema
  let input: String
  /// The bytes of the input's path if they are not UTF-8; likewise for the output.
  let inputBase64: Data?
  let output: String?
  let outputBase64: Data?
  let status: Status
  private(set) var reason: String?
  private(set) var errorClass: String?
  private(set) var error: String?

  init<Work: ReportedWork>(_ work: Work, _ outcome: Outcome) {
    self.init(Work.schema, work.input.path, output: work.output.path, outcome)
  }

  /// The planned outcome of a file.
  init(_ work: some ReportedWork, _ verdict: JobVerdict) {
    switch verdict {
    case .run: self.init(work, .planned)
    case .skip(let reason): self.init(work, .skipped(reason))
    case .refuse:
      let refusal = AudioFileError.outputExists(work.output.path)
      self.init(work, .failed(refusal.errorClass, refusal.fullMessage))
    }
  }

  /// A file or folder that could not be read while walking.
  init(_ problem: AudioFileError, schema: RecordSchema) {
    self.init(
      schema, problem.path, output: nil, .failed(problem.errorClass, problem.fullMessage))
  }

  private init(
    _ schema: RecordSchema, _ input: FilePath, output: FilePath?, _ outcome: Outcome
  ) {
    self.schema = schema
    self.input = input.string
    inputBase64 = input.bytesUnlessText
    self.output = output?.string
    outputBase64 = output?.bytesUnlessText
    switch outcome {
    case .planned: status = .planned
    case .done: status = .done
    case .skipped(let reason):
      status = .skipped
      self.reason = reason.rawValue
    case .failed(let errorClass, let message):
      status = .failed
      self.errorClass = errorClass
      error = message
    }
  }
}

/// A `--json` object about one file: its outcome and, if it is finished, the details of its work.
struct FileRecord<Details: Encodable>: Encodable {
  var outcome: FileOutcome
  /// Fields beside those of the outcome, in the same object.
  var details: Details?

  func encode(to encoder: any Encoder) throws {
    try outcome.encode(to: encoder)
    try details?.encode(to: encoder)
  }
}

extension FileRecord {
  /// The record of a finished, skipped or failed job; `nil` for other events.
  init?<Work: ReportedWork>(_ event: JobEvent<Work>) where Details == Work.Record {
    switch event {
    case .started, .progress: return nil
    case .finished(let job, let report):
      self.init(outcome: FileOutcome(job.work, .done), details: Work.record(job, report))
    case .skipped(let job, let reason):
      self.init(outcome: FileOutcome(job.work, .skipped(reason)))
    case .failed(let job, let error):
      let message = error.fullMessage(namedOutput: job.namedOutput)
      self.init(outcome: FileOutcome(job.work, .failed(error.errorClass, message)))
    }
  }
}
