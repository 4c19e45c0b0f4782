import ScaleAudio
import TestSupport
import Testing

@testable import scaleaudio_cli

@Suite("Problems with options")
struct ArgumentProblemTests {
  /// The parser's messages, in other words where a person may have meant something else.
  @Test(arguments: [
    ("--atempo 1.5 a.wav", "Unknown option '--atempo'. Did you mean '--tempo'?"),
    ("--overwrit -f 2 a.wav", "Unknown option '--overwrit'. Did you mean '--overwrite'?"),
    ("--formta=flac -f 2 a.wav", "Unknown option '--formta'. Did you mean '--format'?"),
    ("--stems a.wav", "Unknown option '--stems'."),
    ("-x -f 2 a.wav", "Unknown option '-x'."), ("-qx -f 2 a.wav", "Unknown option '-x'."),
    (
      "-threads 4 -f 2 a.wav", "Unknown option '-threads'. Did you mean '--threads'?"
    ),
    ("--speed 1.02 -z", "Unknown option '-z'."),
    ("--speed 1.02 -y.wav", "Unknown option '-y.wav'."),
    ("verify -y", "Unknown option '-y'."),
    ("info --levls a.wav", "Unknown option '--levls'. Did you mean '--levels'?"),
    (
      "--levels a.wav",
      "Unknown option '--levels' of convert; it is one of 'scaleaudio info'."
    ),
    (
      "-f 2 -o --overwrite a.wav",
      "Missing value for '-o': --overwrite is an option. For a value of this name, write --output=--overwrite."
    ),
    ("-f 1.5 -f 2 a.wav", "--factor is given twice; for both, write --factor 0.9,1.1."),
    ("-f1.5 --factor=2 a.wav", "--factor is given twice; for both, write --factor 0.9,1.1."),
    ("--speed 1 --speed 2 a.wav", "--speed is given twice; for both, write --speed 0.9,1.1."),
    (
      "--keep-pitch --speed 2 a.wav",
      "Unknown option '--keep-pitch'. Did you mean '--tempo'?"
    ),
    ("0.8 a.wav", "0.8 is no file; write --tempo 0.8 for the same pitch, or --speed 0.8."),
    ("a.wav 200", "200 is no file; write --tempo 200% for the same pitch, or --speed 200%."),
    ("a.wav 80%", "80% is no file; write --tempo 80% for the same pitch, or --speed 80%."),
    (
      "--tempo 2 -o out/{title}.wav a.wav",
      "--output is a path as it stands, with {title} in it; names of fields are for --name '{title}.{ext}'."
    ),
    ("--faster 1.2 a.wav", "Unknown option '--faster'. Did you mean '--tempo'?"),
    ("--key -2 a.wav", "Unknown option '--key'. Did you mean '--pitch'?"),
    ("--tempo 2 --start 1 a.wav", "Unknown option '--start'. Did you mean '--from'?"),
    ("--tempo 2 --output-dir b a.wav", "Unknown option '--output-dir'. Did you mean '--output'?"),
    ("--samplerate 8k a.wav", "Unknown option '--samplerate'. Did you mean '--rate'?"),
    (
      "-f 2 --recursive Music",
      "Unknown option '--recursive'. Folders are walked recursively without it."
    ),
    ("infoo a.wav", "Unknown command 'infoo'. Did you mean 'info'?"),
    ("covnert --atempo 2 a.wav", "Unknown command 'covnert'. Did you mean 'convert'?"),
    // The unknown one first, at any position.
    ("-f 1 -f 2 --atempo 3 a.wav", "Unknown option '--atempo'. Did you mean '--tempo'?"),
    ("--tempo 1 --tempo 2 a.wav", "--tempo is given twice; for both, write --tempo 0.9,1.1."),
  ])
  func problemsAreNamed(line: String, message: String) throws {
    let folder = try TemporaryFolder(["a.wav": Sound.wav])
    let run = try Tool.run(
      Program.path, line.split(separator: " ").map(String.init), in: folder.path)
    #expect(run.status == 64)
    #expect(run.outputText == "")
    #expect(String(run.errorText.prefix { $0 != "\n" }) == "Error: \(message)")
    #expect(try folder.names() == ["a.wav"])
  }

  @Test(arguments: [
    "-f 1.5 a.wav", "-f1.5 -j4 -qn a.wav", "--suffix -half -f 2 a.wav", "--pitch -2 a.wav",
    "-f 2 -- --tempo -x -f", "-o - -f 2 -", "--bits 16 --bits 24 -f 2 a.wav",
    "plot --range -0:10 a.wav",
    "--suffix=--overwrite -f 2 a.wav", "help convert", "formats --json",
  ])
  func validArgumentsHaveNoProblem(line: String) {
    let arguments = line.split(separator: " ").map(String.init)
    #expect(ArgumentProblem.misunderstanding(arguments, ScaleAudioCommand.tree) == nil)
  }

  /// The first line that the program prints.
  private func answer(_ arguments: String..., in folder: TemporaryFolder) throws -> String {
    let run = try Tool.run(Program.path, arguments, in: folder.path)
    #expect(run.status == 64)
    #expect(run.outputText == "")
    return String(run.errorText.prefix { $0 != "\n" })
  }

  @Test func theProgramReportsThemFirst() throws {
    let folder = try TemporaryFolder()
    #expect(
      try answer("help", "nope", in: folder).hasPrefix("Error: There is no help on 'nope'"))
    #expect(
      try answer("-f", "2", "https://example.org/a.mp3", in: folder)
        .hasPrefix(
          "Error: 'https://example.org/a.mp3' is an address, not a file; download it first"))
    #expect(
      try answer("--atempo", "1.5", "a.wav", in: folder)
        == "Error: Unknown option '--atempo'. Did you mean '--tempo'?")
    #expect(
      try answer("--speed", "2", "--speed", "3", "a.wav", in: folder)
        == "Error: --speed is given twice; for both, write --speed 0.9,1.1.")
    // A value that is wrong comes before a length that is missing.
    #expect(
      try answer("-o", "-", "--plot", "a.wav", in: folder)
        == "Error: --plot does not apply to standard output.")
    #expect(
      try answer("a.wav", in: folder).hasPrefix("Error: No command or file named 'a.wav'. The "))
    try folder.write("a.wav", Sound.wav)
    #expect(try answer("a.wav", in: folder).hasPrefix("Error: Say what to change"))
    try folder.write("-dash.wav", [])
    #expect(
      try answer("-f", "2", "-dash.wav", in: folder)
        == "Error: Unknown option '-dash.wav'. For the file -dash.wav, write ./-dash.wav.")
  }

  @Test func unprintableCharactersAreEscaped() throws {
    let folder = try TemporaryFolder()
    #expect(
      try answer("-f", "2", "--suffix", "a/\u{1b}[31m", "a.wav", in: folder)
        == "Error: --suffix 'a/\\u{1b}[31m' must not contain a slash.")
    #expect(
      try answer("-f", "2", "--format=\u{1b}x", "a.wav", in: folder)
        .hasPrefix("Error: The value '\\u{1b}x' is invalid for '--format <ext>'"))
  }

  @Test func valuesAndInputsMayBeginWithAHyphen() throws {
    let folder = try TemporaryFolder(["-dash.wav": Sound.wav])
    try Program.run("-f", "2", "--suffix", "-half", "--", "-dash.wav", in: folder.path)
      .succeeded()
    #expect(try folder.tree() == ["-dash-half.wav", "-dash.wav"])
    let pitched = try Program.run("--pitch", "-2", "-n", "--", "-dash.wav", in: folder.path)
    let line = try #require(pitched.outputText.split(separator: "\n").first)
    #expect(line.hasPrefix("-dash.wav -> -dash-pitch-2.wav  WAV "))
    #expect(line.contains(", pitch -2 semitones, stretch, "))
  }

  /// The spaces that writers of other languages put before the sign.
  @Test(arguments: ["125%", "125 %", "125\u{A0}%", "125\u{202F}%"])
  func aSpaceBeforeTheSign(value: String) throws {
    #expect(try SpeedValue(value).factor == TimeFactor(speed: 1.25))
    #expect(Decimal.ratio(" %") == nil)
  }
}
