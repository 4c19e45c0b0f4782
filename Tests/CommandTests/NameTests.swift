import ScaleAudio
import TestSupport
import Testing

@Suite("Names that show the request")
struct NameTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("in.wav", Sound.wav)
  }

  private func names(_ arguments: [String]) throws -> [String] {
    let run = try Tool.run(Program.path, ["-n"] + arguments, in: folder.path)
    #expect(run.status == 0, "\(arguments): \(run.errorText)\(run.outputText)")
    return run.outputText.split(separator: "\n").compactMap {
      $0.split(separator: " -> ").last.map(String.init)
    }
  }

  @Test(arguments: [
    (["-f", "1.5"], "in-x1.5.wav"), (["--speed", "1.25"], "in-speed1.25.wav"),
    (["--speed", "1.3"], "in-speed1.3.wav"), (["--duration", "0:30"], "in-30s.wav"),
    (["-f", "1.5", "--method", "sinc"], "in-x1.5-sinc.wav"),
    (["-f", "1.5", "--method", "smoothstep"], "in-x1.5-smoothstep.wav"),
    (["--speed", "1.25", "--preset", "tape"], "in-speed1.25-sinc.wav"),
    (["-f", "2", "--method", "sinc", "--suffix=-slow"], "in-slow.wav"),
    (["--format", "flac"], "in.flac"), (["--format", "wav"], "in-wav.wav"),
    (["--bits", "16"], "in-16bit.wav"), (["--mono", "--bits", "f32"], "in-float32-mono.wav"),
    (["--normalize", "-1", "--format", "flac"], "in-peak-1.flac"),
    (["-f", "1.5", "--format", "flac", "--keep-extension"], "in-x1.5.wav.flac"),
    (["-f", "1.5", "--keep-extension"], "in-x1.5.wav"),
  ])
  func defaults(options: [String], name: String) throws {
    #expect(try names(options + ["in.wav"]) == [name])
  }

  @Test(arguments: [
    ("{stem}-{factor}.{ext}", "in-0.8.wav"),
    ("{stem}_{speed}_{method}_{pitch}", "in_1.25_smoothstep_0.wav"),
    ("{index}. {stem}", "1. in.wav"), ("{method}/{stem}.{ext}", "smoothstep/in.wav"),
    ("{{{stem}}}", "{in}.wav"), ("{stem}-slow.WAV", "in-slow.WAV"), ("x.{ext}", "x.wav"),
  ])
  func templates(template: String, name: String) throws {
    #expect(try names(["--speed", "1.25", "--name", template, "in.wav"]) == [name])
  }

  @Test func templatesInFolders() throws {
    for number in 1...10 { try folder.write("Music/deep/\(number).wav", Sound.wav) }
    let made = try names(
      [
        "--duration", "3", "--name", "{parent}-{index}-{duration}s.{ext}", "Music", "in.wav", "-o",
        "o",
      ])
    #expect(made.first == "o/deep/deep-01-3s.wav")
    #expect(made.last == "o/\(folder.path.lastComponent?.string ?? "")-11-3s.wav")
    #expect(
      try names(["-f", "2", "--name", "{stem}.{ext}", "Music"]).first == "Music-x2/deep/1.wav")
  }

  /// The journal goes by the names that a template gives.
  @Test func resuming() throws {
    let options = [
      "-f", "2", "--resume", "--name", "{stem}/{factor}.{ext}", "in.wav", "-o", "out/",
    ]
    let first = try Tool.run(Program.path, options, in: folder.path)
    #expect(first.status == 0 && folder.exists("out/in/2.wav"), "\(first.errorText)")
    let second = try Tool.run(Program.path, options + ["--json"], in: folder.path)
    #expect(second.outputText.contains("already-done"))
  }

  @Test(arguments: [
    (["--name", "{stem}{foo}"], "{foo}"), (["--name", "../{stem}"], "below the folder"),
    (["--name", "{stem"], "brace"), (["--name", "{duration}"], "{duration} in a name needs"),
    (["--name", "{stem}", "--suffix", "x"], "--suffix"),
    (["--name", "{stem}", "--keep-extension"], "--keep-extension"),
  ])
  func refusals(options: [String], message: String) throws {
    let run = try Tool.run(Program.path, ["-f", "2", "in.wav"] + options, in: folder.path)
    #expect(run.status == 64)
    #expect(run.errorText.contains(message), "\(run.errorText)")
    #expect(try folder.names() == ["in.wav"])
  }

  // MARK: - Several outputs

  @Test func severalFactorsOfAFile() throws {
    #expect(
      try names(["-f", "0.9,1.0,1.1", "in.wav"]) == ["in-x0.9.wav", "in-x1.wav", "in-x1.1.wav"])
    #expect(try names(["-f", "1.1,1.1", "in.wav"]) == ["in-x1.1.wav"])
    let run = try Program.run("-f", "0.5,2", "--json", "in.wav", in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    #expect(run.outputText.split(separator: "\n").count == 2)
    for (name, factor) in [("in-x0.5.wav", 0.5), ("in-x2.wav", 2)] {
      let expected = ReferenceArithmetic.scale(
        interleaved: try Sound.samples(folder.file("in.wav")), channels: 2, factor: factor)
      #expect(try Sound.samples(folder.file(name)) == expected)
    }
  }

  @Test func oneTreeForEachValue() throws {
    try folder.write("Music/a/x.wav", Sound.wav)
    #expect(
      try names(["--speed", "0.9,1.25", "Music"])
        == ["Music-speed0.9/a/x.wav", "Music-speed1.25/a/x.wav"])
    #expect(
      try names(["--speed", "0.9,1.25", "Music", "-o", "out"])
        == ["out/speed0.9/a/x.wav", "out/speed1.25/a/x.wav"])
    #expect(
      try names(["--speed", "0.9,1.25", "Music", "-o", "out", "--name", "{stem}-{speed}"])
        == ["out/a/x-0.9.wav", "out/a/x-1.25.wav"])
  }

  @Test(arguments: [
    (["-f", "1,5", "in.wav"], "use a point"), (["--pitch", "1,5", "in.wav"], "use a point"),
    (["-f", "0.9,", "in.wav"], "a factor is"),
    (["-f", "0.9,1.1", "-o", "-", "in.wav"], "only one output"),
    (["-f", "0.9,1.1", "-o", "a.wav", "in.wav"], "not a folder"),
    (["-f", "0.9", "-o", "a.wav", "in.wav", "other.wav"], "a.wav: not a folder"),
    (["plot", "-o", "a.png", "in.wav", "other.wav"], "a.png: not a folder"),
    (["-f", "0.9,1.1", "-o", "out", "-"], "only once"),
  ])
  func malformedLists(arguments: [String], message: String) throws {
    let run = try Tool.run(Program.path, arguments, in: folder.path)
    #expect(run.status == 64)
    #expect(run.errorText.contains(message), "\(run.errorText)")
  }

  @Test(arguments: [
    (["--format", "flac"], "u.mp3"), (["--format", "aac"], "u.aac"),
    (["--format", "w64"], "u.wav"),
    (["--format", "wav"], "u.FLAC"),
  ])
  func anExtensionOfAnotherFormatIsRefused(options: [String], name: String) throws {
    let run = try Tool.run(
      Program.path, ["-f", "2", "in.wav", "-o", name] + options, in: folder.path)
    #expect(run.status == 64)
    #expect(run.errorText.contains("\(name): the extension means"), "\(run.errorText)")
    #expect(!folder.exists(name))
  }
}
