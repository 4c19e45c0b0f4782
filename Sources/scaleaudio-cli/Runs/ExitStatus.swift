internal import Glibc
import ScaleAudio
import ScaleAudioRuns
import SystemPackage

/// The exit statuses of the process.
enum ExitStatus {
  /// Success, including skipped files.
  static let success: Int32 = 0
  /// Some inputs failed.
  static let someFailed: Int32 = 1
  /// The command line is wrong (EX_USAGE of sysexits.h).
  static let usage: Int32 = 64
  /// No input was found (EX_NOINPUT).
  static let noInput: Int32 = 66
  /// A temporary failure of the machine (EX_TEMPFAIL).
  static let tryAgain: Int32 = 75

  /// The configuration file is wrong (EX_CONFIG).
  static let configuration: Int32 = 78

  /// Standard output could not be written. If the reader of a pipe has left, the status is that of a process that SIGPIPE
  /// ends, as of most programs before `head`.
  static func failedOutput(_ failure: Errno?) -> Int32 {
    failure == .brokenPipe ? 128 + SIGPIPE : someFailed
  }

  /// A signal ended the work: 130 for SIGINT, 143 for SIGTERM, as in a shell.
  static func interrupted(bySignal signal: Int32) -> Int32 { 128 + signal }
}

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
