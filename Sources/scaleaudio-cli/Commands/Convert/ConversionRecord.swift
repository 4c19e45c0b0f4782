import ScaleAudio

/// The fields of a `--json` object about a finished conversion, as described by `convert.schema.json`.
struct ConversionRecord: Encodable {
  private struct ConversionFields: Encodable {
    /// The first frame of each scaled part and the frame after its last; `nil` if the whole input was scaled.
    let onlyFrames: [[Int]]?
    /// Output length / input length of these parts.
    let onlyFactor: Double?
    /// Beats per minute of the input, and how they are known.
    let inputTempo: TempoRecord?
    /// Beats per minute of the output.
    let outputBPM: Double?
    /// The number of the input among the tracks that were scaled as one stream, from 1, and their number; `nil` for a
    /// stream of its own.
    let gaplessTrack: Int?
    let gaplessTracks: Int?
    let method: String
    /// `nil` for methods without a quality.
    let quality: String?
    /// `nil` for methods without a choice of engines.
    let engine: String?
    /// The change of pitch independent of the length; `nil` for methods that cannot set it.
    let pitchSemitones: Double?
    let clippedSamples: Int
    let clippedDecibels: Double?
    let gainDecibels: Double?
    let limitedDecibels: Double?
    let limitedSeconds: Double?
    let albumIntegratedLUFS: Double?
    let outputIntegratedLUFS: Double?
    let outputTruePeakDecibels: Double?
    let outputSHA256: String?
    let warnings: [String]
    let sidecars: [String]?
    let picture: String?
    let notCarried: [String]
    let staleTags: [String]

    init(_ report: ConversionReport) {
      let parts = report.scaledParts.map { [$0.lowerBound, $0.upperBound] }
      onlyFrames = parts.isEmpty ? nil : parts
      onlyFactor = report.partFactor
      inputTempo = report.tempo.map(TempoRecord.init)
      outputBPM = report.tempo.map {
        $0.beatsPerMinute / (report.partFactor ?? report.factor)
      }
      (gaplessTrack, gaplessTracks) = (report.gaplessTrack, report.gaplessTracks)
      method = report.method.kind.rawValue
      quality = report.method.quality?.rawValue
      if case .stretch(let settings) = report.method {
        (engine, pitchSemitones) = (settings.engine.rawValue, settings.semitones)
      } else {
        (engine, pitchSemitones) = (nil, nil)
      }
      clippedSamples = report.clippedSamples
      clippedDecibels = report.clippedDecibels
      gainDecibels = report.gainDecibels
      limitedDecibels = report.limiting?.decibels
      limitedSeconds = report.limiting?.seconds
      albumIntegratedLUFS = report.albumLoudness
      outputIntegratedLUFS = report.loudness
      outputTruePeakDecibels = report.truePeakDecibels
      outputSHA256 = report.samplesSHA256
      warnings = report.warnings.map(\.text)
      sidecars = report.sidecars.isEmpty ? nil : report.sidecars.map(\.string)
      picture = report.picture?.string
      notCarried = report.notCarried.map(\.text)
      staleTags = report.staleTags
    }
  }

  private let input: InputFields
  private let part: PartFields
  private let output: OutputFields
  private let timing: TimingFields
  private let details: ConversionFields

  init(_ report: ConversionReport) {
    input = InputFields(report.source)
    part = PartFields(report.part, report.source.spec)
    output = OutputFields(report)
    timing = TimingFields(wallSeconds: report.seconds, sourceSeconds: report.sourceSeconds)
    details = ConversionFields(report)
  }

  /// Encodes all parts into one object.
  func encode(to encoder: any Encoder) throws {
    try input.encode(to: encoder)
    try part.encode(to: encoder)
    try output.encode(to: encoder)
    try timing.encode(to: encoder)
    try details.encode(to: encoder)
  }
}
