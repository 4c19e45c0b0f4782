/// The conversion of one file: reader, scaler, writer.
public struct Conversion: Hashable, Sendable {
  /// What to read.
  public var input: ConversionInput
  /// What to make.
  public var output: ConversionOutput
  /// What to make of it.
  public var settings: ConversionSettings

  /// A conversion of `input` into `output`.
  public init(input: ConversionInput, output: ConversionOutput, settings: ConversionSettings) {
    self.input = input
    self.output = output
    self.settings = settings
  }

  /// Converts, in bounded memory, on the calling thread.
  ///
  /// `onProgress` is called after each block. Nothing exists under the output's name until the whole
  /// of it does.
  public func run(
    cancellation: Cancellation = Cancellation(),
    onProgress: (ConversionProgress) -> Void = { _ in }
  ) throws(ConversionError) -> ConversionReport {
    let clock = ContinuousClock()
    let start = clock.now
    let input = try reading { () throws(AudioFileError) in try InputFile(path: self.input.path) }
    if FileIdentity(path: output.path) == input.identity { throw .inPlace(output.path) }
    let reader = try reading { () throws(AudioFileError) in
      try AudioFiles.reader(of: Int16.self, for: input, salvaging: settings.salvages)
    }
    let plan = try ScalingPlan(source: reader.source, settings: settings, path: self.input.path)
    let file = try reading { () throws(AudioFileError) in try OutputFile(path: output.path) }
    let writer = try reading { () throws(AudioFileError) in
      try AudioFiles.writer(of: Int16.self, to: file, as: plan.output)
    }
    let total = reader.source.frameCount
    let sampleRate = plan.output.spec.sampleRate
    try BlockPump(reader: reader, writer: writer, plan: plan).run {
      (frames) throws(ConversionError) in
      if cancellation.isCancelled { throw .cancelled }
      onProgress(
        ConversionProgress(frames: frames, totalFrames: total, sampleRate: sampleRate))
    }
    try reading { () throws(AudioFileError) in try writer.finish() }
    try committing(file)
    return ConversionReport(
      source: reader.source, format: plan.output.format, spec: plan.output.spec,
      outputFrames: plan.output.frameCount, factor: plan.factor, method: settings.method,
      clippedSamples: reader.clippedSamples, seconds: (clock.now - start) / .seconds(1),
      warnings: reader.source.warnings)
  }

  private func committing(_ file: consuming OutputFile) throws(ConversionError) {
    do throws(AudioFileError) {
      try file.commit(replacing: settings.existing == .replace)
    } catch {
      throw .file(error)
    }
  }
}

/// Runs work on files, telling its errors as conversion errors.
private func reading<Result: ~Copyable>(
  _ work: () throws(AudioFileError) -> Result
) throws(ConversionError) -> Result {
  do throws(AudioFileError) {
    return try work()
  } catch {
    throw .file(error)
  }
}
