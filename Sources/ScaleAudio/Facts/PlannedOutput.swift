/// What a conversion would make of a file, by its facts alone.
public struct PlannedOutput: Hashable, Sendable {
  /// The output's name, beside its input; `nil` for standard input.
  public let path: FilePath?
  public let format: AudioFormat
  /// Rate and channels.
  public let spec: AudioSpec
  /// How samples are stored; `nil` for lossy codecs.
  public let sampleFormat: SampleFormat?
  /// Exact where the input's length is.
  public let frameCount: Int
  /// Output frames asked for / input frames.
  public let factor: Double
  /// What the user should know about the choice.
  public let warnings: [String]

  /// What `settings` mean for a file with these facts; throws what the conversion would refuse it for.
  public init(
    _ facts: AudioFacts, input: ConversionInput, settings: ConversionSettings
  ) throws(ConversionError) {
    let plan = try ConversionPlan(
      source: facts.source, settings: settings, input: input.path, path: input.path)
    format = plan.output.format
    spec = plan.output.spec
    sampleFormat = plan.samples.stored
    frameCount = plan.output.frameCount
    factor = plan.factor
    warnings = plan.warnings
    path = Self.path(beside: input, format: plan.output.format, settings)
  }

  private static func path(
    beside input: ConversionInput, format: AudioFormat, _ settings: ConversionSettings
  ) -> FilePath? {
    guard case .file(let input) = input else { return nil }
    let naming = OutputNaming(time: settings.time, method: settings.method)
    let keepsExtension =
      input.extension.map { format.extensions.contains($0.lowercased()) } ?? false
    let name = naming.outputName(
      for: input, fileExtension: keepsExtension ? nil : format.extensions.first)
    return input.removingLastComponent().appending(name.components)
  }
}
