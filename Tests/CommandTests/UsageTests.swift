import ScaleAudio
import TestSupport
import Testing

@Suite("Command lines that make no sense")
struct UsageTests {
  @Test(arguments: [
    [], ["in.wav"], ["-f", "1.5"], ["-f"], ["-f", "1.5", "--speed", "2", "in.wav"],
    ["-f", "1", "--duration", "3", "in.wav"], ["--no-such-option", "-f", "1", "in.wav"],
    ["-f", "1", "--overwrite", "--skip-existing", "in.wav"],
    ["-f", "1", "--resume", "--skip-existing", "in.wav"], ["-f", "1", "-q", "-v", "in.wav"],
    ["-f", "1", "--suffix", "a/b", "in.wav"], ["-f", "1", "-0", "in.wav"],
    ["-f", "1", "--json", "-o", "-", "in.wav"], ["-f", "1", "-o", "-", "in.wav", "b.wav"],
    ["-f", "1", "-o", "-", "."], ["-f", "1", "-"], ["-f", "1", "-o", "x/", "-"],
    ["-f", "1", "-", "-", "-o", "x"], ["-f", "1", "-", "--files-from", "-", "-o", "x"],
    ["-f", "1", "-o", "out.xyz", "in.wav"], ["-f", "1", "-o", "out", "in.wav"],
    ["-f", "1", "-o", "in.wav/", "in.wav"], ["-f", "1", "-o", "in.wav", "a.wav", "b.wav"],
    ["-f", "1", "--format", "xyz", "in.wav"], ["-f", "1", "--method", "best", "in.wav"],
    ["-f", "1", "--format", "flac", "--bitrate", "192k", "in.wav"],
    ["-f", "1", "--format", "wav", "--encoding-quality", "3", "in.wav"],
    ["-f", "1", "--bitrate", "192k", "--encoding-quality", "3", "in.wav"],
    ["-f", "1", "--compression-level", "9", "in.wav"], ["-f", "1", "-j", "0", "in.wav"],
    ["-f", "1", "-j", "257", "in.wav"], ["-f", "1", "--progress", "loud", "in.wav"],
    ["-f", "1", ""], ["-f", "1", "-o", "", "in.wav"], ["-f", "1", "--include", "", "in.wav"],
    ["-f", "1", "/"],
  ])
  func areRefusedBeforeAnythingIsDone(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write("in.wav", Sound.wav)
    let run = try Tool.run(Program.path, arguments, in: folder.path)
    #expect(run.status == 64, "\(run.errorText)")
    #expect(!run.errors.isEmpty)
    #expect(run.output.isEmpty)
    #expect(try folder.names() == ["in.wav"])
  }

  @Test(arguments: [
    "0", "0.009", "100.1", "-1", "nan", "inf", "0x1p1", "1e1", "1.5.2", "", " 1", "1 ",
    "1.5x",
    "3/0", "3/2/1", "/2", "3/", "%", ".", "150 %", "٣", "1_000",
  ])
  func factors(text: String) throws {
    try expectRefusal("--factor", text, naming: "0.01 to 100")
  }

  @Test(arguments: ["0", "0x", "101", "x", "1.25xx", "-2", "nan", "1/2", "125%", ""])
  func speeds(text: String) throws {
    try expectRefusal("--speed", text, naming: "0.01 to 100")
  }

  @Test(arguments: [
    "0", "0:00", "1:60", "1:60:00", "1:2:3:4", ":30", "1:", "-5", "1:-5", "1.5:30", "10001:00:00",
    "inf", "90s", "",
  ])
  func durations(text: String) throws {
    try expectRefusal("--duration", text, naming: "1:30")
  }

  @Test(arguments: ["0", "3k", "10001k", "192kk", "k", "fast", "-5", ""])
  func bitRates(text: String) throws {
    try expectRefusal("-f1", "--bitrate", text, naming: "4k to 10000k")
  }

  private func expectRefusal(_ options: String..., naming range: String) throws {
    let refusal = try #require(Program.refusal(of: options + ["in.wav"]))
    #expect(refusal.status == 64)
    #expect(refusal.message.contains(range), "\(refusal.message)")
  }

  /// The program itself prints the message, and does nothing.
  @Test(arguments: [
    (["--factor", "100.1"], "0.01 to 100"), (["--speed", "1/2"], "0.01 to 100"),
    (["--duration", "1:60"], "1:30"), (["-f1", "--bitrate", "3k"], "4k to 10000k"),
  ])
  func refusalsArePrinted(options: [String], range: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("in.wav", Sound.wav)
    let run = try Tool.run(Program.path, options + ["in.wav"], in: folder.path)
    #expect(run.status == 64)
    #expect(run.errorText.contains(range), "\(run.errorText)")
    #expect(try folder.names() == ["in.wav"])
  }

  @Test func helpAndVersionSucceed() throws {
    let folder = try TemporaryFolder()
    for arguments in [["--help"], ["convert", "--help"], ["help", "convert"]] {
      let run = try Tool.run(Program.path, arguments, in: folder.path)
      #expect(run.status == 0)
      #expect(run.outputText.contains("USAGE: scaleaudio"))
    }
    #expect(try Program.run("--version", in: folder.path).outputText == "0.1.0\n")
  }
}
