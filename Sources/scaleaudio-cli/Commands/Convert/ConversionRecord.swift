import ScaleAudio

/// The fields of a `--json` object about a finished conversion.
struct ConversionRecord: Encodable {
  let framesIn: Int
  let framesOut: Int
  let rateIn: Int
  let rate: Int
  let channels: Int
  let layout: String
  let sampleFormatIn: String?
  let sampleFormatOut: String?
  let bitsIn: Int?
  let bitsOut: Int?
  let factor: Double
  let method: String
  /// `nil` for methods without a quality.
  let quality: String?
  /// The change of pitch apart from the length, in semitones.
  let pitch: Double?
  let clippedSamples: Int
  let clippedDecibels: Double?
  let gainDecibels: Double?
  let integratedLUFS: Double?
  let truePeakDecibels: Double?
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
    rateIn = report.source.spec.sampleRate
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
    integratedLUFS = report.loudness
    truePeakDecibels = report.truePeakDecibels
    seconds = report.seconds
    speed = report.seconds > 0 ? report.sourceSeconds / report.seconds : nil
    warnings = report.warnings
    sidecars = report.sidecars.isEmpty ? nil : report.sidecars.map(\.string)
    picture = report.picture?.string
    notCarried = report.notCarried
    staleTags = report.staleTags
  }
}
