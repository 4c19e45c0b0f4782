import ScaleAudio
import TestSupport
import Testing

@Suite("Outputs that collide")
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

  @Test func namingAFileTwiceIsNotAConflict() throws {
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
    #expect(run.status == 1)
    #expect(run.errorText.contains("a-x2.wav, which is the input a-x2.wav"))
    #expect(try folder.bytes("a-x2.wav") == Sound.wav)
    #expect(folder.exists("a-x2-x2.wav"))
    // Skipping it does no harm.
    let skipping = try Program.run(
      "-f", "2", "--skip-existing", "a.wav", "a-x2.wav", in: folder.path)
    #expect(skipping.status == 0)
    #expect(try folder.bytes("a-x2.wav") == Sound.wav)
    #expect(folder.exists("a-x2-x2.wav"))
  }

  @Test func onlyThoseThatCollideAreRefused() throws {
    for name in ["noise.wav", "noise.flac", "other.wav"] {
      try folder.write("Music/\(name)", name.hasSuffix("flac") ? Sound.flac : Sound.wav)
    }
    let listed = try Program.run("-n", "-f", "2", "--format", "flac", "Music", in: folder.path)
    #expect(listed.status == 1)
    #expect(listed.outputText.split(separator: "\n").count { $0.contains("(error: ") } == 2)
    #expect(!folder.exists("Music-x2"))
    let run = try Program.run(
      "-f", "2", "--format", "flac", "--json", "Music", in: folder.path)
    #expect(run.status == 1)
    let records = run.outputText.split(separator: "\n")
    #expect(records.count { $0.contains("\"errorClass\":\"same-output\"") } == 2)
    #expect(
      run.errorText.contains(
        "Music/noise.wav: its output would be Music-x2/noise.flac, the same as for Music/noise.flac; "
          + "--keep-extension keeps them apart"), "\(run.errorText)")
    #expect(folder.exists("Music-x2/other.flac") && !folder.exists("Music-x2/noise.flac"))
    // The remedy is one that works.
    let apart = try Program.run(
      "-f", "2", "--format", "flac", "--keep-extension", "Music", in: folder.path)
    #expect(apart.status == 0, "\(apart.errorText)")
    #expect(folder.exists("Music-x2/noise.wav.flac") && folder.exists("Music-x2/noise.flac"))
    #expect(
      try Program.run(
        "-f", "2", "--format", "flac", "--keep-extension", "Music/noise.wav", in: folder.path
      ).errorText.contains("Music/noise-x2.wav.flac"))
  }

  /// The suggested remedy resolves every collision.
  @Test(arguments: [
    ["-o", "out", "-f", "2", "a.wav", "other/a.wav", "a.flac"],
    ["-o", "out", "-f", "2", "other/a.wav", "far/other/a.wav"],
    ["-f", "0.9,1.1", "--suffix", "", "a.wav", "-o", "out"],
    ["--speed", "0.9,1.1", "--name", "{stem}", "a.wav", "-o", "out"],
    ["--format", "flac", "-o", "out", "a.wav", "a.flac", "other"],
  ])
  func theRemedyWorks(arguments: [String]) throws {
    try folder.write("far/other/a.wav", Sound.wav)
    let run = try Tool.run(Program.path, ["-n"] + arguments, in: folder.path)
    #expect(run.status == 64 || run.status == 1)
    let reported = (run.errorText + run.outputText).split(separator: "; ").last ?? ""
    var remedied = arguments
    if reported.hasPrefix("--keep-extension ") {
      remedied.append("--keep-extension")
    } else {
      let template = try #require(reported.split(separator: "'").dropFirst().first)
      for option in ["--name", "--suffix"] {
        if let index = remedied.firstIndex(of: option) {
          remedied.removeSubrange(index...index + 1)
        }
      }
      remedied += ["--name", String(template)]
    }
    let again = try Tool.run(Program.path, ["-n"] + remedied, in: folder.path)
    #expect(again.status == 0, "\(remedied): \(again.errorText)\(again.outputText)")
  }

  @Test func aNameTooLong() throws {
    let name = String(repeating: "n", count: 250)
    try folder.write("\(name).wav", Sound.wav)
    let run = try Program.run("-f", "2", "\(name).wav", "a.wav", in: folder.path)
    #expect(run.status == 1)
    #expect(run.errorText.lowercased().contains("file name too long"))
    #expect(folder.exists("a-x2.wav"))
  }

  @Test func aFolderInPlaceOfAnOutput() throws {
    try folder.write("a-x2.wav/x", [])
    let run = try Program.run("-f", "2", "--overwrite", "a.wav", in: folder.path)
    #expect(run.status == 1)
    #expect(run.errorText.contains("a-x2.wav"))
    #expect(folder.exists("a-x2.wav/x"))
  }
}
