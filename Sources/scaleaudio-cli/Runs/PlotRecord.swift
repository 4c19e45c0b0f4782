import ScaleAudio

/// What `plot --json` says of a picture that was made.
struct PlotFacts: Encodable {
  /// Of the picture, or of the data.
  let format: String
  /// Of the source.
  let frames, rate, channels: Int
  let layout: String
  let seconds: Double
  let speed: Double?

  init(_ job: PlotJob, _ report: Plot.Report) {
    let source = report.source
    format = job.plot.format.fileExtension
    frames = source.frameCount
    rate = source.spec.sampleRate
    channels = source.spec.channelCount
    layout = source.spec.layout.description
    seconds = report.seconds
    speed = seconds > 0 ? report.sourceSeconds / seconds : nil
  }
}

extension FileRecord<PlotFacts> {
  /// What a finished, skipped or failed job says; `nil` for an event that ends no job.
  init?(_ event: PlotEvent) {
    switch event {
    case .started, .progress: return nil
    case .finished(let job, let report):
      self.init(outcome: FileOutcome(job, .done), facts: PlotFacts(job, report))
    case .skipped(let job): self.init(outcome: FileOutcome(job, .skipped(.outputExists)))
    case .failed(let job, let error):
      self.init(outcome: FileOutcome(job, .failed(error.errorClass, error.message)))
    }
  }
}

extension FileOutcome {
  init(_ job: PlotJob, _ outcome: Outcome) {
    self.init(job.plot.input, job.plot.output, outcome)
  }
}
