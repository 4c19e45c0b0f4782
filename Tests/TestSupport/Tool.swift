import Foundation
public import SystemPackage

/// A program run to its end, for comparing with other programs.
public struct Tool: Sendable {
  /// The exit status; for a program that a signal ended, 128 and its number.
  public let status: Int32
  /// What it wrote to standard output.
  public let output: [UInt8]
  /// What it wrote to standard error.
  public let errors: [UInt8]

  /// What it wrote to standard output, as UTF-8.
  public var outputText: String { String(decoding: output, as: UTF8.self) }
  /// What it wrote to standard error, as UTF-8.
  public var errorText: String { String(decoding: errors, as: UTF8.self) }

  /// Runs `name`, looked up in PATH, with the given standard input. `python3` is the one in `.build/python`,
  /// also in shell scripts.
  public static func run(
    _ name: String, _ arguments: [String], in folder: FilePath? = nil, input: [UInt8] = [],
    environment: [String: String] = [:]
  ) throws -> Tool {
    // Files, unlike pipes, never fill up.
    let scratch = try TemporaryFolder()
    defer { withExtendedLifetime(scratch) {} }
    let inputPath = scratch.path.appending("in").string
    let outputPath = scratch.path.appending("out").string
    let errorPath = scratch.path.appending("err").string
    _ = FileManager.default.createFile(atPath: inputPath, contents: Data(input))
    _ = FileManager.default.createFile(atPath: outputPath, contents: nil)
    _ = FileManager.default.createFile(atPath: errorPath, contents: nil)
    let status = try status(
      of: name, arguments, in: folder, reading: inputPath, writing: outputPath, errorPath,
      environment: environment)
    return Tool(
      status: status,
      output: try Array(Data(contentsOf: URL(fileURLWithPath: outputPath))),
      errors: try Array(Data(contentsOf: URL(fileURLWithPath: errorPath))))
  }

  /// Runs a program with files for standard input, output and errors; returns its status.
  private static func status(
    of name: String, _ arguments: [String], in folder: FilePath?, reading input: String,
    writing output: String, _ errors: String, environment: [String: String]
  ) throws -> Int32 {
    if environment.isEmpty, let ready = try ReadyProgram.named(name) {
      return try ready.run(
        arguments, in: folder?.string ?? FileManager.default.currentDirectoryPath,
        input: input, output: output, errors: errors)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder.string) }
    process.environment = try ToolEnvironment.variables().merging(environment) { $1 }
    process.standardInput = FileHandle(forReadingAtPath: input)
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
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
