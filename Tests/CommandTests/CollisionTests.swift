import ScaleAudio
import TestSupport
import Testing

/// Messages about outputs that collide; `ScaleAudioTests` tests which ones do.
@Suite("Collisions on the command line")
struct CollisionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder(["a.wav": Sound.wav, "other/a.wav": Sound.wav])
  }

  @Test(arguments: [
    ["-o", "out", "a.wav", "other/a.wav"], ["--overwrite", "-o", "./other/../a.wav", "a.wav"],
    ["--skip-existing", "-o", "a.wav", "a.wav"], ["--overwrite", "--suffix", "", "other"],
  ])
  func nothingIsStarted(arguments: [String]) throws {
    let before = try folder.tree()
    let run = try Tool.run(Program.path, ["-f", "2"] + arguments, in: folder.path)
    #expect(run.status == 64, "\(run.errorText)")
    #expect(run.errorText.contains("Nothing was started"), "\(run.errorText)")
    #expect(try folder.tree() == before)
    #expect(try folder.bytes("a.wav") == Sound.wav)
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

  @Test func collisionsInAFolder() throws {
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
  }

  /// The remedy that is printed is an option that works.
  @Test func theRemedyIsAnOption() throws {
    let arguments = ["-n", "-o", "out", "-f", "2", "a.wav", "other/a.wav"]
    let run = try Tool.run(Program.path, arguments, in: folder.path)
    let remedy = (run.errorText + run.outputText).split(separator: "; ").last ?? ""
    let words = remedy.split(separator: " ").map(String.init)
    #expect(words.first == "--base", "\(remedy)")
    try Tool.run(Program.path, arguments + words.prefix(2), in: folder.path).succeeded()
  }
}
