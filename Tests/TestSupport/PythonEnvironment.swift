import Foundation

/// The Python environment that `scripts/setup --test` creates, which tests and scripts share.
public enum PythonEnvironment {
  /// The folder of the interpreter, whatever the scratch path of the build.
  static let programs = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent(".build/python/bin").path

  /// This process's environment variables, with the folder of the interpreter first in PATH.
  ///
  /// - Throws: `Missing` when `scripts/setup --test` has not run in this checkout.
  static func variables() throws -> [String: String] {
    guard FileManager.default.isExecutableFile(atPath: "\(programs)/python3") else {
      throw Missing()
    }
    var variables = ProcessInfo.processInfo.environment
    variables["PATH"] = variables["PATH"].map { "\(programs):\($0)" } ?? programs
    return variables
  }

  struct Missing: Error, CustomStringConvertible {
    var description: String { "\(programs) has no python3; run scripts/setup --test" }
  }
}
