public import AudioIO
public import AudioModel
public import SystemPackage
public import TimeScaling

/// The result of a finished conversion.
public struct ConversionReport: Hashable, Sendable {
  /// The whole source, as it was opened.
  public var source: SourceDescription
  /// The frames of the source that were converted; `nil` for all of them.
  public var part: Range<Int>?
  /// The format that was written.
  public var format: AudioFormat
  /// Rate and layout of the output.
  public var spec: AudioSpec
  /// Frames of the output.
  public var outputFrames: Int
  /// The scaled parts of the source, in order, if the rest stayed unchanged; empty if all of it was scaled.
  public var scaledParts: [Range<Int>] = []
  /// Output frames / input frames of these parts; ``factor`` if the whole source was scaled.
  public var partFactor: Double?
  /// Requested output frames / converted input frames.
  public var factor: Double
  /// The tempo of the source; `nil` unless a tempo was requested. That of the output is this one / ``factor``.
  public var tempo: SourceTempo?
  /// The number of the input among the tracks that were scaled as one stream, from 1; `nil` for a stream of its own.
  public var gaplessTrack: Int?
  /// The number of these tracks.
  public var gaplessTracks: Int?
  /// The method that changed the length.
  public var method: ScalingMethod
  /// The sample format of the output; `nil` for lossy codecs.
  public var sampleFormat: SampleFormat?
  /// Number of samples beyond full scale that were clamped when they were read or written.
  public var clippedSamples: Int
  /// Level of the loudest clamped sample above full scale, in dB, at least 0; `nil` if none was clamped.
  public var clippedDecibels: Double?
  /// Gain applied to the whole file, in dB; `nil` unless ``ConversionSettings/level`` asks for a change.
  public var gainDecibels: Double?
  /// The work of the limiter after this gain; `nil` if nothing was limited.
  public var limiting: Limiting?
  /// Integrated loudness of all outputs of the album together, in LUFS; `nil` for a gain of its own, and in the cases of
  /// ``loudness``.
  public var albumLoudness: Double?
  /// Integrated loudness of the output by EBU R 128, in LUFS; `nil` unless ``ConversionSettings/level`` requests
  /// one or a limiter, or if it cannot be measured.
  public var loudness: Double?
  /// The difference to the requested loudness, in dB, of an output, or of its album, that is quieter; otherwise `nil`.
  public var missedLoudness: Double?
  /// The highest true peak of the output, in dB; `nil` in the same cases.
  public var truePeakDecibels: Double?
  /// The SHA-256 of the output's samples, as ``InspectionReport/samplesSHA256``; `nil` unless
  /// ``FilePolicy/hashesSamples`` requests it and the output is a file.
  public var samplesSHA256: String?
  /// The output as a file; `nil` unless ``FilePolicy/hashesFile`` requests it and the output is a file.
  public var file: OutputFileState?
  /// Wall time from opening to publishing, in seconds.
  public var seconds: Double
  /// Warnings for the user.
  public var warnings: [AudioWarning]
  /// Source attachments missing from the output, by display name, each once.
  public var notCarried: [MetadataLoss]
  /// Tags dropped because they no longer apply to the output, such as ReplayGain.
  public var staleTags: [String]
  /// Text files written beside the output.
  public var sidecars: [FilePath] = []
  /// The picture written beside the output; `nil` if there is none.
  public var picture: FilePath?

  /// A report with every field given.
  package init(
    source: SourceDescription, format: AudioFormat, spec: AudioSpec, outputFrames: Int,
    factor: Double, method: ScalingMethod, clippedSamples: Int, seconds: Double,
    warnings: [AudioWarning],
    sampleFormat: SampleFormat? = nil, notCarried: [MetadataLoss] = [], staleTags: [String] = []
  ) {
    self.source = source
    self.format = format
    self.spec = spec
    self.outputFrames = outputFrames
    self.factor = factor
    self.method = method
    self.sampleFormat = sampleFormat
    self.clippedSamples = clippedSamples
    self.seconds = seconds
    self.warnings = warnings
    self.notCarried = notCarried
    self.staleTags = staleTags
  }
}

/// How much of an output was limited.
public struct Limiting: Codable, Hashable, Sendable {
  /// The most that a frame was lowered, in dB, above 0.
  public let decibels: Double
  /// The time in which frames were lowered, in seconds.
  public let seconds: Double

  /// `nil` if nothing was lowered.
  init?(_ reduction: Limiter.Reduction, _ spec: AudioSpec) {
    guard reduction.frameCount > 0 else { return nil }
    decibels = -max(reduction.lowestGain, Limiter.leastGain).decibels
    seconds = spec.seconds(frames: reduction.frameCount)
  }
}

/// The state of an output file, by which it is recognized later.
public struct OutputFileState: Codable, Hashable, Sendable {
  /// Bytes.
  public let size: Int
  /// The modification time, in nanoseconds since 1970.
  public let modified: Int64
  /// The SHA-256 of its bytes.
  public let sha256: String
}

extension ConversionReport {
  /// The declaration of the output's samples if it is headerless; otherwise `nil`.
  public var raw: RawPCM? { format.rawPCM(storing: sampleFormat, spec) }

  /// Adds the loudness of an output for which the level change `asked` was requested.
  mutating func add(_ samples: Passes.Result, asked: LevelChange, _ album: AlbumLevel?) {
    let gain = (samples.gain ?? 1).decibels
    let limits = samples.reduction != nil
    limiting = samples.reduction.flatMap { Limiting($0, spec) }
    let measured = samples.output?.loudness ?? samples.level?.loudness.map { $0 + gain }
    let truePeak =
      samples.output?.truePeak ?? samples.level?.truePeak.map { $0 * (samples.gain ?? 1) }
    albumLoudness = album?.loudness
    switch asked {
    case .unchanged, .guarded, .normalized: break
    case .limited: (loudness, truePeakDecibels) = (measured, truePeak.map(\.decibels))
    case .loudness(let target, let limit, _):
      (loudness, truePeakDecibels) = (measured, truePeak.map(\.decibels))
      // Of an album, all files together have the loudness.
      guard let whole = album == nil ? measured : album?.loudness else {
        // The squares of such samples are no numbers.
        let isHuge = (samples.level?.highest ?? 0) > 1e100
        let cause = isHuge ? "its samples are too large" : "too quiet or too short"
        warnings.append(
          AudioWarning(.level, "its loudness cannot be measured: \(cause); level not changed"))
        return
      }
      // A limiter is within 0.2 LU.
      guard whole < target - (limits ? 0.2 : 0.05) else { return }
      missedLoudness = target - whole
      let missing = Quantity.tenths(target - whole)
      let reason =
        !limits
        ? "so that true peaks stay within \(Quantity.tenths(limit)) dB; only limiting peaks could make it louder"
        : "although true peaks were limited to \(Quantity.tenths(limit)) dB: its peaks are too high above the rest"
      warnings.append(
        AudioWarning(
          .level,
          "\(album == nil ? "" : "its album is ")\(missing) dB quieter than \(Quantity.tenths(target)) LUFS, \(reason)"
        ))
    }
  }
}

/// Numbers in warnings.
private enum Quantity {
  /// `-16`, `-16.5`
  static func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let (whole, rest) = (tenths.magnitude / 10, tenths.magnitude % 10)
    return (tenths < 0 ? "-" : "") + "\(whole)" + (rest == 0 ? "" : ".\(rest)")
  }
}
