/// What the process's exit status says.
enum ExitStatus {
  /// Everything was done; skipped files included.
  static let success: Int32 = 0
  /// Some inputs failed.
  static let someFailed: Int32 = 1
  /// The command line makes no sense (EX_USAGE of sysexits.h).
  static let usage: Int32 = 64
  /// No input was found (EX_NOINPUT).
  static let noInput: Int32 = 66
  /// The machine was at fault, and trying again may help (EX_TEMPFAIL).
  static let tryAgain: Int32 = 75

  /// A signal ended the work, as a shell says it: 130 for SIGINT, 143 for SIGTERM.
  static func interrupted(bySignal signal: Int32) -> Int32 { 128 + signal }
}
