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

  /// A signal ended the work: 130 for SIGINT, 143 for SIGTERM, as in a shell.
  static func interrupted(bySignal signal: Int32) -> Int32 { 128 + signal }
}
