import TestSupport
import Testing

@Suite("Options about names")
struct NameOptionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(["in.wav": Sound.wav]) }

  @Test(arguments: [
    (["-f", "1.5"], "in-x1.5.wav"), (["--speed", "1.25"], "in-speed1.25.wav"),
    (["--speed", "1.3"], "in-speed1.3.wav"), (["--duration", "0:30"], "in-30s.wav"),
    (["-f", "1.5", "--method", "sinc"], "in-x1.5-sinc.wav"),
    (["-f", "1.5", "--method", "smoothstep"], "in-x1.5-smoothstep.wav"),
    (["-f", "2", "--method", "sinc", "--suffix=-slow"], "in-slow.wav"),
    (["--format", "flac"], "in.flac"), (["--bits", "16"], "in-16bit.wav"),
    (["--mono", "--bits", "f32"], "in-float32-mono.wav"),
    (["--normalize", "-1", "--format", "flac"], "in-peak-1.flac"),
    (["-f", "1.5", "--format", "flac", "--keep-extension"], "in-x1.5.wav.flac"),
    (["-f", "1.5", "--keep-extension"], "in-x1.5.wav"),
    (["--speed", "1.25", "--name", "{stem}-{factor}.{ext}"], "in-0.8.wav"),
  ])
  func chooseNames(options: [String], name: String) throws {
    #expect(try Program.outputs(of: options + ["in.wav"]) == [name])
  }

  @Test func areListed() throws {
    let run = try Program.run(
      "-n", "--speed", "1.25,0.9", "--preset", "tape", "in.wav", in: folder.path
    ).succeeded()
    #expect(
      run.outputText == "in.wav -> in-speed1.25-sinc.wav\nin.wav -> in-speed0.9-sinc.wav\n")
  }

  @Test func severalFactorsHaveARecordEach() throws {
    let run = try Program.run("-f", "0.5,2", "--json", "in.wav", in: folder.path).succeeded()
    #expect(run.outputText.split(separator: "\n").count == 2)
    #expect(try folder.names() == ["in-x0.5.wav", "in-x2.wav", "in.wav"])
  }

  /// Refusals while outputs are planned.
  @Test(arguments: [
    (["-f", "2", "--name", "{duration}", "in.wav"], "{duration} in a name needs"),
    (["-f", "0.9,1.1", "-o", "-", "in.wav"], "only one output"),
    (["-f", "0.9,1.1", "-o", "a.wav", "in.wav"], "not a folder"),
    (["plot", "-o", "a.png", "in.wav", "other.wav"], "a.png: not a folder"),
    (["-f", "0.9,1.1", "-o", "out", "-"], "only once"),
    (["-f", "2", "--format", "aac", "-o", "u.aac", "in.wav"], "u.aac: the extension means"),
  ])
  func refusals(arguments: [String], message: String) throws {
    let run = try Tool.run(Program.path, arguments, in: folder.path)
    #expect(run.status == 64)
    #expect(run.errorText.contains(message), "\(run.errorText)")
    #expect(try folder.names() == ["in.wav"])
  }
}
