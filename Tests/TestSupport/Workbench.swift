import Foundation
import Testing

/// A folder in which other programs make audio, and decode and describe what is made of it.
public struct Workbench {
  /// The folder.
  public let folder: TemporaryFolder

  /// A bench in a new folder with these files.
  public init(_ files: [String: [UInt8]] = [:]) throws { folder = try TemporaryFolder(files) }

  /// Runs another program in the folder, which must succeed.
  @discardableResult
  public func run(_ program: String, _ arguments: String...) throws -> Tool {
    try Tool.run(program, arguments, in: folder.path).succeeded()
  }

  /// Runs a line of bash in the folder, which must succeed.
  @discardableResult
  public func shell(_ line: String) throws -> Tool { try run("bash", "-c", line) }

  // MARK: - Making audio

  /// Writes interleaved samples, whose full scale is 1, as FFmpeg's encoder of that name does.
  public func make(
    _ name: String, _ samples: [Double], codec: String, channels: Int = 1
  ) throws {
    let raw = folder.file("raw.f64")
    try folder.write("raw.f64", samples.withUnsafeBytes { Array($0) })
    defer { try? FileManager.default.removeItem(atPath: raw.string) }
    try run(
      "ffmpeg", "-v", "error", "-y", "-f", "f64le", "-ar", "44100", "-ac", "\(channels)", "-i",
      "raw.f64", "-c:a", codec, name)
  }

  // MARK: - Reading what was made

  /// The samples of a file, interleaved, as ffmpeg decodes them; full scale is 1.
  public func samples(_ name: String) throws -> [Double] {
    Raw.double(
      try run("ffmpeg", "-v", "error", "-i", name, "-f", "f64le", "-c:a", "pcm_f64le", "-").output)
  }

  /// The samples of a file, interleaved, as sox decodes them.
  public func int16(_ name: String) throws -> [Int16] { try Sound.samples(folder.file(name)) }

  /// The content of a file.
  public func bytes(_ name: String) throws -> [UInt8] { try folder.bytes(name) }

  /// The content of a text file.
  public func text(_ name: String) throws -> String {
    String(decoding: try folder.bytes(name), as: UTF8.self)
  }

  /// The report of ffprobe about entries such as `stream=codec_name`: values separated by commas, without the final
  /// line feed.
  public func entries(_ entries: String, of name: String) throws -> String {
    try run("ffprobe", "-v", "error", "-show_entries", entries, "-of", "csv=p=0", name).outputText
      .trimmingCharacters(in: .newlines)
  }

  /// The report of ffprobe about a file's first audio stream, and about the file.
  public func probe(_ name: String) throws -> (stream: [String: Any], format: [String: Any]) {
    let reported = try shell(
      "ffprobe -v error -select_streams a:0 -show_streams -show_format -of json '\(name)'")
    let object = try JSONSerialization.jsonObject(with: Data(reported.output)) as? [String: Any]
    let streams = try #require(object?["streams"] as? [[String: Any]])
    return (try #require(streams.first), object?["format"] as? [String: Any] ?? [:])
  }

  /// The sizes of the packets of a file's first audio stream, as ffprobe reads them.
  public func packetSizes(_ name: String) throws -> [Int] {
    let reported = try shell(
      "ffprobe -v error -select_streams a:0 -show_entries packet=size -of csv=p=0 '\(name)'")
    return reported.outputText.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
  }

  /// The tags of a FLAC file, a line each, as metaflac lists them.
  public func flacTags(_ name: String) throws -> String {
    try run("metaflac", "--export-tags-to=-", name).outputText
  }
}

/// The place of bytes in others; `nil` if they do not occur.
public func position(of text: String, in bytes: [UInt8]) -> Int? {
  let pattern = Array(text.utf8)
  return bytes.indices.first { bytes[$0...].starts(with: pattern) }
}
