import Foundation
import ScaleAudio
import TestSupport

/// The program while it works, for disturbing it.
final class RunningProgram {
  private let process = Process()

  /// Starts it with the usual disposition of signals, regardless of that of the tests.
  init(_ arguments: [String], in folder: FilePath) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["--default-signal=INT,TERM,HUP", Program.path] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["SCALEAUDIO_CONFIG": ""]) {
      $1
    }
    process.currentDirectoryURL = URL(fileURLWithPath: folder.string)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  var isRunning: Bool { process.isRunning }

  /// The number of bytes that it has written to files so far; 0 where the kernel does not count them.
  var bytesWritten: Int {
    let counts = try? String(
      contentsOfFile: "/proc/\(process.processIdentifier)/io", encoding: .utf8)
    let line = counts?.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
    return line.flatMap { Int($0.dropFirst("wchar: ".count)) } ?? 0
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// The exit status, or minus the number of the signal that killed it, once it is over.
  func wait() -> Int32 {
    process.waitUntilExit()
    let status = process.terminationStatus
    return process.terminationReason == .uncaughtSignal ? -status : status
  }
}
