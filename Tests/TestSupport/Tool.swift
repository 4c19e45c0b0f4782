import Foundation
public import SystemPackage
public import Testing

/// A program run to its end, for comparing with other programs.
public struct Tool: Sendable {
  /// The exit status; for a program that a signal ended, 128 and its number.
  public let status: Int32
  /// Its standard output.
  public let output: [UInt8]
  /// Its standard error.
  public let errors: [UInt8]

  /// Its standard output, as UTF-8.
  public var outputText: String { String(decoding: output, as: UTF8.self) }
  /// Its standard error, as UTF-8.
  public var errorText: String { String(decoding: errors, as: UTF8.self) }

  /// Runs `name`, looked up in PATH, with the given standard input. `python3` is the one in `.build/python`,
  /// also in shell scripts.
  ///
  /// The test is skipped when the program is missing. A run of `ffmpeg` or `ffprobe` that was made before, with the same
  /// arguments and files, is not made again.
  public static func run(
    _ name: String, _ arguments: [String], in folder: FilePath? = nil, input: [UInt8] = [],
    environment: [String: String] = [:]
  ) throws -> Tool {
    guard let program = Programs.path(of: name) else { throw Programs.missing(name) }
    let recording =
      environment.isEmpty
      ? try RecordedRun(of: program, arguments, in: folder, input: input) : nil
    if let made = try? recording?.replayed() { return made }
    let tool = try start(name, arguments, in: folder, input: input, environment: environment)
    if ["bash", "sh", "python3"].contains(name), let unfound = Programs.unfound(in: tool.errors),
      Programs.path(of: unfound) == nil
    {
      throw Programs.missing(unfound)
    }
    // Without a record, it is made again.
    try? recording?.record(tool)
    return tool
  }

  /// The same run, which must have succeeded; otherwise the test ends.
  @discardableResult
  public func succeeded(sourceLocation: SourceLocation = #_sourceLocation) throws -> Tool {
    try #require(status == 0, "\(outputText)\(errorText)", sourceLocation: sourceLocation)
    return self
  }

  private static func start(
    _ name: String, _ arguments: [String], in folder: FilePath?, input: [UInt8],
    environment: [String: String]
  ) throws -> Tool {
    // Files, unlike pipes, never fill up.
    let scratch = try TemporaryFolder()
    defer { withExtendedLifetime(scratch) {} }
    let files = ["in", "out", "err"].map { scratch.path.appending($0).string }
    for (file, bytes) in zip(files, [input, [], []]) {
      _ = FileManager.default.createFile(atPath: file, contents: Data(bytes))
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Threads of the test library block signals, and a child of theirs inherits that: `kill` in a script would do nothing.
    process.arguments = ["--default-signal=INT,TERM,HUP", name] + arguments
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder.string) }
    process.environment = ToolEnvironment.variables.merging(environment) { $1 }
    process.standardInput = FileHandle(forReadingAtPath: files[0])
    process.standardOutput = FileHandle(forWritingAtPath: files[1])
    process.standardError = FileHandle(forWritingAtPath: files[2])
    try process.run()
    process.waitUntilExit()
    return Tool(
      status: process.terminationReason == .uncaughtSignal
        ? 128 + process.terminationStatus : process.terminationStatus,
      output: try Array(Data(contentsOf: URL(fileURLWithPath: files[1]))),
      errors: try Array(Data(contentsOf: URL(fileURLWithPath: files[2]))))
  }
}

/// A folder that goes when nothing refers to it any more.
public final class TemporaryFolder: Sendable {
  /// Its path.
  public let path: FilePath

  /// Creates an empty folder.
  public init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("scaleaudio-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = FilePath(url.path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path.string) }

  /// The path of a file of this name in the folder.
  public func file(_ name: String) -> FilePath { path.appending(name) }

  /// The names in the folder, hidden ones too, sorted.
  public func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path.string).sorted()
  }
}
