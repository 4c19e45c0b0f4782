import Foundation
import ScaleAudio
import SystemPackage
import TestSupport
import Testing

@testable import scaleaudio_cli

/// What a person meets on an ordinary day: words in the wrong place, missing files, lists from elsewhere.
@Suite("Words and edges")
struct EverydayTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(["in.wav": Sound.wav]) }

  private func run(_ arguments: String...) throws -> Tool {
    try Tool.run(Program.path, arguments, in: folder.path)
  }

  @Test(arguments: [["polish"], ["polish", "in.wav"], ["split", "--mono", "in.wav"]])
  func wordsThatAreNoCommand(arguments: [String]) throws {
    // Only --mono asks for something, so that the word is an input.
    let run = try Tool.run(Program.path, arguments, in: folder.path)
    if arguments.contains("--mono") {
      #expect(run.status == 1 && run.errorText.contains("split: cannot be opened"))
      return
    }
    #expect(run.status == 64)
    #expect(
      run.errorText.hasPrefix(
        "Error: No command or file named '\(arguments[0])'. The commands are convert, info, plot, ")
    )
    #expect(try folder.names() == ["in.wav"])
  }

  @Test func aFileNamedLikeThatIsAnInput() throws {
    try folder.write("check", Sound.wav)
    #expect(try run("check").errorText.hasPrefix("Error: Say what to change"))
    #expect(try run("-f", "1", "-o", "out.wav", "check").status == 0)
  }

  @Test func theNameOfAnOutputAsksForItsFormat() throws {
    #expect(try run("in.wav", "-o", "out.flac").status == 0)
    try Tool.run("flac", ["-s", "-d", "out.flac"], in: folder.path).succeeded()
    let samples = try ["in.wav", "out.wav"].map {
      try Tool.run("sox", [$0, "-t", "raw", "-"], in: folder.path).succeeded().output
    }
    #expect(samples[0] == samples[1] && !samples[0].isEmpty)
    mkdir(folder.file("have.flac").string, 0o755)
    for other in ["b.wav", "b", "b.txt", "have.flac", "new.flac/"] {
      #expect(try run("in.wav", "-o", other).errorText.hasPrefix("Error: Say what to change"))
    }
    for input in ["have.flac", "."] {
      #expect(try run(input, "-o", "c.mp3").errorText.hasPrefix("Error: Say what to change"))
    }
  }

  /// A sound without high frequencies that ends hard, as MP3 has it, ends no louder than it is.
  @Test(arguments: ["0.5", "0.7", "0.9"])
  func soundsOfMP3EndAsLoudAsTheyAre(tempo: String) throws {
    let sample = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent().appending("Samples/music.flac")
    try Tool.run("sox", [sample.string, "cut.wav", "trim", "0.5", "3.1"], in: folder.path)
      .succeeded()
    try Tool.run(
      "ffmpeg", ["-v", "error", "-i", "cut.wav", "-b:a", "128k", "cut.mp3"], in: folder.path
    ).succeeded()
    try run("--tempo", tempo, "--format", "wav", "-o", "slow.wav", "cut.mp3").succeeded()
    func loudest(_ name: String) throws -> Int {
      let bytes = try Tool.run(
        "sox", [name, "-t", "s16", "-", "trim", "-0.05"], in: folder.path
      ).succeeded().output
      return stride(from: 0, to: bytes.count - 1, by: 2).map {
        abs(Int(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)))
      }.max() ?? 0
    }
    let (source, result) = (try loudest("cut.wav"), try loudest("slow.wav"))
    #expect(source > 1000 && result > source / 4 && result < 2 * source, "\(source), \(result)")
  }

  @Test(arguments: [["-o", "out2"], ["-o", "in.wav/x.wav"], ["-f", "1.0,2.0", "-o", "in.wav"]])
  func aMissingInputComesFirst(output: [String]) throws {
    let speed = output.contains("-f") ? [] : ["--speed", "1.02"]
    let run = try Tool.run(
      Program.path, speed + ["nosuch.wav"] + output, in: folder.path)
    #expect(run.status == 66, "\(run.errorText)")
    #expect(run.errorText.contains("nosuch.wav: cannot be opened"))
    #expect(!run.errorText.contains("out2") && !run.errorText.contains("not a folder"))
    #expect(try folder.names() == ["in.wav"])
  }

  /// A reader that leaves is no failure to speak of.
  @Test(arguments: [
    "info $(yes in.wav | head -3000)", "info --json $(yes in.wav | head -3000)",
    "--json -n -f 2 --suffix= -o out/ many", "formats --json",
  ])
  func readersThatLeave(command: String) throws {
    for number in 0..<(command.contains("many") ? 1500 : 0) {
      try folder.write("many/\(number).wav", Sound.wav)
    }
    let run = try Program.shell("$scaleaudio \(command) | true", in: folder.path)
    #expect(run.errorText == "", "\(run.errorText)")
  }

  @Test func listsFromWindows() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let lines = Array("in.wav\r\nä.wav\r\n\r\nlast.wav".utf8)
    let expected: [FilePath] = ["in.wav", "ä.wav", "last.wav"]
    #expect(PathList.paths(lines) == expected)
    #expect(PathList.paths(mark + lines) == expected)
    #expect(PathList.paths(mark + Array("in.wav\n".utf8)) == ["in.wav"])
    let wide = "\u{FEFF}in.wav\r\nä.wav\r\n\r\nlast.wav".utf16.flatMap {
      [UInt8($0 & 0xFF), UInt8($0 >> 8)]
    }
    #expect(PathList.paths(wide) == expected)
    #expect(
      PathList.paths([]) == [] && PathList.paths(mark) == [] && PathList.paths([0xFF, 0xFE]) == [])
    // A name that really ends so stays.
    let odd = folder.file("odd.wav\r")
    try folder.write("odd.wav\r", Sound.wav)
    #expect(PathList.paths(odd.bytes + [10]) == [odd])
    try folder.write("list.txt", mark + Array("in.wav\r\n".utf8))
    #expect(try run("-f", "1", "--files-from", "list.txt", "-o", "out").status == 0)
    #expect(folder.exists("out/in-x1.wav"))
  }

  /// The remedy for inputs of the same name works.
  @Test func flattenedFoldersNameTheBase() throws {
    for name in ["A/u.wav", "B/u.wav"] { try folder.write(name, Sound.wav) }
    for inputs in [["A", "B"], ["A/u.wav", "B/u.wav"]] {
      let run = try Tool.run(Program.path, ["-f", "2", "-o", "out"] + inputs, in: folder.path)
      #expect(run.status == 64 && run.errorText.contains("--base . keeps their folders"))
      try Tool.run(
        Program.path, ["-f", "2", "-o", "out", "--base", ".", "--overwrite"] + inputs,
        in: folder.path
      ).succeeded()
      #expect(folder.exists("out/A/u.wav") && folder.exists("out/B/u.wav"))
      try folder.remove("out")
    }
  }

  /// ffprobe reads how the output was made; a mere change of format has no factor.
  @Test(arguments: [
    ("--format flac", "scaleaudio 0.1.0"), ("-f 1", "scaleaudio 0.1.0"),
    ("--tempo 2", "scaleaudio 0.1.0 factor=0.5 method=stretch"),
    ("--pitch 1", "scaleaudio 0.1.0 factor=1 method=stretch pitch=1"),
    ("--speed 2", "scaleaudio 0.1.0 factor=0.5 method=sinc quality=high"),
    (
      "--pitch 1 --formants preserve",
      "scaleaudio 0.1.0 factor=1 method=stretch pitch=1 formants=preserve"
    ),
  ])
  func provenance(options: String, encoder: String) throws {
    let words = options.split(separator: " ").map(String.init)
    try Tool.run(Program.path, words + ["-o", "out.flac", "in.wav"], in: folder.path).succeeded()
    let probe = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "format_tags=encoder", "-of", "csv=p=0", "out.flac"],
      in: folder.path)
    #expect(probe.outputText == encoder + "\n")
  }

  /// A speed that moves the pitch far is hinted at once, for people only.
  @Test(arguments: [
    ("--speed 0.7", true), ("--speed 0.9,0.8", true), ("--speed 1.3", true),
    ("--speed 0.9,1.1", false), ("--speed 0.7 --method sinc", false), ("--tempo 0.7", false),
    ("--speed 0.7 --preset tape", false), ("--speed 0.7 --preset practice", false),
    ("--speed 0.7 -q", false), ("--speed 0.7 --json", false), ("--speed 0.7 --pitch 2", false),
  ])
  func speedsThatMoveThePitchFar(options: String, isHinted: Bool) throws {
    let words = options.split(separator: " ").map(String.init)
    let run = try Tool.run(
      Program.path, words + ["-o", "out/", "in.wav"], in: folder.path
    ).succeeded()
    let hints = run.errorText.components(
      separatedBy: "hint: The pitch moved with the speed. --tempo")
    #expect(hints.count == (isHinted ? 2 : 1))
    // A preset for the same pitch keeps it.
    if options.contains("practice") { #expect(run.errorText.contains(", same pitch")) }
  }

  @Test(arguments: [
    ("44.1", "44.1 is 44.1 Hz; for 44,100 Hz write 44.1k"),
    ("48", "48 is 48 Hz; for 48,000 Hz write 48k"), ("1.1", "for a speed, write --speed 1.1"),
  ])
  func ratesInKilohertz(rate: String, answer: String) throws {
    let refused = try run("--rate", rate, "in.wav")
    #expect(refused.status == 64 && refused.errorText.contains(answer))
  }

  /// Film counts pictures: 12 of 25 are 0.48 s.
  @Test(arguments: [
    ("--duration", "00:00:01:12", "25 a second, write 00:00:01.48"),
    ("--from", "0:00:00;10", "25 a second, write 0:00:00.40"),
  ])
  func timeCodes(option: String, code: String, answer: String) throws {
    let refused = try run("--format", "flac", option, code, "in.wav")
    #expect(refused.status == 64 && refused.errorText.contains(answer))
    let time = try #require(answer.split(separator: " ").last)
    #expect(try run("-n", "--format", "flac", option, String(time), "in.wav").status == 0)
  }

  /// soxi warned that a header without the size of its extension is none of floating point.
  @Test(arguments: ["f32", "f64"])
  func floatingPointInWAVHasAWholeHeader(bits: String) throws {
    try run("--bits", bits, "-o", "out.wav", "in.wav").succeeded()
    let told = try Tool.run("soxi", ["out.wav"], in: folder.path).succeeded()
    #expect(told.errorText.isEmpty && told.outputText.contains("Floating Point PCM"))
    let bytes = try folder.bytes("out.wav")
    #expect(Array(bytes[12..<22]) == Array("fmt ".utf8) + [18, 0, 0, 0, 3, 0])
    #expect(Array(bytes[36..<42]) == [0, 0] + Array("fact".utf8))
  }

  @Test func filmsLoseTheirPicture() throws {
    try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=10:duration=1", "-i", "in.wav",
        "-c:v", "mjpeg", "-c:a", "pcm_s16le", "film.mkv",
      ], in: folder.path
    ).succeeded()
    let film = try run("--tempo", "2", "-o", "out.wav", "film.mkv").succeeded()
    #expect(film.errorText.contains(", without the picture\n"), "\(film.errorText)")
    let sound = try run("--tempo", "2", "-o", "out2.wav", "in.wav").succeeded()
    #expect(!sound.errorText.contains("picture"))
  }

  /// Killed in the middle, a run names the way to go on, which works.
  @Test func interruptedRunsNameTheResumption() throws {
    for number in 0..<40 { try folder.write("many/\(number).wav", Sound.wav) }
    let run = try Program.shell(
      """
      $scaleaudio --tempo 0.5 -j 1 many 2>errors & process=$!
      for turn in {1..200}; do sleep 0.05; ls many-tempo0.5/*.wav >/dev/null 2>&1 && break; done
      kill -TERM $process; wait $process; echo $?
      """, in: folder.path)
    #expect(run.outputText == "143\n")
    let errors = try Tool.run("cat", ["errors"], in: folder.path).outputText
    #expect(errors.contains("interrupted: ") && errors.contains("with --resume does the rest."))
    #expect(try self.run("--tempo", "0.5", "--resume", "many").status == 0)
    #expect(
      try folder.tree().filter { $0.hasPrefix("many-tempo0.5/") && $0.hasSuffix("wav") }.count == 40
    )
  }

  /// The help of the program has the options by group, and the short one fits a screen.
  @Test func helpByGroups() throws {
    let help = try run("--help").succeeded().outputText
    for group in ["LENGTH:", "METHOD:", "OUTPUT:", "SUBCOMMANDS:"] {
      #expect(help.components(separatedBy: "\n\(group)\n").count == 2, "\(group)")
    }
    #expect(help.contains("--tempo <tempo>") && help.contains("  convert (default)"))
    let short = try run("-h").succeeded().outputText
    let lines = short.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 30 && lines.allSatisfy { $0.count <= 82 })
    #expect(short.contains("--tempo") && short.contains("--speed") && short.contains("--factor"))
  }
}
