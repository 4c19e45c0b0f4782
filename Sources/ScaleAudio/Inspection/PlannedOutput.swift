public import AudioIO
public import AudioModel
public import SystemPackage
public import TimeScaling

/// The output that a conversion would make of a file, predicted from its inspection.
public struct PlannedOutput: Hashable, Sendable {
  /// The output's name, beside its input; `nil` for standard input.
  public let path: FilePath?
  /// The output format.
  public let format: AudioFormat
  /// Rate and channels.
  public let spec: AudioSpec
  /// The sample format; `nil` for lossy codecs.
  public let sampleFormat: SampleFormat?
  /// Output frames; exact if the input's length is.
  public let frameCount: Int
  /// The frames of the input that are converted; `nil` for all of them.
  public let part: Range<Int>?
  /// Requested output frames / converted input frames.
  public let factor: Double
  /// The method that changes the length.
  public let method: ScalingMethod
  /// Warnings for the user.
  public let warnings: [AudioWarning]
  /// Everything of the source that the output would lack, as far as it is known before writing: each tag, chunk, picture,
  /// mark, speaker and precision.
  public package(set) var losses: [MetadataLoss]
  /// Tags that would be dropped because they no longer apply to the output.
  public let staleTags: [String]
  /// The size of the output; `nil` if it was not asked for.
  public package(set) var bytes: Size?

  /// The size of a file in bytes.
  public enum Size: Hashable, Sendable {
    /// Exactly this many, as without compression.
    case exact(Int)
    /// About this many.
    case estimated(Int)

    /// The number of bytes.
    public var count: Int {
      switch self {
      case .exact(let count), .estimated(let count): count
      }
    }
  }

  /// The output of a conversion with `settings`; throws the error with which the conversion would fail.
  public init(
    _ report: InspectionReport, input: ConversionInput, settings: ConversionSettings
  ) throws(ConversionError) {
    try self.init(report.source, input: input, settings: settings)
  }

  /// The output of a conversion of a source that is open.
  package init(
    _ source: SourceDescription, input: ConversionInput, settings: ConversionSettings
  ) throws(ConversionError) {
    let plan = try ConversionPlan(
      source: source, settings: settings, input: input.path, path: input.path)
    self.init(
      plan, of: source, path: Self.path(beside: input, format: plan.output.format, settings))
  }

  /// The output that a plan describes.
  init(_ plan: ConversionPlan, of source: SourceDescription, path: FilePath?) {
    format = plan.output.format
    spec = plan.output.spec
    sampleFormat = plan.samples.stored
    frameCount = plan.output.frameCount
    factor = plan.factor
    method = plan.method
    part = plan.part?.frames
    warnings = plan.warnings
    losses = plan.metadata.notCarried(besides: [])
    staleTags = plan.metadata.staleTags
    self.path = path
  }

  private static func path(
    beside input: ConversionInput, format: AudioFormat, _ settings: ConversionSettings
  ) -> FilePath? {
    guard case .file(let input) = input else { return nil }
    let naming = OutputNaming(of: settings)
    let keepsExtension =
      input.extension.map { format.extensions.contains($0.lowercased()) } ?? false
    let name = naming.outputName(
      for: input, fileExtension: keepsExtension ? nil : format.extensions.first)
    return input.removingLastComponent().appending(name.components)
  }
}
