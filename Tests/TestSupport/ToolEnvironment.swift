import Foundation

/// The environment variables of the programs that tests start, the same on every machine.
enum ToolEnvironment {
  /// The Python environment's programs, which scripts use too, regardless of the scratch path of the build.
  static let pythonPrograms = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent(".build/python/bin").path

  /// This process's environment variables with the Python environment first in PATH, a UTF-8 locale,
  /// without which flac and oggenc replace characters in tags, and no configuration file.
  ///
  /// - Throws: `PythonIsMissing` when `scripts/setup --test` has not run in this checkout.
  static func variables() throws -> [String: String] {
    guard FileManager.default.isExecutableFile(atPath: "\(pythonPrograms)/python3") else {
      throw PythonIsMissing()
    }
    var variables = ProcessInfo.processInfo.environment
    variables["PATH"] = variables["PATH"].map { "\(pythonPrograms):\($0)" } ?? pythonPrograms
    variables["LC_ALL"] = "C.UTF-8"
    // Nobody's own defaults.
    variables["SCALEAUDIO_CONFIG"] = ""
    return variables
  }

  struct PythonIsMissing: Error, CustomStringConvertible {
    var description: String {
      "\(ToolEnvironment.pythonPrograms) has no python3; run scripts/setup --test"
    }
  }
}
