// The library example of README.md, which a test compares with what follows this line.
import ScaleAudio

/// Writes every audio file in a folder, longer or shorter by a factor, into `NAME-x1.5` beside it.
func scaleFolder(_ folder: FilePath, by factor: TimeFactor) async throws -> Int {
  let settings = ConversionSettings(time: .factor(factor), method: .sinc(quality: .best))
  let naming = OutputNaming(time: .factor(factor))
  let request = BatchRequest(inputs: [.path(folder)], naming: naming, settings: settings)
  var framesWritten = 0
  for await event in Batch(try BatchPlan(request).jobs, workerCount: 2).events() {
    if case .finished(_, let report) = event { framesWritten += report.outputFrames }
  }
  return framesWritten
}
