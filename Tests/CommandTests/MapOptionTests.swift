import TestSupport
import Testing

@Suite("Time maps on the command line")
struct MapOptionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(["in.wav": Sound.wav]) }

  private func convert(_ arguments: String...) throws -> Tool {
    try Tool.run(Program.path, arguments, in: folder.path)
  }

  @Test func faultsAreReportedBeforeAudioIsRead() throws {
    try folder.write("m.txt", Array("0 0\n1 x\n".utf8))
    // The audio is not even there.
    for input in ["in.wav", "none.wav"] {
      let run = try convert("--map", "m.txt", input)
      #expect(run.status == 64)
      #expect(
        run.errorText.hasPrefix(
          "scaleaudio: m.txt:2: 'x' is not a time; write seconds (12.5)"), "\(run.errorText)")
      #expect(run.errorText.split(separator: "\n").count == 1)
    }
    #expect(try folder.names() == ["in.wav", "m.txt"])
  }

  @Test func missingMaps() throws {
    let run = try convert("--map", "none.txt", "in.wav")
    #expect(run.status == 66)
    #expect(
      run.errorText == "scaleaudio: none.txt: cannot be opened: no such file or directory\n")
    for path in ["-", ""] {
      #expect(Program.refusal(of: ["--map", path, "in.wav"])?.status == 64)
    }
    #expect(try convert("--map", ".", "in.wav").status == 66)
  }

  @Test(arguments: [["-f", "2"], ["--speed", "2"], ["--duration", "3"]])
  func excludeOtherLengths(options: [String]) throws {
    let refusal = try #require(Program.refusal(of: options + ["--map", "m.txt", "in.wav"]))
    #expect(refusal.status == 64)
    #expect(refusal.message.contains("--map sets the length"))
  }

  @Test func mapsThatEndBeforeTheAudio() throws {
    try folder.write("m.txt", Array("0.4 0.6\n".utf8))
    let run = try convert("--map", "m.txt", "--json", "in.wav")
    #expect(run.status == 1)
    #expect(
      run.errorText.contains(
        "in.wav: the time map ends at 0.400 s (17640f), but the audio is 0.500 s (22050f) long; "
          + "add a line for its end"))
    #expect(run.outputText.contains(#""errorClass":"map-too-short""#))
    #expect(try folder.names() == ["in.wav", "m.txt"])
  }

  @Test func mapsThroughPipes() throws {
    try Program.shell(
      "$scaleaudio --pitch 1 --map <(echo 0.5 0.75) in.wav", in: folder.path
    ).succeeded()
    #expect(try folder.names() == ["in-mapped-pitch1.wav", "in.wav"])
  }
}
