import ScaleAudio
import TestSupport
import Testing

@Suite("Outputs that stand in the way")
struct ConflictTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("a.wav", Sound.wav)
    try folder.write("other/a.wav", Sound.wav)
    try folder.write("a.flac", Sound.flac)
  }

  @Test(arguments: [
    (["--format", "flac", "a.wav", "a.flac"], "a.wav", "a.flac"),
    (["-o", "out", "a.wav", "other/a.wav"], "a.wav", "other/a.wav"),
    (["-o", "out/", "other", "a.wav", "--suffix", ""], "other/a.wav", "a.wav"),
  ])
  func twoInputsOneOutput(arguments: [String], first: String, second: String) throws {
    let before = try folder.tree()
    let run = try Tool.run(Program.path, ["-f", "2"] + arguments, in: folder.path)
    #expect(run.status == 64, "\(run.errorText)")
    #expect(run.errorText.contains(first) && run.errorText.contains(second))
    #expect(try folder.tree() == before)
  }

  @Test func namingAFileTwiceIsNoConflict() throws {
    let run = try Program.run("-n", "-f", "2", "a.wav", "./a.wav", "a.wav", in: folder.path)
    #expect(run.outputText == "a.wav -> a-x2.wav\n")
  }

  /// Every way of naming the input itself as output.
  @Test(arguments: [
    "$scaleaudio -f 2 --overwrite -o a.wav a.wav",
    "$scaleaudio -f 2 --overwrite -o ./other/../a.wav a.wav",
    "$scaleaudio -f 2 --overwrite -o $PWD/a.wav a.wav",
    "$scaleaudio -f 2 --overwrite --suffix '' a.wav",
    "$scaleaudio -f 2 --overwrite -o hard.wav a.wav",
    "$scaleaudio -f 2 --overwrite -o soft.wav a.wav",
    "$scaleaudio -f 2 --overwrite -o a.wav soft.wav",
    "$scaleaudio -f 2 --overwrite -o linked/a.wav a.wav",
    "$scaleaudio -f 2 --overwrite --suffix '' other",
    "$scaleaudio -f 2 --overwrite -o other other",
    "$scaleaudio -f 2 --skip-existing -o a.wav a.wav",
  ])
  func inPlaceIsRefused(line: String) throws {
    _ = try Program.shell(
      "ln a.wav hard.wav; ln -s a.wav soft.wav; ln -s . linked", in: folder.path)
    let before = try folder.tree()
    let run = try Program.shell(line, in: folder.path)
    #expect(run.status == 64, "\(run.errorText)")
    #expect(try folder.tree() == before)
    #expect(try folder.bytes("a.wav") == Sound.wav)
    #expect(try folder.bytes("other/a.wav") == Sound.wav)
  }

  @Test func inPlaceThroughStandardStreamsIsRefused() throws {
    let toItself = try Program.shell("$scaleaudio -f 2 a.wav -o - >> a.wav", in: folder.path)
    #expect(toItself.status == 1)
    #expect(toItself.errorText.contains("input itself"))
    let fromItself = try Program.shell(
      "$scaleaudio -f 2 --overwrite - -o a.wav < a.wav", in: folder.path)
    #expect(fromItself.status == 1)
    #expect(fromItself.errorText.contains("input itself"))
    #expect(try folder.bytes("a.wav") == Sound.wav)
  }

  @Test func anotherInputIsNotReplaced() throws {
    try folder.write("a-x2.wav", Sound.wav)
    let run = try Program.run(
      "-f", "2", "--overwrite", "a.wav", "a-x2.wav", in: folder.path)
    #expect(run.status == 64)
    #expect(run.errorText.contains("a-x2.wav, which is the input a-x2.wav"))
    #expect(try folder.bytes("a-x2.wav") == Sound.wav)
    #expect(!folder.exists("a-x2-x2.wav"))
    // Skipping it does no harm.
    let skipping = try Program.run(
      "-f", "2", "--skip-existing", "a.wav", "a-x2.wav", in: folder.path)
    #expect(skipping.status == 0)
    #expect(try folder.bytes("a-x2.wav") == Sound.wav)
    #expect(folder.exists("a-x2-x2.wav"))
  }

  @Test func aNameTooLong() throws {
    let name = String(repeating: "n", count: 250)
    try folder.write("\(name).wav", Sound.wav)
    let run = try Program.run("-f", "2", "\(name).wav", "a.wav", in: folder.path)
    #expect(run.status == 1)
    #expect(run.errorText.lowercased().contains("file name too long"))
    #expect(folder.exists("a-x2.wav"))
  }

  @Test func aFolderInThePlaceOfAnOutput() throws {
    try folder.write("a-x2.wav/x", [])
    let run = try Program.run("-f", "2", "--overwrite", "a.wav", in: folder.path)
    #expect(run.status == 1)
    #expect(run.errorText.contains("a-x2.wav"))
    #expect(folder.exists("a-x2.wav/x"))
  }
}
