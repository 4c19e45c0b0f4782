import ScaleAudio
import TestSupport
import Testing

@testable import scaleaudio_cli

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
    ["-f", "1", "-o", "in.wav/", "in.wav"], ["-f", "1", "-o", "in.wav", "in.wav", "in.wav"],
    ["-f", "1", "--format", "xyz", "in.wav"], ["-f", "1", "--method", "best", "in.wav"],
    ["-f", "1", "--format", "flac", "--bitrate", "192k", "in.wav"],
    ["-f", "1", "--format", "wav", "--encoding-quality", "3", "in.wav"],
    ["-f", "1", "--bitrate", "192k", "--encoding-quality", "3", "in.wav"],
    ["-f", "1", "--compression-level", "9", "in.wav"], ["-f", "1", "-j", "0", "in.wav"],
    ["-f", "1", "-j", "257", "in.wav"], ["-f", "1", "--progress", "loud", "in.wav"],
    ["-f", "1", ""], ["-f", "1", "-o", "", "in.wav"], ["-f", "1", "--include", "", "in.wav"],
    ["-f", "1", "/"],
  ])
  func wrongOptionsAreRefusedFirst(arguments: [String]) throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    let run = try Tool.run(Program.path, arguments, in: folder.path)
    #expect(run.status == 64, "\(run.errorText)")
    #expect(!run.errors.isEmpty)
    #expect(run.output.isEmpty)
    #expect(try folder.names() == ["in.wav"])
  }

  /// Other programs take the last path as the output.
  @Test func aMissingLastInputIsProbablyTheOutput() throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    let run = try Tool.run(Program.path, ["in.wav", "out.flac", "-f", "1.5"], in: folder.path)
    #expect(run.status == 1)
    #expect(run.errorText.contains("out.flac: cannot be opened"))
    #expect(run.errorText.contains("hint: if out.flac names the output, write -o out.flac"))
    let other = try Tool.run(Program.path, ["none.flac", "in.wav", "-f", "1.5"], in: folder.path)
    #expect(!other.errorText.contains("hint: if"))
  }

  /// A shell leaves a pattern in quotes as it is.
  @Test func aPatternInQuotesIsExplained() throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    let run = try Tool.run(Program.path, ["*.wav", "-f", "1.5"], in: folder.path)
    #expect(run.status == 66)
    #expect(run.errorText.contains("hint: a shell expands *.wav only without quotes"))
    let remedy = try Tool.run(
      Program.path, [".", "--include", "*.wav", "-f", "1.5", "-o", "out"], in: folder.path)
    #expect(remedy.status == 0, "\(remedy.errorText)")
  }

  /// The name of a format that can only be read shows the one that is written in its place.
  @Test func anExtensionThatIsOnlyReadNamesAnother() throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    let run = try Tool.run(Program.path, ["in.wav", "-f", "1.5", "-o", "out.aac"], in: folder.path)
    #expect(run.status == 64)
    #expect(run.errorText.contains("out.aac: cannot write AAC, only M4A: out.m4a"))
  }

  @Test(arguments: [
    "0", "0.009", "100.1", "-1", "nan", "inf", "0x1p1", "1e1", "1.5.2", "", " 1", "1 ",
    "1.5xx", "x",
    "3/0", "3/2/1", "/2", "3/", "%", ".", "150  %", "٣", "1_000",
  ])
  func factors(text: String) throws {
    try expectRefusal("--factor", text, naming: "0.01 to 100")
  }

  @Test(arguments: ["0", "0x", "101x", "x", "1.25xx", "-2", "nan", "1/0", "1000/2", "%", ""])
  func speeds(text: String) throws {
    try expectRefusal("--speed", text, naming: "0.01 to 100")
  }

  @Test(arguments: [
    "0", "0:00", "1:60", "1:60:00", "1:2:3:4", ":30", "1:", "-5", "1:-5", "1.5:30", "10001:00:00",
    "inf", "s", "ms", "f", "0f", "1.5f", "-5f", "1:30s", "90 s", "90m", "",
  ])
  func durations(text: String) throws {
    try expectRefusal("--duration", text, naming: "1:30")
  }

  /// Every option of a kind takes the same forms.
  @Test(arguments: ["1.5", "1.5x", "3/2", "150%"])
  func ratiosInEveryForm(text: String) throws {
    #expect(try FactorValue(text).factor == TimeFactor(1.5))
    #expect(try SpeedValue(text).factor == TimeFactor(speed: 1.5))
  }

  @Test(
    arguments: [
      ("30", .seconds(30)), ("30s", .seconds(30)), ("1.5s", .seconds(1.5)),
      ("500ms", .seconds(0.5)),
      ("1:30.25", .seconds(90.25)), ("1:02:03.5", .seconds(3723.5)), ("90000f", .frames(90000)),
    ] as [(String, TypedTime)])
  func timesInEveryForm(text: String, time: TypedTime) throws {
    #expect(try DurationValue(text).time == time)
  }

  @Test func rangesAcceptTheTimesOfDurations() throws {
    #expect(
      try TimeRangeValue("500ms-1:30.25").range
        == TimeRange(from: .afterStart(.seconds(0.5)), to: .afterStart(.seconds(90.25))))
    #expect(try TimeRangeValue("-2s").range == TimeRange(to: .afterStart(.seconds(2))))
    #expect(
      try TimeRangeValue("44100f-90000f").range
        == TimeRange(from: .afterStart(.frames(44100)), to: .afterStart(.frames(90000))))
    #expect(try TimeRangeValue("44100f-").range == TimeRange(from: .afterStart(.frames(44100))))
    for text in ["2-1", "5f-5f", "1", "-0f", "1-2x"] {
      #expect(throws: (any Error).self) { try TimeRangeValue(text) }
    }
  }

  @Test(arguments: [
    ("--factor", "1,5", "1.5"), ("--speed", "0,75", "0.75"), ("--duration", "1:30,5", "1:30.5"),
    ("--pitch", "-0,5", "-0.5"), ("--normalize", "-1,5", "-1.5"),
  ])
  func decimalCommasAreAnsweredWithThePoint(option: String, text: String, point: String) throws {
    try expectRefusal(option, text, naming: "use a point")
    try expectRefusal(option, text, naming: point)
  }

  /// One sentence, whether the option takes one value or several.
  @Test(arguments: [
    ("--factor", "1,5", "1.5, or for two values write 1.0,5.0"),
    ("--speed", "1,5x", "1.5x, or for two values"),
    ("--loudness", "-16,5", "-16.5"), ("--rate", "44,1k", "44.1k"),
    ("--bitrate", "192,5k", "192.5k"),
  ])
  func aDecimalCommaHasOneAnswer(option: String, text: String, point: String) throws {
    try expectRefusal(option, text, naming: "use a point for decimals: \(point)")
  }

  /// An error names its cause and where to read on; without arguments, the forms of usage help more.
  @Test func onlyACommandWithoutArgumentsShowsItsUsage() throws {
    let bare = try Tool.run(Program.path, [])
    #expect(bare.status == 64 && bare.errorText.contains("\nUsage: scaleaudio (--tempo <tempo>"))
    for arguments in [["-f", "0", "x.wav"], ["--atempo", "2", "x.wav"], ["info"], ["merge"]] {
      let run = try Tool.run(Program.path, arguments)
      #expect(run.status == 64 && !run.errorText.contains("Usage:"))
      #expect(run.errorText.hasSuffix("--help' for more information.\n"), "\(run.errorText)")
    }
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
    (["--factor", "100.1"], "0.01 to 100"), (["--speed", "1/200"], "0.01 to 100"),
    (["--duration", "1:60"], "1:30"), (["-f1", "--bitrate", "3k"], "4k to 10000k"),
  ])
  func refusalsArePrinted(options: [String], range: String) throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    let run = try Tool.run(Program.path, options + ["in.wav"], in: folder.path)
    #expect(run.status == 64)
    #expect(run.errorText.contains(range), "\(run.errorText)")
    #expect(try folder.names() == ["in.wav"])
  }

  @Test func helpAndVersionSucceed() throws {
    let folder = try TemporaryFolder()
    for arguments in [["--help"], ["convert", "--help"], ["help", "convert"]] {
      let run = try Tool.run(Program.path, arguments, in: folder.path).succeeded()
      #expect(run.outputText.contains("USAGE: scaleaudio"))
    }
    #expect(try Program.run("--version", in: folder.path).outputText == "0.1.0\n")
  }
}
