// The library example of README.md, which a test compares with what follows this line.
import ScaleAudio

/// Converts every audio file in a folder into `NAME-x1.5` beside it; returns the frames written.
func scaleEveryFile(in folder: FilePath, by factor: Double) async throws -> Int {
  var framesWritten = 0
  for await event in try scaleFolder(folder, by: factor) {
    switch event {
    case .finished(let job, let report):
      framesWritten += report.outputFrames
      print("\(job.work.output.path): \(report.outputFrames) frames")
    case .failed(_, let error):
      print(error.message)
    default:
      break
    }
  }
  return framesWritten
}
