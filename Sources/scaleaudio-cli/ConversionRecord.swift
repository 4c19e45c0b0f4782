internal import FoundationEssentials
import ScaleAudio

/// What `--json` says about one file: one object a line.
struct ConversionRecord: JSONLine {
  /// What became of the file.
  enum Status: String, Encodable { case planned, done, skipped, failed }

  let input: String
  /// The bytes of the input's path where they are not UTF-8; likewise the output's.
  let inputBase64: Data?
  private(set) var output: String?
  private(set) var outputBase64: Data?
  let status: Status
  private(set) var reason: String?
  private(set) var errorClass: String?
  private(set) var error: String?
  private(set) var framesIn: Int?
  private(set) var framesOut: Int?
  private(set) var rate: Int?
  private(set) var channels: Int?
  private(set) var layout: String?
  private(set) var sampleFormatIn: String?
  private(set) var sampleFormatOut: String?
  private(set) var bitsIn: Int?
  private(set) var bitsOut: Int?
  private(set) var factor: Double?
  private(set) var method: String?
  /// Of methods that have one.
  private(set) var quality: String?
  /// How far the pitch was moved on its own, in semitones.
  private(set) var pitch: Double?
  private(set) var clippedSamples: Int?
  private(set) var clippedDecibels: Double?
  private(set) var gainDecibels: Double?
  private(set) var seconds: Double?
  private(set) var speed: Double?
  private(set) var warnings: [String]?
  private(set) var sidecars: [String]?
  private(set) var picture: String?
  private(set) var notCarried: [String]?
  private(set) var staleTags: [String]?

  private init(_ conversion: Conversion, _ status: Status) {
    let (input, output) = (conversion.input.path, conversion.output.path)
    self.input = input.string
    inputBase64 = input.bytesUnlessText
    self.output = output.string
    outputBase64 = output.bytesUnlessText
    self.status = status
  }

  /// What a finished, skipped or failed job says; `nil` for an event that ends no job.
  init?(_ event: ConversionEvent) {
    switch event {
    case .started, .progress: return nil
    case .finished(let job, let report):
      self.init(job.conversion, .done)
      fill(from: report)
    case .skipped(let job, let reason):
      self.init(job.conversion, .skipped)
      self.reason = reason.rawValue
    case .failed(let job, let error):
      self.init(job.conversion, .failed)
      errorClass = error.errorClass
      self.error = error.message
    }
  }

  /// What would become of a job.
  init(_ job: ConversionJob, _ verdict: JobVerdict) {
    switch verdict {
    case .convert: self.init(job.conversion, .planned)
    case .skip(let reason):
      self.init(job.conversion, .skipped)
      self.reason = reason.rawValue
    case .refuse:
      self.init(job.conversion, .failed)
      let refusal = AudioFileError.outputExists(job.conversion.output.path)
      errorClass = refusal.errorClass
      error = refusal.message
    }
  }

  /// What could not be walked.
  init(_ problem: AudioFileError) {
    input = problem.path.string
    inputBase64 = problem.path.bytesUnlessText
    status = .failed
    errorClass = problem.errorClass
    error = problem.message
  }

  private mutating func fill(from report: ConversionReport) {
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
    if case .stretch(let settings) = report.method { pitch = settings.semitones }
    clippedSamples = report.clippedSamples
    clippedDecibels = report.clippedDecibels
    gainDecibels = report.gainDecibels
    seconds = report.seconds
    let audioSeconds = report.source.spec.seconds(frames: report.source.frameCount)
    speed = report.seconds > 0 ? audioSeconds / report.seconds : nil
    warnings = report.warnings
    if !report.sidecars.isEmpty { sidecars = report.sidecars.map(\.string) }
    picture = report.picture?.string
    notCarried = report.notCarried
    staleTags = report.staleTags
  }
}
