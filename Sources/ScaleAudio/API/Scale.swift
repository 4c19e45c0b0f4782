internal import AudioIO
internal import AudioModel
internal import Dispatch
public import SystemPackage
public import TimeScaling

/// Converts one file to another length.
///
/// ```swift
/// let report = try await scale("in.flac", to: "out.flac", by: 1.5)
/// print(report.outputFrames)
/// ```
///
/// The work runs on a separate thread; cancelling the task stops it at its next block, with
/// ``ConversionError/cancelled``. ``Conversion`` does the same with every setting.
///
/// - Parameters:
///   - input: The file to read.
///   - output: The file to write; its extension chooses the format.
///   - factor: Output length / input length, 0.01 to 100.
///   - method: The method that changes the length: see <doc:Methods>.
///   - files: How files are treated; by default an existing output is an error.
/// - Returns: The report of the finished conversion.
public func scale(
  _ input: FilePath, to output: FilePath, by factor: Double, method: ScalingMethod = .smoothstep,
  files: FilePolicy = FilePolicy()
) async throws(ConversionError) -> ConversionReport {
  guard let time = TimeFactor(factor) else { throw .factorOutOfRange(input, factor: factor) }
  var settings = ConversionSettings(time: .factor(time), method: method)
  do throws(PlanningError) {
    settings.format = try OutputFormat.named(by: output, for: input)
  } catch {
    throw .file(.cannotHold(output, reason: "cannot write this format", remedy: .chooseFormat))
  }
  let conversion = Conversion(
    input: .file(input), output: .file(output), settings: settings, files: files)
  let cancellation = Cancellation()
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "scaleaudio.scale").async {
        continuation.resume(
          returning: Result { () throws(ConversionError) in
            try conversion.run(cancellation: cancellation)
          })
      }
    }
  } onCancel: {
    cancellation.cancel()
  }
  return try result.get()
}

/// Converts every audio file in a folder and its subfolders to another length, several side by side.
///
/// ```swift
/// for await event in try scaleFolder("Music", by: 1.5) {
///   if case .failed(_, let error) = event { print(error.message) }
/// }
/// ```
///
/// The folder is walked before this function returns. The work then runs on separate threads; cancelling
/// the task that consumes the events stops it. ``Batch`` does the same with every setting.
///
/// - Parameters:
///   - folder: The folder to walk.
///   - output: The folder for the outputs, created if missing; `nil` for one beside `folder`, such as
///     `Music-x1.5`.
///   - factor: Output length / input length, 0.01 to 100.
///   - method: The method that changes the length: see <doc:Methods>.
///   - files: How files are treated; by default an existing output is an error.
/// - Returns: The events of the conversions, for one consumer.
public func scaleFolder(
  _ folder: FilePath, to output: FilePath? = nil, by factor: Double,
  method: ScalingMethod = .smoothstep, files: FilePolicy = FilePolicy()
) throws(PlanningError) -> AsyncStream<ConversionEvent> {
  guard let time = TimeFactor(factor) else { throw .factorOutOfRange(factor) }
  var batch = try Batch(
    BatchRequest(
      inputs: [.path(folder)], destination: output.map { .folder($0) } ?? .beside,
      settings: ConversionSettings(time: .factor(time), method: method), files: files))
  batch.workerCount = min(Batch.threadCount, Batch.workerRange.upperBound)
  return batch.events()
}
