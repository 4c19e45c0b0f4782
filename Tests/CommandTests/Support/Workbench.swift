import Foundation
import ScaleAudio
import TestSupport
import Testing

/// A folder in which ffmpeg makes files of given samples and decodes what the program makes of them.
struct Workbench {
  let folder: TemporaryFolder

  init() throws { self.init(folder: try TemporaryFolder()) }

  init(folder: TemporaryFolder) { self.folder = folder }

  /// Writes interleaved samples, whose full scale is 1, as FFmpeg's encoder of that name does.
  func make(_ name: String, _ samples: [Double], codec: String, channels: Int = 1) throws {
    let raw = folder.file("raw.f64")
    try folder.write("raw.f64", samples.withUnsafeBytes { Array($0) })
    defer { try? FileManager.default.removeItem(atPath: raw.string) }
    let made = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "f64le", "-ar", "44100", "-ac", "\(channels)", "-i", "raw.f64",
        "-c:a", codec, name,
      ], in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
  }

  /// The samples of a file, interleaved, as ffmpeg decodes them.
  func samples(_ name: String) throws -> [Double] {
    let raw = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", name, "-f", "f64le", "-c:a", "pcm_f64le", "-"],
      in: folder.path)
    try #require(raw.status == 0, "\(raw.errorText)")
    return raw.output.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 8).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: Double.self)
      }
    }
  }

  /// Converts one file, which must succeed; returns the JSON and the standard error.
  func convert(_ arguments: [String]) throws -> (record: [String: Any], reported: String) {
    let run = try Tool.run(
      Program.path, ["--json", "--overwrite"] + arguments, in: folder.path)
    try #require(run.status == 0, "\(arguments): \(run.errorText)")
    let record = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
    return (try #require(record), run.errorText)
  }
}
