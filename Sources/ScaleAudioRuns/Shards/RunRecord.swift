public import ScaleAudio

/// The outcome of one output of a run: a line of a file of records.
public struct RunRecord: Codable, Hashable, Sendable {
  /// How it ended.
  public enum Status: String, Codable, Hashable, Sendable {
    /// The output is complete.
    case done
    /// It failed; the input or the options are at fault.
    case failed
    /// It failed; the machine was at fault, and another attempt may succeed.
    case retry
  }

  /// Which output of a plan.
  public struct Slot: Hashable, Sendable {
    /// The number of the line.
    public let line: Int
    /// Which of its outputs, from 0.
    public let variant: Int

    /// The output of a line with one of the settings of the run.
    public init(line: Int, variant: Int) { (self.line, self.variant) = (line, variant) }
  }

  /// The number of the line.
  public let line: Int
  /// Which of its outputs, from 0.
  public let variant: Int
  /// How it ended.
  public let status: Status
  /// When, in seconds since 1970 by the clock of its machine.
  public let at: Double
  /// The output as a file; only of one that is done.
  public var file: OutputFileState?
  /// The output as audio; only of one that is done.
  public var audio: RecordedAudio?
  /// The kind of error; only of one that failed.
  public var errorClass: String?
  /// The file and the cause; only of one that failed.
  public var error: String?

  /// The output that it is about.
  public var slot: Slot { Slot(line: line, variant: variant) }

  /// Whether it says more about its output than another: outputs appear whole, so one that was done stays done,
  /// whatever an attempt that overlapped met with. Otherwise the later one.
  func outranks(_ other: RunRecord) -> Bool {
    if (status == .done) != (other.status == .done) { return status == .done }
    return at >= other.at
  }
}

/// An output as audio.
public struct RecordedAudio: Codable, Hashable, Sendable {
  /// The format, by its identifier.
  public let format: String
  /// Exact.
  public let frames: Int
  /// In Hz.
  public let sampleRate: Int
  /// Their number.
  public let channels: Int
  /// Which speakers they feed.
  public let layout: String
  /// By its name; `nil` for lossy codecs.
  public let sampleFormat: String?
  /// What it is, if it has no header, as options spell it.
  public let raw: String?
  /// Output length / input length.
  public let factor: Double
  /// The frames of the source that were converted; `nil` for all.
  public let fromFrame, toFrame: Int?
  /// The rate that these count at, in Hz.
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

  /// How long it is, in seconds.
  public var seconds: Double { Double(frames) / Double(max(1, sampleRate)) }
}
