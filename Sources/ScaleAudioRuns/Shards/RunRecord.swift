public import ScaleAudio

/// The outcome of one output of a run: a line of a file of records.
public struct RunRecord: Codable, Hashable, Sendable {
  /// The outcome of an attempt.
  public enum Status: String, Codable, Hashable, Sendable {
    /// The output is complete.
    case done
    /// It failed because of the input or the options.
    case failed
    /// It failed because of the machine; another attempt may succeed.
    case retry
  }

  /// Identifies an output of a plan.
  public struct Slot: Hashable, Sendable {
    /// The number of the line.
    public let line: Int
    /// The index of the output among those of the line, from 0.
    public let variant: Int

    /// The output of a line with one of the settings of the run.
    public init(line: Int, variant: Int) { (self.line, self.variant) = (line, variant) }
  }

  /// The number of the line.
  public let line: Int
  /// The index of the output among those of the line, from 0.
  public let variant: Int
  /// The outcome.
  public let status: Status
  /// The time of the record, in seconds since 1970 by the clock of its machine.
  public let at: Double
  /// The output file; only if the output is done.
  public var file: OutputFileState?
  /// The audio of the output; only if the output is done.
  public var audio: RecordedAudio?
  /// The kind of error; only after a failure.
  public var errorClass: String?
  /// The file and the cause; only after a failure.
  public var error: String?

  /// The output that the record is about.
  public var slot: Slot { Slot(line: line, variant: variant) }

  /// True if this record counts instead of another of the same output. Outputs appear complete, so one that
  /// was done stays done, regardless of an overlapping attempt. Otherwise the later record counts.
  func outranks(_ other: RunRecord) -> Bool {
    if (status == .done) != (other.status == .done) { return status == .done }
    return at >= other.at
  }
}

/// The audio of an output.
public struct RecordedAudio: Codable, Hashable, Sendable {
  /// The identifier of the format.
  public let format: String
  /// The exact number of frames.
  public let frames: Int
  /// The sample rate, in Hz.
  public let sampleRate: Int
  /// The number of channels.
  public let channels: Int
  /// The name of the channel layout.
  public let layout: String
  /// The name of the sample format; `nil` for lossy codecs.
  public let sampleFormat: String?
  /// The declaration of headerless audio, as options spell it.
  public let raw: String?
  /// Output length / input length.
  public let factor: Double
  /// The frames of the source that were converted; `nil` for all frames.
  public let fromFrame, toFrame: Int?
  /// The sample rate of these frames, in Hz.
  public let sourceRate: Int

  /// The output of a finished conversion.
  init(_ report: ConversionReport) {
    format = report.format.id
    frames = report.outputFrames
    sampleRate = report.spec.sampleRate
    channels = report.spec.channelCount
    layout = report.spec.layout.description
    sampleFormat = report.sampleFormat?.rawValue
    raw = report.raw.map { "\($0)" }
    factor = report.factor
    (fromFrame, toFrame) = (report.part?.lowerBound, report.part?.upperBound)
    sourceRate = report.source.spec.sampleRate
  }

  /// The length, in seconds.
  public var seconds: Double { Double(frames) / Double(max(1, sampleRate)) }
}
