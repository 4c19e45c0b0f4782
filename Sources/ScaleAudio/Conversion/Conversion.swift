internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// The conversion of one file: reader, scaler, writer.
///
/// ```swift
/// let conversion = Conversion(
///   input: .file("in.flac"), output: .file("in-x1.5.flac"),
///   settings: ConversionSettings(time: .factor(factor)))
/// let report = try conversion.run()
/// ```
public struct Conversion: Hashable, Sendable {
  /// The audio to read.
  public var input: ConversionInput
  /// The file or stream to write.
  public var output: ConversionOutput
  /// The sound, encoding and tags of the output.
  public var settings: ConversionSettings {
    get { sharedSettings.value }
    set { sharedSettings.value = newValue }
  }
  /// How files are treated.
  public var files: FilePolicy
  /// The level of the album that the input belongs to, once it was measured; `nil` for a level of its own.
  var albumLevel: AlbumLevel?
  /// The album that the input is scaled with as one stream; `nil` for a stream of its own.
  var gapless: GaplessPlace?
  /// The reason that the input is not joined to the one before it, for a warning; `nil` if nothing is to be said.
  var gaplessNote: String?

  /// Shared, because settings take several times the memory of the paths, and thousands of conversions have the same.
  private var sharedSettings: Shared<ConversionSettings>

  /// A conversion of `input` into `output`.
  public init(
    input: ConversionInput, output: ConversionOutput, settings: ConversionSettings,
    files: FilePolicy = FilePolicy()
  ) {
    self.input = input
    self.output = output
    sharedSettings = Shared(settings)
    self.files = files
  }

  /// Converts in bounded memory, on the calling thread and, for a long file, on other threads while cores are free.
  ///
  /// Nothing exists under the output's name until it is complete. A missing output folder is created, and
  /// removed again if the conversion fails. The source is only read.
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

  /// The report of a conversion, and the state of the source that was read.
  struct Outcome {
    var report: ConversionReport
    /// `nil` for a source that came through a pipe.
    let sourceStamp: FileStamp?
  }

  /// Converts. If it fails, the caller removes the folders that it created.
  func perform(
    making folders: CreatedFolders, cancellation: Cancellation,
    onProgress: (ConversionProgress) -> Void
  ) throws(ConversionError) -> Outcome {
    CoreBudget.shared.occupy()
    defer { CoreBudget.shared.release() }
    do throws(ConversionError) {
      return try convert(making: folders, cancellation: cancellation, onProgress: onProgress)
    } catch {
      // A cancelled wait ends as an interrupted read.
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
    do throws(ConversionError) {
      return try convertAsIs(making: folders, cancellation: cancellation, onProgress: onProgress)
    } catch {
      guard let place = gapless, place.isOfNeighbor(error), !cancellation.isCancelled else {
        throw error
      }
      var outcome = try alone.convertAsIs(
        making: folders, cancellation: cancellation, onProgress: onProgress)
      outcome.report.warnings.append(
        AudioWarning(.gapless, "scaled without the tracks beside it: \(error.message)"))
      return outcome
    }
  }

  /// The same conversion of a stream of its own.
  private var alone: Conversion {
    var alone = self
    (alone.gapless, alone.settings.gapless) = (nil, nil)
    return alone
  }

  private func convertAsIs(
    making folders: CreatedFolders, cancellation: Cancellation,
    onProgress: (ConversionProgress) -> Void
  ) throws(ConversionError) -> Outcome {
    let start = ContinuousClock.now
    let input = try ConversionError.files(
      self.input.opened(
        cancellation, raw: files.raw, tagEncoding: files.tagEncoding, beneath: files.inputRoots))
    do throws(ConversionError) {
      return try convert(
        input, from: start, making: folders, cancellation: cancellation, onProgress: onProgress)
    } catch .file(let error) where !cancellation.isCancelled {
      throw .file(error.checked(by: input, salvages: files.salvages, track: settings.track))
    }
  }

  private func convert(
    _ input: borrowing InputFile, from start: ContinuousClock.Instant,
    making folders: CreatedFolders, cancellation: Cancellation,
    onProgress: (ConversionProgress) -> Void
  ) throws(ConversionError) -> Outcome {
    let times = files.keepsFileTimes ? FileTimes(of: input) : nil
    try ConversionError.check(output, against: input.identity, existing: files.existing)
    let opened = try openReader(of: input)
    let (settings, tempo) = try settingsAtTempo(of: input, opened, cancellation)
    let plan = try ConversionPlan(
      source: opened.source, settings: settings, input: self.input.path, path: output.path,
      album: albumLevel, gapless: gapless)
    let reader = plan.reader(of: opened)
    if cancellation.isCancelled { throw .cancelled }
    let file = try ConversionError.files(
      output.created(in: folders, beneath: files.outputRoots, cancellation))
    let sidecars = try ConversionError.files(prepareSidecars(source: opened.source, plan: plan))
    let written: Written
    do throws(ConversionError) {
      written = try write(
        plan, from: reader, of: input, to: file, cancellation: cancellation,
        onProgress: onProgress
      ) { (writer) throws(ConversionError) in
        guard files.refusesLosses else { return }
        let losses = plan.losses(
          of: opened.source, writer, sidecars: sidecars?.warnings ?? [])
        if !losses.isEmpty { throw .wouldLose(input.path, losses) }
      }
    } catch {
      throw Self.explained(error, file)
    }
    try ConversionError.files(input.checkUnchanged())
    if let times { try ConversionError.files(times.apply(to: file)) }
    try publish(file, cancellation)
    sidecars?.commit()
    let picture = drawPicture(of: input, plan, cancellation)
    let notCarried = plan.metadata.notCarried(besides: written.notCarried)
    var clipping = reader.clipping
    clipping.add(written.samples.clipping)
    var report = ConversionReport(
      source: opened.source, format: plan.output.format, spec: plan.output.spec,
      outputFrames: plan.output.frameCount, factor: plan.factor, method: settings.method,
      clippedSamples: clipping.count,
      seconds: (.now - start) / .seconds(1),
      warnings: reader.source.warnings
        + Self.warnings(nonFinite: reader.nonFiniteSamples + written.samples.nonFiniteSamples)
        + plan.warnings + written.warnings.map { AudioWarning(.output, $0) }
        + CarriedMetadata.warnings(about: notCarried)
        + (sidecars?.warnings ?? []) + picture.warnings,
      sampleFormat: plan.samples.stored, notCarried: notCarried,
      staleTags: plan.metadata.staleTags)
    report.tempo = tempo
    report.gaplessTrack = gapless.map { $0.index + 1 }
    report.gaplessTracks = gapless?.album.tracks.count
    if let gaplessNote { report.warnings.append(AudioWarning(.gapless, gaplessNote)) }
    report.part = plan.part?.frames
    if !plan.pieces.isEmpty {
      report.scaledParts = plan.pieces.filter(\.isScaled).map(\.frames)
      report.partFactor = plan.piecesFactor
    }
    report.clippedDecibels = clipping.decibels
    if settings.level != .unchanged {
      report.gainDecibels = (written.samples.gain ?? 1).decibels
    }
    report.add(written.samples, asked: settings.level, albumLevel)
    report.sidecars = sidecars?.outputs ?? []
    report.picture = picture.path
    addChecksum(to: &report, cancellation)
    if files.hashesFile, case .file(let path) = output { report.file = state(of: path) }
    return Outcome(report: report, sourceStamp: input.stamp)
  }

  private static func warnings(nonFinite count: Int) -> [AudioWarning] {
    if count == 0 { return [] }
    let samples = count == 1 ? "1 sample is" : "\(count) samples are"
    return [AudioWarning(.notFinite, "\(samples) not finite (NaN or infinity): replaced by zero")]
  }

  // MARK: - Planning

  /// The output that ``run(cancellation:onProgress:)`` would make; throws the error with which it would fail before it
  /// encodes anything. Reads what is needed for an exact length, and writes nothing.
  public func planned(
    cancellation: Cancellation = Cancellation()
  ) throws(ConversionError) -> PlannedOutput {
    let input = try ConversionError.files(
      self.input.opened(
        cancellation, raw: files.raw, tagEncoding: files.tagEncoding, beneath: files.inputRoots))
    try ConversionError.check(output, against: input.identity, existing: files.existing)
    let opened = try openReader(of: input)
    let settings = try settingsAtTempo(of: input, opened, cancellation).0
    let plan = try ConversionPlan(
      source: opened.source, settings: settings, input: self.input.path, path: output.path,
      gapless: gapless)
    let file = try ConversionError.files(OutputFile(unpublished: output.path))
    let writer = try ConversionError.files(AudioFile.writer(to: file, as: plan.output))
    var planned = PlannedOutput(plan, of: opened.source, path: output.path)
    planned.losses = plan.losses(
      of: opened.source, writer, sidecars: try sidecarWarnings(source: opened.source, plan: plan))
    if files.refusesLosses, !planned.losses.isEmpty {
      throw .wouldLose(self.input.path, planned.losses)
    }
    if let bytes = writer.plannedBytes {
      planned.bytes = .exact(bytes)
    } else {
      planned.bytes = .estimated(plan.estimatedBytes(of: opened.source, fileBytes: input.size))
    }
    return planned
  }

  // MARK: - Measuring

  /// Measures the scaled samples for the level of an album, after a limiter if a search is given.
  func measured(
    limitedBy search: LimitSearch?, cancellation: Cancellation
  ) throws(ConversionError) -> AlbumPart {
    do throws(ConversionError) {
      return try measuredAsIs(limitedBy: search, cancellation: cancellation)
    } catch {
      guard let place = gapless, place.isOfNeighbor(error) else { throw error }
      return try alone.measuredAsIs(limitedBy: search, cancellation: cancellation)
    }
  }

  private func measuredAsIs(
    limitedBy search: LimitSearch?, cancellation: Cancellation
  ) throws(ConversionError) -> AlbumPart {
    let input = try ConversionError.files(
      self.input.opened(
        cancellation, raw: files.raw, tagEncoding: files.tagEncoding, beneath: files.inputRoots))
    let opened = try openReader(of: input)
    let settings = try settingsAtTempo(of: input, opened, cancellation).0
    let plan = try ConversionPlan(
      source: opened.source, settings: settings, input: self.input.path, path: output.path,
      gapless: gapless)
    return try Passes(
      plan: plan, reader: plan.reader(of: opened), writer: nil, path: self.input.path
    ).measured(limitedBy: search) { (_) throws(ConversionError) in
      if cancellation.isCancelled { throw .cancelled }
    } reopen: { () throws(ConversionError) in
      plan.reader(of: try openReader(of: input))
    }
  }

  // MARK: - Opening

  private func openReader(
    of input: borrowing InputFile
  ) throws(ConversionError) -> any FrameStream {
    try ConversionError.files(
      AudioFile.reader(for: input, salvaging: files.salvages, track: settings.track))
  }

  /// The settings with the factor for a requested tempo, and the tempo of the source, for which the sound is read if
  /// nothing states it.
  private func settingsAtTempo(
    of input: borrowing InputFile, _ opened: any FrameStream, _ cancellation: Cancellation
  ) throws(ConversionError) -> (ConversionSettings, SourceTempo?) {
    guard case .bpm(_, from: nil) = settings.time,
      SourceTempo(statedBy: opened.source, named: self.input.path) == nil
    else { return try settings.atTempo(of: opened.source, input: self.input.path) }
    let reader = try openReader(of: input)
    let found = try ConversionError.files(
      SourceTempo.estimate(
        reader, path: self.input.path, isCancelled: { cancellation.isCancelled }))
    return try settings.atTempo(of: opened.source, input: self.input.path) { found }
  }

  // MARK: - Writing

  /// The result of writing an output.
  private struct Written {
    let samples: Passes.Result
    /// Warnings for the user about the file.
    let warnings: [String]
    /// The metadata that the format could not hold.
    let notCarried: [MetadataLoss]
  }

  /// Writes the whole content of the output. `check` may refuse a writer before it gets the first frame and after the
  /// last.
  private func write(
    _ plan: ConversionPlan, from reader: any FrameStream, of input: borrowing InputFile,
    to file: borrowing OutputFile, cancellation: Cancellation,
    onProgress: (ConversionProgress) -> Void,
    check: (any AudioFileWriter) throws(ConversionError) -> Void
  ) throws(ConversionError) -> Written {
    let writer = try ConversionError.files(AudioFile.writer(to: file, as: plan.output))
    try check(writer)
    func report(_ frames: Int) throws(ConversionError) {
      if cancellation.isCancelled { throw .cancelled }
      onProgress(
        ConversionProgress(
          frames: frames, totalFrames: reader.source.frameCount,
          sampleRate: reader.source.spec.sampleRate))
    }
    if !plan.pieces.isEmpty {
      let samples = try PiecePasses(
        plan: plan, settings: settings, writer: writer, path: input.path
      ).run(source: reader.source, onBlock: report) { () throws(ConversionError) in
        plan.reader(of: try openReader(of: input))
      }
      try ConversionError.files(writer.finish())
      try check(writer)
      return Written(samples: samples, warnings: writer.warnings, notCarried: writer.notCarried)
    }
    let samples = try Passes(
      plan: plan, reader: reader, writer: writer, path: input.path
    ).run(onBlock: report) { () throws(ConversionError) in
      plan.reader(of: try openReader(of: input))
    }
    try ConversionError.files(writer.finish())
    try check(writer)
    return Written(
      samples: samples, warnings: writer.warnings, notCarried: writer.notCarried)
  }

  /// An encoder's failure, with the cause that the file system reports, if any.
  private static func explained(
    _ error: ConversionError, _ file: borrowing OutputFile
  ) -> ConversionError {
    guard case .file(.encoderFailed(let path, _, _)) = error, let code = file.writeFailure() else {
      return error
    }
    return .file(.cannotWrite(path, code))
  }

  private func publish(
    _ file: consuming OutputFile, _ cancellation: Cancellation
  ) throws(ConversionError) {
    if cancellation.isCancelled { throw .cancelled }
    do throws(AudioFileError) {
      try file.commit(
        replacing: files.existing == .replace, keepingReplaced: files.keepsReplaced,
        syncing: files.syncsOutput,
        isCancelled: { cancellation.isCancelled })
    } catch {
      throw .file(error)
    }
  }

  // MARK: - Beside the output

  /// The sidecars of the input, if the settings request them and both input and output are files.
  private func prepareSidecars(
    source: SourceDescription, plan: ConversionPlan
  ) throws(AudioFileError) -> SidecarConversion? {
    guard files.scalesSidecars, case .file(let input) = input, case .file(let output) = output,
      !OutputPlace.isStream(output)
    else { return nil }
    return try SidecarConversion(
      input: input, output: output, source: source, plan: plan, files: files)
  }

  /// The warnings about the sidecars of the input, without writing any.
  private func sidecarWarnings(
    source: SourceDescription, plan: ConversionPlan
  ) throws(ConversionError) -> [AudioWarning] {
    guard files.scalesSidecars, case .file(let input) = input, case .file(let output) = output,
      !OutputPlace.isStream(output)
    else { return [] }
    return SidecarConversion.warnings(
      input: input, output: output, source: source, plan: plan, files: files)
  }

  /// Reads the samples of the output again, if the settings request it and the output is a file.
  private func addChecksum(to report: inout ConversionReport, _ cancellation: Cancellation) {
    guard files.hashesSamples, case .file(let output) = output, !OutputPlace.isStream(output) else {
      return
    }
    let request = InspectionRequest(hashesSamples: true, raw: report.raw)
    do throws(AudioFileError) {
      let found = try InspectionReport(of: .file(output), request, cancellation: cancellation)
      report.samplesSHA256 = found.samplesSHA256
    } catch {
      if !cancellation.isCancelled {
        report.warnings.append(AudioWarning(.checksum, "no checksum: \(error.cause)"))
      }
    }
  }

  /// The state of the output; `nil` if it is gone already.
  private func state(of path: FilePath) -> OutputFileState? {
    guard let stamp = FileStatus(path: path)?.stamp, let digest = try? FileChecksum.of(path) else {
      return nil
    }
    return OutputFileState(size: stamp.size, modified: stamp.modified, sha256: digest)
  }

  /// Draws the picture beside the output, if the settings request one and the output is a file.
  private func drawPicture(
    of input: borrowing InputFile, _ plan: ConversionPlan, _ cancellation: Cancellation
  ) -> (path: FilePath?, warnings: [AudioWarning]) {
    guard files.drawsPicture, case .file(let output) = output, !OutputPlace.isStream(output) else {
      return (nil, [])
    }
    let picture = ConversionPicture(of: output, files)
    do throws(ConversionError) {
      let warning = picture.draw(
        plan.reader(of: try openReader(of: input)), of: input.path, identity: input.identity,
        cancellation: cancellation)
      return warning.map { (nil, [AudioWarning(.picture, $0)]) } ?? (picture.path, [])
    } catch {
      return (nil, [AudioWarning(.picture, "no picture: \(error.message)")])
    }
  }
}

/// A value that copies share until one of them changes it.
private struct Shared<Value: Hashable & Sendable>: Hashable, Sendable {
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  init(_ value: Value) { box = Box(value) }

  var value: Value {
    get { box.value }
    set { if newValue != box.value { box = Box(newValue) } }
  }

  static func == (one: Self, other: Self) -> Bool {
    one.box === other.box || one.value == other.value
  }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
