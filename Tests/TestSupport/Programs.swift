import Foundation
import Synchronization
public import Testing

/// The programs that tests start, most of which a machine need not have.
///
/// A test that starts one that is missing is skipped, and its name is printed. With `SCALEAUDIO_ALL_PROGRAMS=1`, as in
/// `scripts/test`, it fails.
public enum Programs {
  /// A program that a test needs and the machine does not have.
  struct IsMissing: Error, CustomStringConvertible {
    let name: String

    var description: String { "needs \(name), which scripts/setup --test installs" }
  }

  /// Ends the test that runs, as skipped, when one of these programs is missing.
  public static func require(_ names: String...) throws {
    for name in names where path(of: name) == nil { throw missing(name) }
  }

  /// The error for a program that is missing: the one that skips the test, where a test runs and may be skipped.
  static func missing(_ name: String) -> any Error {
    let error = IsMissing(name: name)
    guard Test.current != nil, !mustHaveAll else { return error }
    if reported.withLock({ $0.insert(name).inserted }) {
      FileHandle.standardError.write(Data("Skipping tests: \(error)\n".utf8))
    }
    do {
      try Test.cancel("\(error)")
    } catch {
      return error
    }
  }

  /// The first file of this name in PATH that can be executed. `python3` is the one in `.build/python` alone, because
  /// no other has the modules.
  static func path(of name: String) -> String? {
    if name.contains("/") { return isExecutable(name) ? name : nil }
    if name == "python3" {
      let python = "\(ToolEnvironment.pythonPrograms)/python3"
      return isExecutable(python) ? python : nil
    }
    return ToolEnvironment.folders.lazy.map { "\($0)/\(name)" }.first(where: isExecutable)
  }

  /// The name of a program that a shell or Python did not find, in what it wrote to standard error.
  static func unfound(in errors: [UInt8]) -> String? {
    let text = String(decoding: errors, as: UTF8.self)
    let shell = /(?m)([\w+-]+): (?:command )?not found$/
    let python = /(?m)^FileNotFoundError: .* '([\w+-]+)'$/
    return (text.firstMatch(of: shell) ?? text.firstMatch(of: python)).map { String($0.1) }
  }

  private static func isExecutable(_ path: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: path)
  }

  private static let mustHaveAll = isSet("SCALEAUDIO_ALL_PROGRAMS")

  /// The missing programs that have been printed.
  private static let reported = Mutex(Set<String>())
}

extension Trait where Self == ConditionTrait {
  /// Skips what takes long, unless `SCALEAUDIO_SLOW_TESTS=1`.
  public static var slow: Self {
    .enabled(if: isSet("SCALEAUDIO_SLOW_TESTS"), "It is slow; SCALEAUDIO_SLOW_TESTS=1 runs it")
  }

  /// Skips what the memory or the runtime of a sanitizer would spoil.
  public static var unsanitized: Self {
    .enabled(if: Sanitizer.inUse == nil, "A sanitizer is in use")
  }
}

extension Tag {
  /// Tests of code that runs on several threads. `scripts/check sanitize-thread` runs them.
  @Tag public static var threaded: Self

  /// Tests of what the package's traits change. `scripts/check traits` runs them without these.
  @Tag public static var packageTraits: Self
}

/// The sanitizer of this build, which `scripts/check` names.
public enum Sanitizer: String, Sendable {
  case address, thread

  /// The one in use.
  public static let inUse = ProcessInfo.processInfo.environment["SCALEAUDIO_SANITIZER"].flatMap(
    Sanitizer.init)
}

/// True when an environment variable has a value other than 0.
private func isSet(_ variable: String) -> Bool {
  !["", "0"].contains(ProcessInfo.processInfo.environment[variable] ?? "")
}
