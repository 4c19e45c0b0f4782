import ScaleAudio
import TestSupport
import Testing

@Suite("Converting one file", .tags(.packageTraits))
struct ConvertTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("in.wav", Sound.wav)
    try folder.write("in.flac", Sound.flac)
  }

  private func scale(_ arguments: String...) throws -> Tool {
    try Tool.run(Program.path, arguments, in: folder.path)
  }

  @Test(arguments: ["wav", "flac"], ["0.37", "1", "1.5"])
  func matchesTheArithmetic(kind: String, factor: String) throws {
    let run = try scale("-f", factor, "in.\(kind)")
    #expect(run.status == 0, "\(run.errorText)")
    #expect(run.output.isEmpty)
    let source = try Sound.samples(folder.file("in.\(kind)"))
    let expected = ReferenceArithmetic.scale(
      interleaved: source, channels: 2, factor: Double(factor) ?? 0)
    #expect(try Sound.samples(folder.file("in-x\(factor).\(kind)")) == expected)
  }

  @Test func flacOutputPassesItsTest() throws {
    #expect(try scale("-f", "3/2", "in.flac").status == 0)
    #expect(try Tool.run("flac", ["-t", folder.file("in-x1.5.flac").string]).status == 0)
  }

  @Test func linearDiffersFromSmoothstep() throws {
    #expect(try scale("--method", "linear", "-f", "1.5", "in.wav").status == 0)
    let expected = ReferenceArithmetic.scale(
      interleaved: try Sound.samples(folder.file("in.wav")), channels: 2, factor: 1.5,
      smoothstep: false)
    #expect(try Sound.samples(folder.file("in-x1.5-linear.wav")) == expected)
  }

  @Test(arguments: ["--mono", "--single-channel"])
  func mergesChannels(option: String) throws {
    #expect(try scale(option, "-f", "1", "in.wav").status == 0)
    let source = try Sound.samples(folder.file("in.wav"))
    let means = stride(from: 0, to: source.count, by: 2).map {
      Int16(((Double(source[$0]) + Double(source[$0 + 1])) / 2).rounded(.toNearestOrEven))
    }
    #expect(try Sound.samples(folder.file("in-x1.wav")) == means)
  }

  /// Options for length, the suffix they give and the frames they make of 22,050.
  @Test(arguments: [
    (["-f", "150%"], "-x1.5", 33075), (["-f", "1/3"], "-x0.3333", 7350),
    (["-f2"], "-x2", 44100), (["--factor=0.01"], "-x0.01", 220),
    (["--speed", "1.25"], "-speed1.25", 17640), (["--speed", "2x"], "-speed2", 11025),
    (["--duration", "1"], "-1s", 44100), (["--duration", "0:01.5"], "-1.5s", 66150),
    (["--duration", "0:00:02"], "-2s", 88200),
  ])
  func lengths(options: [String], suffix: String, frames: Int) throws {
    let run = try Tool.run(Program.path, options + ["in.wav"], in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    let samples = try Tool.run("soxi", ["-s", folder.file("in\(suffix).wav").string])
    #expect(samples.outputText == "\(frames)\n")
  }

  @Test func formatIsChosen() throws {
    #expect(
      try scale("-f", "1", "--format", "flac", "--compression-level", "0", "in.wav").status == 0)
    #expect(
      try scale("-f", "1", "-o", "best.flac", "--compression-level", "8", "in.wav").status == 0)
    let source = try Sound.samples(folder.file("in.wav"))
    #expect(try Sound.samples(folder.file("in-x1.flac")) == source)
    #expect(try Sound.samples(folder.file("best.flac")) == source)
    #expect(try folder.bytes("best.flac").count < folder.bytes("in-x1.flac").count)
    #expect(try Tool.run("soxi", ["-t", folder.file("best.flac").string]).outputText == "flac\n")
  }

  @Test func formatsFollowContentNotNames() throws {
    try folder.write("misnamed.wav", Sound.flac)
    #expect(try scale("-f", "1", "misnamed.wav").status == 0)
    #expect(try Tool.run("flac", ["-t", folder.file("misnamed-x1.flac").string]).status == 0)
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

  @Test func missingFoldersAreMade() throws {
    #expect(try scale("-f", "1", "-o", "new/deep/", "in.wav").status == 0)
    #expect(folder.exists("new/deep/in-x1.wav"))
    try folder.write("bad.wav", Array("not audio".utf8))
    #expect(try scale("-f", "1", "-o", "other/deep/", "bad.wav").status == 1)
    #expect(!folder.exists("other"))
  }

  @Test func extremeFactorsAreReported() throws {
    let one = try Tool.run(
      "sox",
      [
        "-n", "-r", "8000", "-c", "1", "-b", "16", folder.file("one.wav").string, "synth",
        "0.000125",
        "square", "1000",
      ])
    #expect(one.status == 0)
    let run = try scale("-f", "0.5", "one.wav")
    #expect(run.status == 1)
    #expect(run.errorText.contains("one.wav: nothing is left of 1 frame"))
    let long = try scale("--duration", "9:00:00", "one.wav")
    #expect(long.status == 1)
    #expect(long.errorText.contains("0.01 to 100"))
  }

  @Test func truncatedInputIsAnErrorWithoutSalvage() throws {
    try folder.write("cut.flac", Array(Sound.flac.dropLast(Sound.flac.count / 2)))
    let run = try scale("-f", "1", "cut.flac")
    #expect(run.status == 1)
    #expect(run.errorText.contains("cut.flac: "))
    #expect(run.errorText.contains("--salvage"))
    #expect(!folder.exists("cut-x1.flac"))
  }

  @Test func theSourceIsNeverTouched() throws {
    let before = try Tool.run("stat", ["-c", "%i %s %y", folder.file("in.wav").string]).outputText
    _ = try scale("-f", "1.5", "in.wav")
    _ = try scale("-f", "1", "--suffix", "", "--overwrite", "in.wav")
    let after = try Tool.run("stat", ["-c", "%i %s %y", folder.file("in.wav").string]).outputText
    #expect(before == after)
    #expect(try folder.bytes("in.wav") == Sound.wav)
  }
}
