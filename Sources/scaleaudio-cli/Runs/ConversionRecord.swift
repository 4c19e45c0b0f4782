import ScaleAudio

/// What `--json` says of a conversion that was done.
struct ConversionFacts: Encodable {
  let framesIn: Int
  let framesOut: Int
  let rate: Int
  let channels: Int
  let layout: String
  let sampleFormatIn: String?
  let sampleFormatOut: String?
  let bitsIn: Int?
  let bitsOut: Int?
  let factor: Double
  let method: String
  /// Of methods that have one.
  let quality: String?
  /// How far the pitch was moved on its own, in semitones.
  let pitch: Double?
  let clippedSamples: Int
  let clippedDecibels: Double?
  let gainDecibels: Double?
  let seconds: Double
  let speed: Double?
  let warnings: [String]
  let sidecars: [String]?
  let picture: String?
  let notCarried: [String]
  let staleTags: [String]

  init(_ report: ConversionReport) {
    framesIn = report.source.frameCount
    framesOut = report.outputFrames
    rate = report.spec.sampleRate
    channels = report.spec.channelCount
    layout = report.spec.layout.description
    sampleFormatIn = report.source.sampleFormat?.rawValue
    sampleFormatOut = report.sampleFormat?.rawValue
    bitsIn = report.source.sampleFormat?.bitDepth
    bitsOut = report.sampleFormat?.bitDepth
    factor = report.factor
    method = report.method.kind.rawValue
    quality = report.method.quality?.rawValue
    if case .stretch(let settings) = report.method {
      pitch = settings.semitones
    } else {
      pitch = nil
    }
    clippedSamples = report.clippedSamples
    clippedDecibels = report.clippedDecibels
    gainDecibels = report.gainDecibels
    seconds = report.seconds
    let audioSeconds = report.source.spec.seconds(frames: report.source.frameCount)
    speed = report.seconds > 0 ? audioSeconds / report.seconds : nil
    warnings = report.warnings
    sidecars = report.sidecars.isEmpty ? nil : report.sidecars.map(\.string)
    picture = report.picture?.string
    notCarried = report.notCarried
    staleTags = report.staleTags
  }
}

extension FileRecord<ConversionFacts> {
  /// What a finished, skipped or failed job says; `nil` for an event that ends no job.
  init?(_ event: ConversionEvent) {
    switch event {
    case .started, .progress: return nil
    case .finished(let job, let report):
      self.init(outcome: FileOutcome(job, .done), facts: ConversionFacts(report))
    case .skipped(let job, let reason):
      self.init(outcome: FileOutcome(job, .skipped(reason)))
    case .failed(let job, let error):
      self.init(outcome: FileOutcome(job, .failed(error.errorClass, error.message)))
    }
  }
}

extension FileOutcome {
  init(_ job: ConversionJob, _ outcome: Outcome) {
    self.init(job.conversion.input, job.conversion.output, outcome)
  }
}
