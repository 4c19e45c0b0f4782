import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Files, folders, streams, statuses, and reports about damaged files.
@Suite("scaleaudio info: runs")
struct InfoRunTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  private func info(_ arguments: String..., input: [UInt8] = []) throws -> Tool {
    try Tool.run(Program.path, ["info"] + arguments, in: bench.folder.path, input: input)
  }

  @Test func text() throws {
    try bench.folder.write("x.wav", Sound.wav)
    let run = try info("x.wav").succeeded()
    #expect(run.errorText.isEmpty)
    #expect(
      run.outputText == """
        x.wav
          Container    WAV, 88,244 bytes (88.2 KB)
          Codec        PCM 16-bit, lossless
          Sample rate  44,100 Hz
          Channels     2: stereo (FL FR)
          Depth        16 bits
          Length       0.500 s, 22,050 frames (exact)
          Bit rate     1411 kb/s, constant

        """)
  }

  /// The predicted output is the one that convert makes.
  @Test func output() throws {
    let length = ["--speed", "1.25"]
    try bench.folder.write("x.flac", Sound.flac)
    let run = try Tool.run(
      Program.path, ["info", "--json"] + length + ["x.flac"], in: bench.folder.path)
    let facts = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
    let output = try #require(facts?["planned"] as? [String: Any])
    let made = try Tool.run(Program.path, ["--json"] + length + ["x.flac"], in: bench.folder.path)
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(made.output)) as? [String: Any])
    #expect(output["output"] as? String == record["output"] as? String)
    #expect(output["outputFrames"] as? Int == record["outputFrames"] as? Int)
    #expect(output["factor"] as? Double == record["factor"] as? Double)
    #expect(output["outputSampleFormat"] as? String == record["outputSampleFormat"] as? String)
    #expect(output["outputLayout"] as? String == record["outputLayout"] as? String)
    #expect(output["outputFormat"] as? String == "flac")
    let text = try Tool.run(Program.path, ["info"] + length + ["x.flac"], in: bench.folder.path)
    #expect(
      text.outputText.contains("Becomes      \(record["output"] ?? ""): FLAC, 16-bit, stereo\n"))
  }

  @Test func severalFilesAndFolders() throws {
    try bench.folder.write("music/b.wav", Sound.wav)
    try bench.folder.write("music/a/c.flac", Sound.flac)
    try bench.folder.write("music/notes.txt", Array("nothing".utf8))
    try bench.folder.write("broken.wav", Array("no audio".utf8))
    let run = try info("broken.wav", "music", "missing.wav")
    #expect(run.status == 1)
    let blocks = run.outputText.components(separatedBy: "\n\n")
    #expect(blocks.map { $0.prefix { $0 != "\n" } } == ["music/a/c.flac", "music/b.wav"])
    #expect(
      run.errorText == """
        scaleaudio: broken.wav: not a recognized audio file; scaleaudio formats lists readable formats; \
        for headerless audio, add --raw
        scaleaudio: missing.wav: cannot be opened: no such file or directory

        """)
    let flat = try info("--no-recursive", "--json", "music").succeeded()
    #expect(flat.outputText.split(separator: "\n").count == 1)
    let json = try info("--json", "broken.wav", "music")
    #expect(json.status == 1)
    #expect(
      json.outputText.split(separator: "\n").map { $0.contains("\"status\":\"ok\"") }
        == [false, true, true])
  }

  @Test func standardInput() throws {
    let run = try info("--json", "-", input: Sound.flac).succeeded()
    let facts = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
    #expect(facts["input"] as? String == "-")
    #expect(facts["inputFrames"] as? Int == 22050)
  }

  @Test func statuses() throws {
    #expect(try info("missing.wav").status == 66)
    #expect(try info().status == 64)
    #expect(try info("-f", "2", "--speed", "2", "x.wav").status == 64)
    #expect(try info("--track", "0", "x.wav").status == 64)
    try bench.folder.write("empty/readme.txt", [65])
    let nothing = try info("empty")
    #expect(nothing.status == 66)
    #expect(
      nothing.errorText
        == "scaleaudio: no audio files found in empty; scaleaudio formats lists readable formats\n")
    #expect(nothing.outputText.isEmpty)
  }

  /// The rest is reported, and so is the damage.
  @Test func aCutFile() throws {
    try bench.folder.write("x.flac", Array(Sound.flac.prefix(Sound.flac.count * 2 / 3)))
    let facts = try bench.info("x.flac", status: 1)
    #expect(facts["status"] as? String == "damaged")
    #expect(facts["errorClass"] as? String == "truncated")
    #expect((facts["error"] as? String)?.hasPrefix("x.flac: the audio ends early") == true)
    let text = try info("x.flac", "--levels")
    #expect(text.status == 1)
    #expect(text.errorText.contains("the audio ends early"))
    #expect(text.outputText.contains("Loudness"))
  }
}
