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

  /// Runs a line of bash to its end, with `$scaleaudio` being the program.
  static func shell(_ line: String, in folder: FilePath, input: [UInt8] = []) throws -> Tool {
    try Tool.run(
      "bash", ["-c", line], in: folder, input: input, environment: ["scaleaudio": path])
  }
}

/// Audio that other programs made, for tests to copy.
enum Sound {
  /// Half a second of stereo: 22,050 frames of noise, which nothing mistakes for silence.
  static var wav: [UInt8] { get throws { try wavFile.bytes } }
  private static let wavFile = File("-n -r 44100 -c 2 -b 16 NAME.wav synth 0.5 pinknoise", "wav")
  /// The same kind of thing as FLAC.
  static var flac: [UInt8] { get throws { try flacFile.bytes } }
  private static let flacFile = File("-n -r 44100 -c 2 -b 16 NAME.flac synth 0.5 pinknoise", "flac")
  /// 1.3 MB of mono, for what must not be over at once.
  static var long: [UInt8] { get throws { try longFile.bytes } }
  private static let longFile = File("-n -r 44100 -c 1 -b 16 NAME.wav synth 15 pinknoise", "wav")

  /// A file that sox makes once.
  private struct File {
    private let made: Result<[UInt8], any Error>

    init(_ arguments: String, _ kind: String) {
      made = Result {
        let folder = try TemporaryFolder()
        let words = arguments.replacing("NAME", with: "sound").split(separator: " ")
        let run = try Tool.run("sox", ["-R"] + words.map(String.init), in: folder.path)
        try #require(run.status == 0, "\(run.errorText)")
        return try folder.bytes("sound.\(kind)")
      }
    }

    var bytes: [UInt8] {
      get throws {
        // Each test is skipped, not only the first one.
        try Programs.require("sox")
        return try made.get()
      }
    }
  }

  /// The samples of a file as sox decodes them, interleaved.
  static func samples(_ path: FilePath) throws -> [Int16] {
    let raw = try Tool.run(
      "sox", [path.string, "-t", "raw", "-e", "signed", "-b", "16", "-L", "-"])
    precondition(raw.status == 0, raw.errorText)
    return Raw.int16(raw.output)
  }
}
