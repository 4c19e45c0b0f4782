internal import FoundationEssentials
import ScaleAudio
import ScaleAudioRuns

/// An output as manifests list it.
struct ManifestEntry: Sendable {
  let input: FilePath
  let output: FilePath
  /// The converted part of the input.
  let part: PartFields
  let audio: OutputFields
  /// The sample format of the output; `nil` for lossy codecs.
  let sampleFormat: SampleFormat?
  /// The declaration of a headerless output.
  let raw: RawPCM?
  let sha256: String?
  /// The work of the limiter; `nil` if nothing was limited.
  let limiting: Limiting?
  /// The tempo of the input in beats per minute; `nil` unless a tempo was requested.
  let inputBPM: Double?

  /// The tempo of the output.
  var outputBPM: Double? { inputBPM.map { $0 / audio.factor } }
  /// Input length / output length.
  var speed: Double { Self.speed(factor: audio.factor) }

  /// The entry of an output that has just been written.
  init(_ job: ConversionJob, _ report: ConversionReport) {
    input = job.work.input.path
    output = job.work.output.path
    part = PartFields(report.part, report.source.spec)
    audio = OutputFields(report)
    sampleFormat = report.sampleFormat
    raw = report.raw
    sha256 = report.samplesSHA256
    limiting = report.limiting
    inputBPM = report.tempo?.beatsPerMinute
  }

  /// The entry of an output of a run in shards.
  init(_ merged: MergedLine) {
    input = merged.line.input
    output = merged.output
    part = PartFields(merged.audio)
    audio = OutputFields(merged.audio)
    sampleFormat = merged.audio.sampleFormat.flatMap { SampleFormat(rawValue: $0) }
    raw = merged.audio.raw.flatMap { try? RawValue($0).pcm }
    sha256 = nil
    limiting = merged.audio.limiting
    inputBPM = merged.audio.inputBPM
  }

  /// The entry of an output from an earlier run. `isDone` is whether its journal records this conversion.
  ///
  /// The entry then equals that of the earlier run. Otherwise it describes the file that exists.
  init(
    existing job: ConversionJob, isDone: Bool, hashes: Bool, _ cancellation: Cancellation
  ) throws(AudioFileError) {
    input = job.work.input.path
    output = job.work.output.path
    let source = try? Self.report(
      of: job.work.input, track: job.work.settings.track, raw: job.work.files.raw)
    let planned = source.flatMap {
      try? PlannedOutput($0, input: job.work.input, settings: job.work.settings)
    }
    part = PartFields(planned?.part, source?.source.spec)
    // No journal records it.
    limiting = nil
    raw = planned.flatMap { $0.format.rawPCM(storing: $0.sampleFormat, $0.spec) }
    if isDone, let planned {
      audio = OutputFields(planned)
      sampleFormat = planned.sampleFormat
    } else {
      let found = try Self.report(of: .file(output), raw: raw).source
      let isAsPlanned =
        found.frameCount == planned?.frameCount && found.spec == planned?.spec
      let seconds = found.spec.seconds(frames: found.frameCount)
      let sourceSeconds =
        source.map {
          $0.source.spec.seconds(frames: planned?.part?.count ?? $0.source.frameCount)
        } ?? 0
      let measured = sourceSeconds > 0 && seconds > 0 ? seconds / sourceSeconds : 1
      audio = OutputFields(found, factor: isAsPlanned ? planned?.factor ?? measured : measured)
      sampleFormat = found.sampleFormat
    }
    if case .bpm(let beats, _) = job.work.settings.time {
      inputBPM = beats * audio.factor
    } else {
      inputBPM = nil
    }
    // An interruption omits the checksum, not the entry.
    sha256 =
      hashes
      ? try? InspectionReport(
        of: .file(output), .init(hashesSamples: true, raw: raw), cancellation: cancellation
      ).samplesSHA256 : nil
  }

  /// The content of a file with its exact number of frames.
  private static func report(
    of input: ConversionInput, track: Int? = nil, raw: RawPCM? = nil
  ) throws(AudioFileError) -> InspectionReport {
    guard case .file = input else { throw .notAFile(input.path) }
    let report = try InspectionReport(of: input, .init(track: track, raw: raw))
    guard report.source.lengthBasis == .estimated else { return report }
    return try InspectionReport(of: input, .init(countsFrames: true, track: track, raw: raw))
  }

  /// `1 / factor`, without final digits that result from dividing twice.
  private static func speed(factor: Double) -> Double {
    let speed = 1 / factor
    let short = (speed * 1e6).rounded() / 1e6
    return (short - speed).magnitude < 1e-12 * max(1, speed) ? short : speed
  }
}

/// A line of a manifest in JSON, as described by `manifest.schema.json`.
struct ManifestRecord: Encodable {
  private struct ManifestFields: Encodable {
    let schema = RecordSchema.manifest
    let input: String
    let inputBase64: Data?
    let output: String
    let outputBase64: Data?
    let speed: Double
    let inputBPM, outputBPM: Double?
    let limitedDecibels, limitedSeconds: Double?
    let outputSHA256: String?
  }

  private let part: PartFields
  private let audio: OutputFields
  private let details: ManifestFields

  init(_ entry: ManifestEntry) {
    part = entry.part
    audio = entry.audio
    details = ManifestFields(
      input: entry.input.string, inputBase64: entry.input.bytesUnlessText,
      output: entry.output.string, outputBase64: entry.output.bytesUnlessText, speed: entry.speed,
      inputBPM: entry.inputBPM, outputBPM: entry.outputBPM,
      limitedDecibels: entry.limiting?.decibels, limitedSeconds: entry.limiting?.seconds,
      outputSHA256: entry.sha256)
  }

  /// Encodes both parts into one object.
  func encode(to encoder: any Encoder) throws {
    try part.encode(to: encoder)
    try audio.encode(to: encoder)
    try details.encode(to: encoder)
  }
}
