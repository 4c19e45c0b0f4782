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
    // Engine and quality are shown where they were typed.
    (["-f", "2", "--engine", "vocoder"], "in-x2-stretch-vocoder.wav"),
    (["-f", "2", "--method", "sinc", "--quality", "best"], "in-x2-sinc-best.wav"),
    (["-f", "2", "--preset", "tape"], "in-x2-sinc.wav"),
    (["-f", "2", "--preset", "tape", "--quality", "fast"], "in-x2-sinc-fast.wav"),
    (["-f", "2", "--engine", "vocoder", "--name", "{engine} {quality}"], "vocoder default.wav"),
    (["-f", "2", "--rate", "48k", "--name", "{rate}"], "48000.wav"),
    // Without tags, the stem and the number of the input stand for title and track.
    (["-f", "2", "--name", "{track} {title}"], "1 in.wav"),
  ])
  func chooseNames(options: [String], name: String) throws {
    #expect(try Program.outputs(of: options + ["in.wav"]) == [name])
  }

  @Test func areListed() throws {
    let run = try Program.run(
      "-n", "--speed", "1.25,0.9", "--preset", "tape", "in.wav", in: folder.path
    ).succeeded()
    let names = run.outputText.split(separator: "\n").map { $0.prefix { $0 != "," } }
    #expect(
      names == [
        "in.wav -> in-speed1.25-sinc.wav  WAV (16-bit) 44100 Hz stereo",
        "in.wav -> in-speed0.9-sinc.wav  WAV (16-bit) 44100 Hz stereo",
      ])
    #expect(run.errorText.hasPrefix("total  2 outputs, 0."), "\(run.errorText)")
  }

  @Test func titleAndTrackComeFromTags() throws {
    let bench = try Workbench(["in.wav": Sound.wav])
    try bench.run("flac", "-s", "--tag=TITLE=A/B", "--tag=TRACKNUMBER=7/12", "in.wav")
    try Program.run(
      "-f", "2", "--name", "{track} {title} {rate}", "in.flac", in: bench.folder.path
    ).succeeded()
    #expect(bench.folder.exists("07 A_B 44100.flac"))
  }

  /// A second run over the same pattern.
  @Test func earlierOutputsAreSkipped() throws {
    try Program.run("-f", "2", "in.wav", in: folder.path).succeeded()
    // Not an output: its name alone is like that of one.
    try folder.write("in-other.wav", Sound.wav)
    let run = try Program.shell("$scaleaudio -f 3 *.wav", in: folder.path).succeeded()
    #expect(run.errorText.contains("in-x2.wav -> in-x2-x3.wav  the input is itself an output"))
    #expect(
      try folder.names() == [
        "in-other-x3.wav", "in-other.wav", "in-x2.wav", "in-x3.wav", "in.wav",
      ])
    // With an output among the inputs, the run that made it can be resumed.
    try Program.shell("$scaleaudio -f 2 --resume *.wav", in: folder.path).succeeded()
    try Program.run(
      "-f", "3", "--include-outputs", "--skip-existing", "in-x2.wav", "in.wav", in: folder.path
    )
    .succeeded()
    #expect(folder.exists("in-x2-x3.wav"))
    // Alone, it is an input as any other.
    try Program.run("-f", "4", "in-x2.wav", in: folder.path).succeeded()
    #expect(folder.exists("in-x2-x4.wav"))
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
