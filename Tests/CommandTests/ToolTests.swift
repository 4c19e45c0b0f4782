import Foundation
import TestSupport
import Testing

/// A recorded run of a program is as good as a new one.
struct ToolTests {
  /// A run without a record: with variables of its own, a program always starts.
  private func started(_ arguments: [String], in folder: TemporaryFolder, input: [UInt8]) throws
    -> Tool
  {
    try Tool.run(
      "ffmpeg", arguments, in: folder.path, input: input, environment: ["NEW": "1"])
  }

  @Test(
    arguments: [
      (
        ["-v", "error", "-f", "s16le", "-ar", "8000", "-ac", "1", "-i", "-", "-f", "s16le", "-"], 0
      ),
      (["-v", "error", "-i", "missing.wav", "-f", "null", "-"], 1),
    ] as [([String], Int32)])
  func aRecordedRunIsLikeANewOne(arguments: [String], status: Int32) throws {
    let folder = try TemporaryFolder()
    let input: [UInt8] = (0..<4000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let new = try started(arguments, in: folder, input: input)
    for _ in 1...2 {
      let run = try Tool.run("ffmpeg", arguments, in: folder.path, input: input)
      #expect(run.status == status && new.status == status)
      #expect(run.output == (status == 0 ? input : []) && run.output == new.output)
      #expect(run.errorText == new.errorText && run.errorText.isEmpty == (status == 0))
    }
  }

  /// Files are written again, and another input makes another run.
  @Test func filesOfARecordedRun() throws {
    let options = ["-v", "error", "-f", "s16le", "-ar", "8000", "-ac", "1"]
    for value: UInt8 in [1, 2, 1, 3, 2] {
      let folder = try TemporaryFolder()
      let input = [UInt8](repeating: value, count: 800)
      try folder.write("in.raw", input)
      let wav = try Tool.run(
        "ffmpeg", options + ["-i", "in.raw", "-bitexact", "x.wav"], in: folder.path)
      #expect(wav.status == 0, "\(wav.errorText)")
      #expect(try folder.bytes("x.wav").suffix(800) == input[...])
      // By its path, from another folder.
      let raw = try Tool.run(
        "ffmpeg", ["-v", "error", "-i", folder.file("x.wav").string, "-f", "s16le", "-"])
      #expect(raw.output == input)
    }
  }
}
