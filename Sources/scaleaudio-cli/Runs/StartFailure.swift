import ScaleAudio
import ScaleAudioRuns

/// Why a run ended before anything was started.
struct StartFailure {
  /// The message, line by line.
  let lines: [String]
  /// The exit status.
  let status: Int32

  init(_ error: any Error) {
    switch error {
    case let error as PlanningError:
      self.init(error.fullMessage.split(separator: "\n").map(String.init), ExitStatus.usage)
    case let error as AudioFileError: self.init(error)
    case RunError.file(let error): self.init(error)
    case let error as RunError:
      self.init(error.fullMessage.split(separator: "\n").map(String.init), ExitStatus.usage)
    case TimeMapRequest.ReadingError.file(let error): self.init(error)
    case let error as any ErrorWithRemedy: self.init([error.fullMessage], ExitStatus.usage)
    default: self.init(["\(error)"], ExitStatus.usage)
    }
  }

  private init(_ error: AudioFileError) {
    self.init([error.fullMessage], error.isWorthRetrying ? ExitStatus.tryAgain : ExitStatus.noInput)
  }

  private init(_ lines: [String], _ status: Int32) {
    self.lines = lines
    self.status = status
  }
}
