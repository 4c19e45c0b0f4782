import Foundation

/// The environment variables of the programs that tests start, the same on every machine.
enum ToolEnvironment {
  /// The root of the checkout.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The Python environment's programs, which scripts use too, regardless of the scratch path of the build.
  static let pythonPrograms = root.appendingPathComponent(".build/python/bin").path

  /// The folders in which programs are looked up: the Python environment first, then this process's PATH.
  static let folders =
    [pythonPrograms]
    + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    .map(String.init)

  /// This process's environment variables with the Python environment first in PATH, a UTF-8 locale,
  /// without which flac and oggenc replace characters in tags, and no configuration file.
  static let variables: [String: String] = {
    var variables = ProcessInfo.processInfo.environment
    variables["PATH"] = folders.joined(separator: ":")
    variables["LC_ALL"] = "C.UTF-8"
    // Nobody's own defaults.
    variables["SCALEAUDIO_CONFIG"] = ""
    return variables
  }()
}
