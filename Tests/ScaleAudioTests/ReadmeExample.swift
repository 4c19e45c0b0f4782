// The library example of README.md, which a test compares with what follows this line.
import ScaleAudio

/// Converts every audio file in a folder into `NAME-x1.5` beside it; returns the frames written.
func stretchFolder(_ folder: FilePath, by factor: TimeFactor) async throws -> Int {
  let request = BatchRequest(
    inputs: [.path(folder)],
    naming: OutputNaming(time: .factor(factor)),
    settings: ConversionSettings(time: .factor(factor), method: .linear))
  let plan = try BatchPlan(request)

  var framesWritten = 0
  for await event in Batch(plan.jobs, workerCount: 2).events() {
    switch event {
    case .finished(let job, let report):
      framesWritten += report.outputFrames
      print("\(job.conversion.output.path): \(report.outputFrames) frames")
    case .failed(_, let error):
      print(error.message)
    default:
      break
    }
  }
  return framesWritten
}
