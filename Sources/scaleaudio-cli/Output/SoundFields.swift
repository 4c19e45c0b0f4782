import ScaleAudio
import ScaleAudioRuns

/// The names and versions of the objects that `--json` and `--manifest` write, each described by a schema with that
/// name.
enum RecordSchema: String, Encodable {
  case convert = "convert-1"
  case plot = "plot-1"
  case info = "info-1"
  case manifest = "manifest-1"
  case play = "play-1"
  case verify = "verify-1"
}

/// The fields about the audio of an input, the same in every `--json` object.
struct InputFields: Encodable {
  let inputFormat: String
  let inputFrames: Int
  let inputSeconds: Double
  let inputSampleRate: Int
  let inputChannels: Int
  let inputLayout: String
  let inputSampleFormat: String?
  /// The significant bits of a sample; `nil` for lossy codecs.
  let inputBits: Int?

  /// `bitDepth` replaces that of the sample format, for files whose samples have fewer bits.
  init(_ source: SourceDescription, bitDepth: Int? = nil) {
    inputFormat = source.format.id
    inputFrames = source.frameCount
    inputSeconds = source.spec.seconds(frames: source.frameCount)
    inputSampleRate = source.spec.sampleRate
    inputChannels = source.spec.channelCount
    inputLayout = source.spec.layout.description
    inputSampleFormat = source.sampleFormat?.rawValue
    inputBits = bitDepth ?? source.sampleFormat?.bitDepth
  }
}

/// The fields about the converted part of an input; all `nil` for the whole input.
struct PartFields: Encodable, Sendable {
  var fromFrame, toFrame: Int?
  var fromSeconds, toSeconds: Double?

  /// The fields of an output, from its record.
  init(_ recorded: RecordedAudio) {
    guard let from = recorded.fromFrame, let to = recorded.toFrame else { return }
    let rate = Double(max(1, recorded.sourceRate))
    (fromFrame, toFrame) = (from, to)
    (fromSeconds, toSeconds) = (Double(from) / rate, Double(to) / rate)
  }

  init(_ part: Range<Int>?, _ spec: AudioSpec?) {
    guard let part, let spec else { return }
    (fromFrame, toFrame) = (part.lowerBound, part.upperBound)
    fromSeconds = spec.seconds(frames: part.lowerBound)
    toSeconds = spec.seconds(frames: part.upperBound)
  }
}

/// The fields about the audio of an output, written or planned.
struct OutputFields: Encodable, Sendable {
  let outputFormat: String
  let outputFrames: Int
  let outputSeconds: Double
  let outputSampleRate: Int
  let outputChannels: Int
  let outputLayout: String
  let outputSampleFormat: String?
  let outputBits: Int?
  /// The declaration of a headerless output, in the form of `--raw`.
  let outputRaw: String?
  /// Output length / input length.
  let factor: Double

  init(_ report: ConversionReport) {
    self.init(
      report.format, report.spec, frameCount: report.outputFrames, report.sampleFormat,
      factor: report.factor)
  }

  init(_ planned: PlannedOutput) {
    self.init(
      planned.format, planned.spec, frameCount: planned.frameCount, planned.sampleFormat,
      factor: planned.factor)
  }

  /// The fields of an output that was read again.
  init(_ output: SourceDescription, factor: Double) {
    self.init(
      output.format, output.spec, frameCount: output.frameCount, output.sampleFormat,
      factor: factor)
  }

  /// The fields of an output, from its record.
  init(_ recorded: RecordedAudio) {
    outputFormat = recorded.format
    outputFrames = recorded.frames
    outputSeconds = recorded.seconds
    outputSampleRate = recorded.sampleRate
    outputChannels = recorded.channels
    outputLayout = recorded.layout
    outputSampleFormat = recorded.sampleFormat
    outputBits = recorded.sampleFormat.flatMap { SampleFormat(rawValue: $0)?.bitDepth }
    outputRaw = recorded.raw
    factor = recorded.factor
  }

  private init(
    _ format: AudioFormat, _ spec: AudioSpec, frameCount: Int, _ sampleFormat: SampleFormat?,
    factor: Double
  ) {
    outputFormat = format.id
    outputFrames = frameCount
    outputSeconds = spec.seconds(frames: frameCount)
    outputSampleRate = spec.sampleRate
    outputChannels = spec.channelCount
    outputLayout = spec.layout.description
    outputSampleFormat = sampleFormat?.rawValue
    outputBits = sampleFormat?.bitDepth
    outputRaw = format.rawPCM(storing: sampleFormat, spec).map { "\($0)" }
    self.factor = factor
  }
}

/// The object about the tempo of an input.
struct TempoRecord: Encodable {
  let bpm: Double
  let source: String
  /// False for an estimate that is not usable.
  let clear: Bool
  /// `nil` unless the tempo is an estimate.
  let confidence: Double?

  init(_ tempo: SourceTempo) {
    (bpm, source) = (tempo.beatsPerMinute, tempo.origin.rawValue)
    (clear, confidence) = (tempo.isClear, tempo.confidence)
  }
}

/// The fields about the time that a file took.
struct TimingFields: Encodable {
  /// The time from the start of the file's work to its end.
  let wallSeconds: Double
  /// Seconds of the source per second; `nil` if the time is too short to measure.
  let realTimeFactor: Double?

  init(wallSeconds: Double, sourceSeconds: Double) {
    self.wallSeconds = wallSeconds
    realTimeFactor = wallSeconds > 0 ? sourceSeconds / wallSeconds : nil
  }
}
