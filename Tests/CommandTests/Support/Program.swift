import ArgumentParser
import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import scaleaudio_cli

/// The program under test: the real executable, beside the tests in the build folder, or the one that
/// `SCALEAUDIO_PROGRAM` names.
enum Program {
  static let path: String = {
    if let named = ProcessInfo.processInfo.environment["SCALEAUDIO_PROGRAM"] { return named }
    var places = ["/proc/self/exe", CommandLine.arguments[0]]
    if let option = CommandLine.arguments.firstIndex(of: "--test-bundle-path") {
      places.append(CommandLine.arguments[option + 1])
    }
    for place in places {
      var folder = URL(fileURLWithPath: place).resolvingSymlinksInPath()
      for _ in 0..<4 {
        folder.deleteLastPathComponent()
        let candidate = folder.appendingPathComponent("scaleaudio").path
        if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
      }
    }
    preconditionFailure("scaleaudio was not built beside the tests")
  }()

  /// Runs it to its end.
  static func run(
    _ arguments: String..., in folder: FilePath, input: [UInt8] = []
  ) throws -> Tool {
    try Tool.run(path, arguments, in: folder, input: input)
  }

  /// The exit status and the message for arguments that are refused when they are parsed, found in this
  /// process; `nil` where they are accepted.
  static func refusal(of arguments: [String]) -> (status: Int32, message: String)? {
    do {
      _ = try ScaleAudioCommand.parseAsRoot(arguments)
      return nil
    } catch {
      return (
        ScaleAudioCommand.exitCode(for: error).rawValue, ScaleAudioCommand.fullMessage(for: error)
      )
    }
  }

  /// The request that arguments of `convert` make, found in this process.
  static func request(of arguments: [String]) throws -> BatchRequest {
    let expanded = PresetExpansion(arguments, commands: ScaleAudioCommand.commandNames).all
    let command = try #require(try ScaleAudioCommand.parseAsRoot(expanded) as? ConvertCommand)
    var request = command.options.request(command.input, command.track)
    request.inputs = try command.input.inputs(Cancellation())
    try request.readMap(command.options.map, Cancellation())
    return request
  }

  /// Makes the outputs that arguments of `convert` request, in this process, without starting the program.
  static func convert(_ arguments: [String]) throws {
    for job in try Batch(request(of: arguments)).jobs { _ = try job.work.run() }
  }

  /// The outputs that arguments of `convert` name, found in this process.
  static func outputs(of arguments: [String]) throws -> [String] {
    try Batch(request(of: arguments)).jobs.map(\.work.output.path.string)
  }

  /// Runs a line of bash to its end, with `$scaleaudio` being the program.
  static func shell(_ line: String, in folder: FilePath, input: [UInt8] = []) throws -> Tool {
    try Tool.run(
      "bash", ["-c", line], in: folder, input: input, environment: ["scaleaudio": path])
  }
}

extension Workbench {
  /// Converts one file, which must succeed; returns the JSON and the standard error.
  func convert(_ arguments: [String]) throws -> (record: [String: Any], reported: String) {
    let run = try Tool.run(
      Program.path, ["--json", "--overwrite"] + arguments, in: folder.path
    ).succeeded()
    let record = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
    return (try #require(record), run.errorText)
  }

  /// Runs `scaleaudio info --json` on one file, which must succeed unless stated otherwise.
  func info(_ name: String, _ options: String..., status: Int32 = 0) throws -> [String: Any] {
    let run = try Tool.run(Program.path, ["info", "--json"] + options + [name], in: folder.path)
    try #require(run.status == status, "\(name): \(run.errorText)")
    let record = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
    return try #require(record)
  }
}
