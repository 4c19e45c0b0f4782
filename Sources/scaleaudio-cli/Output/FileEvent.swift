import ScaleAudio

/// Work whose events are reported.
protocol ReportedWork: FileWork {
  /// The fields of a `--json` object about finished work.
  associatedtype Record: Encodable

  /// The name of such objects.
  static var schema: RecordSchema { get }

  /// The result of a finished job for people.
  static func result(_ job: Job<Self>, _ report: Report) -> FileResult
  /// The result of a finished job for programs.
  static func record(_ job: Job<Self>, _ report: Report) -> Record
  /// The output as a dry run finds it; `nil` if that is not known before the work.
  func foreseen(_ cancellation: Cancellation) throws(Failure) -> ForeseenFile?
}

extension ReportedWork {
  func foreseen(_ cancellation: Cancellation) throws(Failure) -> ForeseenFile? { nil }
}

/// A file of a batch, for the display.
struct BatchFile: Identifiable {
  /// Its position in the batch, from 0.
  let id: Int
  let path: FilePath
  /// For weighing progress; 0 if unknown.
  let bytes: Int
}

extension BatchFile {
  init<Work>(_ job: Job<Work>) {
    self.init(id: job.id, path: job.work.input.path, bytes: job.inputBytes)
  }
}

/// An event of one file of a batch, for the display.
struct FileEvent {
  let file: BatchFile
  let news: News

  enum News {
    case started
    case progress(ConversionProgress)
    case finished(FileResult)
    /// The line to show, with the reason.
    case skipped(String)
    case failed(FileFailure)
    /// It was asked to stop.
    case cancelled
  }
}

extension FileEvent {
  init<Work: ReportedWork>(_ event: JobEvent<Work>) {
    switch event {
    case .started(let job): self.init(file: BatchFile(job), news: .started)
    case .progress(let job, let progress):
      self.init(file: BatchFile(job), news: .progress(progress))
    case .finished(let job, let report):
      self.init(file: BatchFile(job), news: .finished(Work.result(job, report)))
    case .skipped(let job, let reason):
      self.init(file: BatchFile(job), news: .skipped(FileLines.skipped(job.work, reason)))
    case .failed(let job, let error):
      self.init(file: BatchFile(job), error, namedOutput: job.namedOutput)
    }
  }

  init<Failure: FileWorkError>(file: BatchFile, _ error: Failure, namedOutput: FilePath? = nil) {
    self.init(
      file: file,
      news: error == .cancelled
        ? .cancelled : .failed(FileFailure(error, namedOutput: namedOutput)))
  }
}

/// The result of a file, for the display.
struct FileResult {
  /// The playing time of the source.
  var sourceSeconds = 0.0
  /// Input, output and result; `nil` for no line.
  var line: String?
  /// The line added by `--verbose`.
  var details: String?
  /// The scaling method; `nil` if nothing was scaled.
  var method: String?
  var warnings: [String] = []
  /// A warning that it is quieter than requested, and the difference in dB; `nil` for none. Of many files, one line counts
  /// these warnings.
  var missedLoudness: (warning: String, decibels: Double)?
  var clippedSamples = 0
  /// The level of the loudest clipped sample above full scale.
  var clippedDecibels = 0.0
}

/// Why a file failed.
struct FileFailure: Equatable {
  /// The file, the cause and the remedy.
  let line: String
  let isWorthRetrying: Bool
}

extension FileFailure {
  init(_ error: some FileWorkError, namedOutput: FilePath? = nil) {
    self.init(
      line: FileLines.failed(error.fullMessage(namedOutput: namedOutput)),
      isWorthRetrying: error.isWorthRetrying)
  }
}
