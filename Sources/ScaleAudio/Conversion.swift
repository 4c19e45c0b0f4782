/// The conversion of one file: reader, scaler, writer.
///
/// ```swift
/// let conversion = Conversion(
///   input: .file("in.flac"), output: .file("in-x1.5.flac"),
///   settings: ConversionSettings(time: .factor(factor)))
/// let report = try conversion.run()
/// ```
public struct Conversion: Hashable, Sendable {
  /// What to read.
  public var input: ConversionInput
  /// What to make.
  public var output: ConversionOutput
  /// The sound, encoding and tags of the output.
  public var settings: ConversionSettings
  /// How files are treated.
  public var files: FilePolicy

  /// A conversion of `input` into `output`.
  public init(
    input: ConversionInput, output: ConversionOutput, settings: ConversionSettings,
    files: FilePolicy = FilePolicy()
  ) {
    self.input = input
    self.output = output
    self.settings = settings
    self.files = files
  }

  /// Converts, in bounded memory, on the calling thread and, for a long file, on others while cores are free.
  ///
  /// Nothing exists under the output's name until the whole of it does; a missing output folder is
  /// made, and taken away again when the conversion fails. The source is only ever read.
  ///
  /// - Parameters:
  ///   - cancellation: Stops the work at its next block, with ``ConversionError/cancelled``.
  ///   - onProgress: Called after each block, on the calling thread.
  public func run(
    cancellation: Cancellation = Cancellation(),
    onProgress: (ConversionProgress) -> Void = { _ in }
  ) throws(ConversionError) -> ConversionReport {
    let folders = CreatedFolders()
    do throws(ConversionError) {
      return try perform(making: folders, cancellation: cancellation, onProgress: onProgress).report
    } catch {
      folders.removeEmpty()
      throw error
    }
  }

  /// What was made, and of which state of the source.
  struct Outcome {
    let report: ConversionReport
    /// `nil` for a source that came through a pipe.
    let sourceStamp: FileStamp?
  }

  /// Converts; folders that it makes are the caller's to take away.
  func perform(
    making folders: CreatedFolders, cancellation: Cancellation,
    onProgress: (ConversionProgress) -> Void
  ) throws(ConversionError) -> Outcome {
    CoreBudget.shared.occupy()
    defer { CoreBudget.shared.release() }
    do throws(ConversionError) {
      return try convert(making: folders, cancellation: cancellation, onProgress: onProgress)
    } catch {
      // A wait that was cancelled ends as an interrupted read.
      if cancellation.isCancelled, case .file(.cannotRead(_, .interrupted)) = error {
        throw .cancelled
      }
      throw error
    }
  }

  private func convert(
    making folders: CreatedFolders, cancellation: Cancellation,
    onProgress: (ConversionProgress) -> Void
  ) throws(ConversionError) -> Outcome {
    let clock = ContinuousClock()
    let start = clock.now
    let input = try openInput(cancellation)
    let times = files.keepsFileTimes ? FileTimes(of: input) : nil
    try ConversionError.check(output, against: input.identity, existing: files.existing)
    let reader = try openReader(of: input)
    let plan = try ScalingPlan(
      source: reader.source, settings: settings, input: self.input.path, path: output.path)
    if cancellation.isCancelled { throw .cancelled }
    let file = try onFiles { () throws(AudioFileError) in try output.created(in: folders) }
    let sidecars = try onFiles { () throws(AudioFileError) in
      try prepareSidecars(source: reader.source, plan: plan)
    }
    let written: Written
    do throws(ConversionError) {
      written = try write(
        plan, from: reader, of: input, to: file, cancellation: cancellation,
        onProgress: onProgress)
    } catch {
      throw Self.explained(error, file)
    }
    try onFiles { () throws(AudioFileError) in try input.checkUnchanged() }
    if let times {
      try onFiles { () throws(AudioFileError) in try times.apply(to: file) }
    }
    try publish(file, cancellation)
    sidecars?.commit(syncing: files.syncsOutput)
    let picture = drawPicture(of: input, cancellation)
    let notCarried = plan.attachments.notCarried(besides: written.notCarried)
    var clipping = reader.clipping
    clipping.add(written.route.clipping)
    var report = ConversionReport(
      source: reader.source, format: plan.output.format, spec: plan.output.spec,
      outputFrames: plan.output.frameCount, factor: plan.factor, method: settings.method,
      clippedSamples: clipping.count,
      seconds: (clock.now - start) / .seconds(1),
      warnings: reader.source.warnings + Self.warnings(nonFinite: reader.nonFiniteSamples)
        + plan.warnings + written.warnings + AttachmentPlan.warnings(about: notCarried)
        + (sidecars?.warnings ?? []) + picture.warnings,
      sampleFormat: plan.samples.stored, notCarried: notCarried,
      staleTags: plan.attachments.staleTags)
    report.clippedDecibels = clipping.decibels
    if settings.level != .unchanged {
      report.gainDecibels = (written.route.gain ?? 1).decibels
    }
    report.sidecars = sidecars?.outputs ?? []
    report.picture = picture.path
    return Outcome(report: report, sourceStamp: input.stamp)
  }

  /// What stands beside the input, where that was asked for and both are files.
  private func prepareSidecars(
    source: SourceDescription, plan: ScalingPlan
  ) throws(AudioFileError) -> SidecarConversion? {
    guard files.scalesSidecars, case .file(let input) = input, case .file(let output) = output
    else { return nil }
    return try SidecarConversion(
      input: input, output: output, source: source, plan: plan, existing: files.existing)
  }

  /// Draws the picture beside the output, where one was asked for and the output is a file.
  private func drawPicture(
    of input: borrowing InputFile, _ cancellation: Cancellation
  ) -> (path: FilePath?, warnings: [String]) {
    guard files.drawsPicture, case .file(let output) = output else { return (nil, []) }
    let picture = ConversionPicture(of: output, existing: files.existing)
    do throws(ConversionError) {
      let warning = picture.draw(
        try openReader(of: input), of: input.path, identity: input.identity,
        cancellation: cancellation)
      return warning.map { (nil, [$0]) } ?? (picture.path, [])
    } catch {
      return (nil, ["no picture: \(error.message)"])
    }
  }

  private func openInput(_ cancellation: Cancellation) throws(ConversionError) -> InputFile {
    try onFiles { () throws(AudioFileError) in try input.opened(cancellation) }
  }

  func openReader(
    of input: borrowing InputFile
  ) throws(ConversionError) -> any AudioFileReader {
    do throws(AudioFileError) {
      return try AudioFile.reader(
        for: input, salvaging: files.salvages, track: settings.track)
    } catch {
      throw .file(error)
    }
  }

  private static func warnings(nonFinite count: Int) -> [String] {
    if count == 0 { return [] }
    let samples = count == 1 ? "1 sample is" : "\(count) samples are"
    return ["\(samples) no finite number (NaN or infinity): replaced by zero"]
  }

  private func publish(
    _ file: consuming OutputFile, _ cancellation: Cancellation
  ) throws(ConversionError) {
    if cancellation.isCancelled { throw .cancelled }
    do throws(AudioFileError) {
      try file.commit(
        replacing: files.existing == .replace, syncing: files.syncsOutput,
        isCancelled: { cancellation.isCancelled })
    } catch {
      throw .file(error)
    }
  }
}
