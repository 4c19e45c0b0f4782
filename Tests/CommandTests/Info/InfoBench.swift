import Foundation
import ScaleAudio
import TestSupport
import Testing

/// A folder with audio that other programs made, and what they and `scaleaudio info` report about it.
struct InfoBench {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs another program in the folder, which must succeed; returns what it prints.
  @discardableResult
  func run(_ line: String) throws -> Tool {
    let tool = try Tool.run("bash", ["-c", line], in: folder.path)
    try #require(tool.status == 0, "\(line): \(tool.errorText)")
    return tool
  }

  /// Runs `scaleaudio info --json` on one file, which must succeed unless stated otherwise.
  func info(_ name: String, _ options: String..., status: Int32 = 0) throws -> [String: Any] {
    let run = try Tool.run(Program.path, ["info", "--json"] + options + [name], in: folder.path)
    try #require(run.status == status, "\(name): \(run.errorText)")
    let record = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
    return try #require(record)
  }

  /// What ffprobe reports about a file's first audio stream, and about the file.
  func probe(_ name: String) throws -> (stream: [String: Any], format: [String: Any]) {
    let reported = try run(
      "ffprobe -v error -select_streams a:0 -show_streams -show_format -of json '\(name)'")
    let object = try JSONSerialization.jsonObject(with: Data(reported.output)) as? [String: Any]
    let streams = try #require(object?["streams"] as? [[String: Any]])
    return (try #require(streams.first), object?["format"] as? [String: Any] ?? [:])
  }

  /// The sizes of the packets of a file's first audio stream, as ffprobe reads them.
  func packetSizes(_ name: String) throws -> [Int] {
    let reported = try run(
      "ffprobe -v error -select_streams a:0 -show_entries packet=size -of csv=p=0 '\(name)'")
    return reported.outputText.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
  }

  func bytes(_ name: String) throws -> [UInt8] { try folder.bytes(name) }
}

/// Where bytes occur in others; `nil` where they do not.
func position(of text: String, in bytes: [UInt8]) -> Int? {
  let pattern = Array(text.utf8)
  return bytes.indices.first { bytes[$0...].starts(with: pattern) }
}
