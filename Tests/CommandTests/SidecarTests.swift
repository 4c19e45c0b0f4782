import Foundation
import TestSupport
import Testing

@Suite("Sidecars")
struct SidecarTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // 22,050 frames: half a second.
    try folder.write("in.wav", Sound.wav)
  }

  private func put(_ name: String, _ text: String) throws {
    try folder.write(name, Array(text.utf8))
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try folder.bytes(name), as: UTF8.self)
  }

  private func scale(_ arguments: String...) throws -> Tool {
    try Tool.run(Program.path, ["--sidecars", "-f", "2"] + arguments, in: folder.path)
  }

  @Test func everyKindBesideOneFile() throws {
    try put("in.lrc", "[ar:x]\r\n[00:00.10]one\r\n[00:00.45]two\r\n")
    try put("in.cue", "FILE \"in.wav\" WAVE\r\n  TRACK 01 AUDIO\r\n    INDEX 01 00:00:10\r\n")
    try put("in.srt", "1\n00:00:00,100 --> 00:00:00,900\nHello\n")
    try put("in.vtt", "WEBVTT\n\n00:00.100 --> 00:00.200 line:0\nHello\n")
    try put("in.txt", "0.100000\t0.200000\tlabel\n\\\t1.0\t2.0\n")
    let run = try scale("--json", "in.wav")
    #expect(run.status == 0, "\(run.errorText)")
    #expect(try text("in-x2.lrc") == "[ar:x]\r\n[00:00.20]one\r\n[00:00.90]two\r\n")
    #expect(
      try text("in-x2.cue")
        == "FILE \"in-x2.wav\" WAVE\r\n  TRACK 01 AUDIO\r\n    INDEX 01 00:00:20\r\n")
    // The output is one second long.
    #expect(try text("in-x2.srt") == "1\n00:00:00,200 --> 00:00:01,000\nHello\n")
    #expect(try text("in-x2.vtt") == "WEBVTT\n\n00:00.200 --> 00:00.400 line:0\nHello\n")
    #expect(try text("in-x2.txt") == "0.200000\t0.400000\tlabel\n\\\t1.0\t2.0\n")
    let made = ["lrc", "cue", "srt", "vtt", "txt"].map { "\"in-x2.\($0)\"" }.joined(separator: ",")
    #expect(run.outputText.contains("\"sidecars\":[\(made)]"))
    // Other programs read what was made.
    let probe = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", "in-x2.srt"],
      in: folder.path)
    #expect(probe.outputText.hasPrefix("0.200000"))
  }

  @Test func onlyOnRequest() throws {
    try put("in.lrc", "[00:00.10]one\n")
    #expect(try Program.run("-f", "2", "in.wav", in: folder.path).status == 0)
    #expect(try folder.names() == ["in-x2.wav", "in.lrc", "in.wav"])
  }

  @Test func encodingsPassThrough() throws {
    try folder.write("in.lrc", [0xEF, 0xBB, 0xBF] + Array("[00:00.10]é\r\n".utf8))
    try folder.write(
      "in.srt", Array("1\n00:00:00,100 --> 00:00:00,200\ncaf\u{65}".utf8) + [0xE9, 0x0A])
    let cue = "FILE \"in.wav\" WAVE\n  TRACK 01 AUDIO\n  TITLE \"終\"\n  INDEX 01 00:00:05\n"
    try folder.write(
      "in.cue", [0xFF, 0xFE] + cue.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    #expect(try scale("in.wav").status == 0)
    #expect(try folder.bytes("in-x2.lrc") == [0xEF, 0xBB, 0xBF] + Array("[00:00.20]é\r\n".utf8))
    #expect(
      try folder.bytes("in-x2.srt")
        == Array("1\n00:00:00,200 --> 00:00:00,400\ncafe".utf8) + [0xE9, 0x0A])
    let expected = cue.replacing("in.wav", with: "in-x2.wav").replacing(
      "00:00:05", with: "00:00:10")
    #expect(
      try folder.bytes("in-x2.cue")
        == [0xFF, 0xFE] + expected.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
  }

  @Test func cueSheetsNameTheOutput() throws {
    try put("in.cue", "REM x\nFILE in.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:05\n")
    #expect(try scale("-o", "my out.aiff", "in.wav").status == 0)
    #expect(
      try text("my out.cue")
        == "REM x\nFILE \"my out.aiff\" AIFF\nTRACK 01 AUDIO\nINDEX 01 00:00:10\n")
    try put(
      "in.cue",
      "FILE \"other.wav\" WAVE\nINDEX 01 00:00:05\nFILE \"C:\\x\\in.wav\" WAVE\nINDEX 01 00:00:06\n"
    )
    #expect(try scale("-o", "two.wav", "in.wav").status == 0)
    #expect(
      try text("two.cue")
        == "FILE \"other.wav\" WAVE\nINDEX 01 00:00:05\nFILE \"two.wav\" WAVE\nINDEX 01 00:00:12\n")
  }

  @Test func existingSidecarsAreKept() throws {
    try put("in.lrc", "[00:00.10]one\n")
    try put("in-x2.lrc", "mine")
    let run = try scale("in.wav")
    #expect(run.status == 0)
    #expect(run.errorText.contains("in-x2.lrc exists and is kept"))
    #expect(try text("in-x2.lrc") == "mine")
    #expect(try scale("--overwrite", "in.wav").status == 0)
    #expect(try text("in-x2.lrc") == "[00:00.20]one\n")
  }

  @Test func aSidecarNeverReplacesItself() throws {
    try put("in.lrc", "[00:00.10]one\n")
    let run = try scale("--overwrite", "--suffix", "", "--format", "flac", "in.wav")
    #expect(run.status == 0)
    #expect(run.errorText.contains("its output would replace it"))
    #expect(try text("in.lrc") == "[00:00.10]one\n")
    #expect(folder.exists("in.flac"))
  }

  @Test func damagedSidecarsAreWarnings() throws {
    try put("in.lrc", "nothing of the kind\n")
    try folder.write("in.srt", [])
    try folder.write("in.cue", [0xFF, 0xFE, 0x41])
    try put("in.txt", "Notes on the recording.\n")
    let run = try scale("in.wav")
    #expect(run.status == 0)
    #expect(run.errorText.contains("sidecar in.lrc: contains no readable times for this audio"))
    #expect(run.errorText.contains("sidecar in.srt: "))
    #expect(run.errorText.contains("sidecar in.cue: "))
    #expect(!run.errorText.contains("in.txt"))
    #expect(try folder.names() == ["in-x2.wav", "in.cue", "in.lrc", "in.srt", "in.txt", "in.wav"])
  }

  @Test func foldersIncludeThem() throws {
    try folder.write("Music/a/one.wav", Sound.wav)
    try folder.write("Music/a/one.lrc", Array("[00:00.10]one\n".utf8))
    try folder.write("Music/two.flac", Sound.flac)
    try folder.write("Music/two.LRC", Array("[00:00.20]two\n".utf8))
    try folder.write("Music/alone.lrc", Array("[00:00.20]alone\n".utf8))
    #expect(try scale("Music").status == 0)
    #expect(try text("Music-x2/a/one.lrc") == "[00:00.20]one\n")
    #expect(try text("Music-x2/two.LRC") == "[00:00.40]two\n")
    #expect(!folder.exists("Music-x2/alone.lrc"))
  }

  @Test func failuresLeaveNothing() throws {
    try put("bad.wav", "RIFF....WAVE")
    try put("bad.lrc", "[00:00.10]one\n")
    #expect(try scale("bad.wav").status == 1)
    #expect(try folder.names() == ["bad.lrc", "bad.wav", "in.wav"])
  }

  @Test func standardOutputGetsNoSidecars() throws {
    let run = try scale("-o", "-", "in.wav")
    #expect(run.status == 64)
    #expect(run.errorText.contains("--sidecars does not apply to standard output"))
  }
}
