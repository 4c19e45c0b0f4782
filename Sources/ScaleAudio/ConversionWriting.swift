extension Conversion {
  /// What came of writing an output.
  struct Written {
    let route: RouteOutcome
    /// What the user should know of the file.
    let warnings: [String]
    /// What of the source the format could not hold.
    let notCarried: [String]
  }

  /// Writes the whole content of the output.
  func write(
    _ plan: ScalingPlan, from reader: any AudioFileReader, of input: borrowing InputFile,
    to file: borrowing OutputFile, cancellation: Cancellation,
    onProgress: (ConversionProgress) -> Void
  ) throws(ConversionError) -> Written {
    let total = reader.source.frameCount
    let sampleRate = plan.output.spec.sampleRate
    let writer: any AudioFileWriter
    do throws(AudioFileError) {
      writer = try AudioFile.writer(to: file, as: plan.output)
    } catch {
      throw .file(error)
    }
    func report(_ frames: Int) throws(ConversionError) {
      if cancellation.isCancelled { throw .cancelled }
      onProgress(
        ConversionProgress(frames: frames, totalFrames: total, sampleRate: sampleRate))
    }
    let route: RouteOutcome
    if plan.level == nil, let interpolation = plan.method.interpolation {
      let clipping = try SampleRoute(
        reader: reader, writer: writer, plan: plan, interpolation: interpolation,
        path: input.path
      ).run(onBlock: report)
      route = RouteOutcome(clipping: clipping)
    } else {
      route = try FloatRoute(
        reader: reader, writer: writer, plan: plan, path: input.path
      ).run(onBlock: report) { () throws(ConversionError) in
        try openReader(of: input)
      }
    }
    try onFiles { () throws(AudioFileError) in try writer.finish() }
    return Written(
      route: route, warnings: writer.warnings, notCarried: writer.notCarried)
  }

  /// An encoder's failure with the cause that the file system gives, where it has one.
  static func explained(
    _ error: ConversionError, _ file: borrowing OutputFile
  ) -> ConversionError {
    guard case .file(.encoderFailed(let path, _)) = error, let code = file.writeFailure() else {
      return error
    }
    return .file(.cannotWrite(path, code))
  }
}

/// Runs work on files, telling its errors as conversion errors.
func onFiles<Result: ~Copyable>(
  _ work: () throws(AudioFileError) -> Result
) throws(ConversionError) -> Result {
  do throws(AudioFileError) {
    return try work()
  } catch {
    throw .file(error)
  }
}
