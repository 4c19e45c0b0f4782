import ScaleAudio

/// A file of a batch, as the display knows it.
struct BatchFile: Identifiable {
  /// Its place in the batch, from 0.
  let id: Int
  let path: FilePath
  /// For weighing progress; 0 when unknown.
  let bytes: Int
}

/// What happens to a file of a batch, as a person is told of it.
struct FileEvent {
  let file: BatchFile
  let news: News

  enum News {
    case started
    case progress(ConversionProgress)
    case finished(FileResult)
    /// The line tells why.
    case skipped(String)
    case failed(FileFailure)
    /// It was asked to stop.
    case cancelled
  }
}

/// What is told of a file that was dealt with as asked.
struct FileResult {
  /// The playing time of the source.
  var sourceSeconds = 0.0
  /// What was made of what; `nil` where that is not told.
  var line: String?
  /// More of it, for those who ask.
  var details: String?
  /// What the user should know.
  var warnings: [String] = []
  var clippedSamples = 0
  /// How far the loudest of them lay beyond full scale.
  var clippedDecibels = 0.0
}

/// Why a file was not dealt with.
struct FileFailure: Equatable {
  /// The file, the cause and the remedy.
  let line: String
  let isWorthRetrying: Bool
}

// MARK: - Conversions

extension BatchFile {
  init(_ job: ConversionJob) {
    self.init(id: job.id, path: job.conversion.input.path, bytes: job.inputBytes)
  }
}

extension FileEvent {
  init(_ event: ConversionEvent) {
    switch event {
    case .started(let job): self.init(file: BatchFile(job), news: .started)
    case .progress(let job, let progress):
      self.init(file: BatchFile(job), news: .progress(progress))
    case .finished(let job, let report):
      self.init(file: BatchFile(job), news: .finished(FileResult(job, report)))
    case .skipped(let job, let reason):
      self.init(file: BatchFile(job), news: .skipped(FileLines.skipped(job, reason)))
    case .failed(let job, .cancelled): self.init(file: BatchFile(job), news: .cancelled)
    case .failed(let job, let error):
      self.init(file: BatchFile(job), news: .failed(FileFailure(error)))
    }
  }
}

extension FileResult {
  init(_ job: ConversionJob, _ report: ConversionReport) {
    self.init(
      sourceSeconds: report.sourceSeconds, line: FileLines.finished(job, report),
      details: FileLines.details(report), warnings: FileLines.warnings(job, report),
      clippedSamples: report.clippedSamples, clippedDecibels: report.clippedDecibels ?? 0)
  }
}

extension FileFailure {
  init(_ error: ConversionError) {
    self.init(line: FileLines.failed(error.message), isWorthRetrying: error.isWorthRetrying)
  }
}

// MARK: - Pictures

extension BatchFile {
  init(_ job: PlotJob) {
    self.init(id: job.id, path: job.plot.input.path, bytes: job.inputBytes)
  }
}

extension FileEvent {
  init(_ event: PlotEvent) {
    switch event {
    case .started(let job): self.init(file: BatchFile(job), news: .started)
    case .progress(let job, let progress):
      self.init(file: BatchFile(job), news: .progress(progress))
    case .finished(let job, let report):
      self.init(file: BatchFile(job), news: .finished(FileResult(job, report)))
    case .skipped(let job):
      self.init(file: BatchFile(job), news: .skipped(FileLines.skipped(job)))
    case .failed(let job, let error): self.init(file: BatchFile(job), error)
    }
  }

  init(file: BatchFile, _ error: PlotError) {
    self.init(file: file, news: error == .cancelled ? .cancelled : .failed(FileFailure(error)))
  }

  /// The source of a cell was read.
  init(cell job: PlotJob, _ report: Plot.Report) {
    self.init(
      file: BatchFile(job),
      news: .finished(FileResult(sourceSeconds: report.sourceSeconds)))
  }
}

extension FileResult {
  init(_ job: PlotJob, _ report: Plot.Report) {
    self.init(
      sourceSeconds: report.sourceSeconds,
      line: FileLines.finished(job, report), details: FileLines.details(job, report))
  }
}

extension FileFailure {
  init(_ error: PlotError) {
    self.init(line: FileLines.failed(error.message), isWorthRetrying: error.isWorthRetrying)
  }
}
