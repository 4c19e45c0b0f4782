import ScaleAudio
import TestSupport
import Testing

@Suite("Converting one file", .tags(.packageTraits))
struct ConvertTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder(["in.wav": Sound.wav, "in.flac": Sound.flac])
  }

  private func scale(_ arguments: String...) throws -> Tool {
    try Tool.run(Program.path, arguments, in: folder.path)
  }

  @Test(arguments: ["wav", "flac"], ["0.37", "1", "1.5"])
  func matchesTheArithmetic(kind: String, factor: String) throws {
    let run = try scale("-f", factor, "in.\(kind)").succeeded()
    #expect(run.output.isEmpty)
    let source = try Sound.samples(folder.file("in.\(kind)"))
    let expected = ReferenceArithmetic.scale(
      interleaved: source, channels: 2, factor: Double(factor) ?? 0)
    #expect(try Sound.samples(folder.file("in-x\(factor).\(kind)")) == expected)
  }

  @Test(arguments: ["--mono", "--single-channel"])
  func mergesChannels(option: String) throws {
    let request = try Program.request(of: [option, "-f", "1", "in.wav"])
    #expect(request.settings.channels == .mono(.mean))
  }

  /// Options for length, the suffix they give and the frames they make of 22,050.
  @Test(arguments: [
    (["-f", "150%"], "-x1.5", 33075), (["-f", "1/3"], "-x0.3333", 7350),
    (["-f2"], "-x2", 44100), (["--factor=0.01"], "-x0.01", 220),
    (["--speed", "1.25"], "-speed1.25", 17640), (["--speed", "2x"], "-speed2", 11025),
    (["--duration", "1"], "-1s", 44100), (["--duration", "0:01.5"], "-1.5s", 66150),
    (["--duration", "0:00:02"], "-2s", 88200), (["--duration", "30001f"], "-30001f", 30_001),
  ])
  func lengths(options: [String], suffix: String, frames: Int) throws {
    let batch = try Batch(
      Program.request(of: options + [folder.file("in.wav").string, "-o", "\(folder.path)/"]))
    let output = folder.file("in\(suffix).wav")
    #expect(batch.jobs.map(\.work.output) == [.file(output)])
    _ = try batch.jobs[0].work.run()
    #expect(try Tool.run("soxi", ["-s", output.string]).outputText == "\(frames)\n")
  }

  @Test func formatIsChosen() throws {
    for (level, name) in [("0", "fast.flac"), ("8", "best.flac")] {
      try Program.convert([
        "-f", "1", "-o", folder.file(name).string, "--compression-level", level,
        folder.file("in.wav").string,
      ])
      let source = try Sound.samples(folder.file("in.wav"))
      #expect(try Sound.samples(folder.file(name)) == source)
    }
    #expect(try folder.bytes("best.flac").count < folder.bytes("fast.flac").count)
    let run = try scale("-f", "1", "--format", "flac", "in.wav").succeeded()
    #expect(run.output.isEmpty && folder.exists("in-x1.flac"))
  }

  @Test func existingOutputs() throws {
    try folder.write("in-x1.wav", [1, 2, 3])
    let refused = try scale("-f", "1", "in.wav")
    #expect(refused.status == 1)
    #expect(refused.errorText.contains("in-x1.wav"))
    #expect(refused.errorText.contains("--overwrite"))
    #expect(try folder.bytes("in-x1.wav") == [1, 2, 3])
    #expect(try scale("-f", "1", "--skip-existing", "in.wav").status == 0)
    #expect(try folder.bytes("in-x1.wav") == [1, 2, 3])
    #expect(try scale("-f", "1", "--overwrite", "in.wav").status == 0)
    #expect(
      try Sound.samples(folder.file("in-x1.wav")) == Sound.samples(folder.file("in.wav")))
    #expect(try folder.names() == ["in-x1.wav", "in.flac", "in.wav"])
  }

  @Test func suffixAndPermissions() throws {
    #expect(try scale("-f", "2", "--suffix", " slow é", "in.wav").status == 0)
    #expect(folder.exists("in slow é.wav"))
    let run = try Program.shell(
      "umask 027; $scaleaudio -f 3 in.wav && stat -c %a in-x3.wav", in: folder.path)
    #expect(run.outputText == "640\n")
  }

  @Test func extremeFactorsAreReported() throws {
    try folder.write("one.wav", Signal.wav([1000]))
    let run = try scale("-f", "0.5", "one.wav")
    #expect(run.status == 1)
    #expect(run.errorText.contains("one.wav: nothing is left of 1 frame"))
    let long = try scale("--duration", "9:00:00", "one.wav")
    #expect(long.status == 1)
    #expect(long.errorText.contains("0.01 to 100"))
  }
}
