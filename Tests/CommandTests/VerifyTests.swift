import Foundation
import TestSupport
import Testing

/// `verify`: outputs that are complete, and those that are not.
@Suite("Verifying outputs")
struct VerifyTests {
  private let bench: Workbench

  /// A tree of files with tags, a cover, chapters and markers.
  init() throws {
    bench = try Workbench(["in/a.wav": Sound.wav, "in/sub/b.wav": Sound.wav])
    try bench.shell(
      """
      ffmpeg -v error -f lavfi -i color=s=8x8:d=1 -frames:v 1 c.png
      flac -s --tag=TITLE=song --tag=ARTIST=Ann --picture=c.png \\
        --tag=CHAPTER001=00:00:00.000 --tag=CHAPTER001NAME=One \\
        --tag=CHAPTER002=00:00:00.050 --tag=CHAPTER002NAME=Two in/a.wav -o in/c.flac
      """)
  }

  private func run(_ line: String) throws -> Tool {
    try Program.shell("$scaleaudio " + line, in: bench.folder.path)
  }

  private func records(_ line: String) throws -> [[String: Any]] {
    try run("verify --json \(line)").outputText.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test(arguments: [
    "-f 1.5", "--speed 1.1 --method sinc", "-f 1.5 --format flac", "-f 0.7 --format mp3",
    "-f 1.5 --format opus", "-f 1.5 --format ogg", "-f 1.5 --format aiff",
    "--speed 0.9,1.1", "-f 2 --rate 16k", "-f 1.5 --resume", "--format flac",
    "-f 1.5 --format m4a", "-f 1.5 --format w64 --resume",
  ])
  func whatConvertMakesMatches(options: String) throws {
    let made = try run("\(options) --keep-extension -o out/ in")
    try #require(made.status == 0, "\(made.errorText)")
    let verified = try run("verify out --against in")
    #expect(verified.status == 0, "\(verified.outputText)\(verified.errorText)")
    let count = options.contains(",") ? 6 : 3
    #expect(verified.outputText.split(separator: "\n").count == count)
    #expect(verified.errorText == "\(count) match\n")
  }

  @Test func whatIsWrongIsNamed() throws {
    try run("-f 1.5 -o out/ in").succeeded()
    try bench.shell(
      """
      head -c 20000 out/a.wav > t.wav
      mv t.wav out/a.wav
      metaflac --remove-tag=ARTIST --remove-tag=CHAPTER002 --remove-tag=CHAPTER002NAME out/c.flac
      metaflac --export-tags-to=tags out/c.flac
      flac -s -d out/c.flac -o whole.wav
      sox whole.wav part.wav trim 0 1000s
      flac -s -f part.wav -o out/c.flac
      metaflac --import-tags-from=tags out/c.flac
      rm out/sub/b.wav
      cp in/a.wav out/stray.wav
      """)
    let verified = try run("verify out --against in")
    #expect(verified.status == 1)
    let lines = verified.outputText.split(separator: "\n").map(String.init)
    func line(_ name: String) -> String { lines.first { $0.contains(name) } ?? "" }
    #expect(line("a.wav").hasPrefix("differs") && line("a.wav").contains("damaged"), "\(lines)")
    #expect(
      line("c.flac").contains("it has 1000 frames instead of 33075: 32075 are missing"), "\(lines)")
    #expect(line("c.flac").contains("a picture is missing"), "\(lines)")
    #expect(line("c.flac").contains("tag ARTIST is missing"), "\(lines)")
    #expect(line("c.flac").contains("1 chapters instead of 2"), "\(lines)")
    #expect(line("b.wav").hasPrefix("missing"), "\(lines)")
    #expect(line("stray.wav").hasPrefix("stray"), "\(lines)")
    #expect(verified.errorText == "2 differ, 1 missing, 1 without a source\n")
    let found = try records("out --against in")
    #expect(Set(found.compactMap { $0["status"] as? String }) == ["differs", "missing", "stray"])
    #expect(try run("verify -q out --against in").outputText.split(separator: "\n").count == 4)
  }

  @Test func outputsBesideTheirSources() throws {
    try run("-f 1.5 in/a.wav in/c.flac").succeeded()
    try run("-f 2 in/sub").succeeded()
    #expect(try run("verify in/a.wav in/c.flac").succeeded().errorText == "2 match\n")
    #expect(try run("verify in/*.wav").succeeded().errorText == "1 match\n")
    #expect(try run("verify in/sub").succeeded().errorText == "1 match\n")
    let missing = try run("verify in/sub/b.wav")
    #expect(missing.status == 1 && missing.outputText.contains("no output is beside it"))
    #expect(try run("verify none.wav").status != 0)
    #expect(try run("verify out --against none").status == 66)
    #expect(try run("verify").status == 64)
  }

  @Test func namesTellParts() throws {
    try run("--from 0.02 --to 0.08 -f 1.5 in/a.wav").succeeded()
    try run("--only 0.1-0.2 -f 2 in/a.wav").succeeded()
    let verified = try run("verify in/a.wav").succeeded()
    #expect(verified.errorText == "2 match\n")
    #expect(verified.outputText.contains("(not compared: length, times)"))
  }

  /// A changed sample is found by the hash of a manifest.
  @Test func manifestsHaveHashes() throws {
    try run("-f 1.5 -o out/ --manifest m.jsonl --manifest-hash in").succeeded()
    #expect(try run("verify --manifest m.jsonl").succeeded().errorText == "3 match\n")
    var bytes = try bench.folder.bytes("out/a.wav")
    bytes[100] ^= 1
    try bench.folder.write("out/a.wav", bytes)
    let changed = try run("verify --manifest m.jsonl")
    #expect(changed.status == 1)
    #expect(changed.outputText.contains("out/a.wav: its samples have another SHA-256"))
    #expect(try records("--manifest m.jsonl").allSatisfy { $0["basis"] as? String == "manifest" })
  }

  /// A journal knows the state of sources and outputs.
  @Test func journalsKnowChanges() throws {
    try run("-f 1.5 --resume -o out/ in").succeeded()
    #expect(try records("out --against in").allSatisfy { $0["basis"] as? String == "journal" })
    try bench.shell("touch -d 2001-02-03 in/a.wav; metaflac --set-tag=X=y out/c.flac")
    let changed = try run("verify out --against in")
    #expect(changed.status == 1)
    #expect(changed.outputText.contains("its source has changed since it was made"))
    #expect(changed.outputText.contains("it has changed since it was made"))
  }

  /// Outputs in place of sources, and folders in the wrong order, get a hint; what is only missing does not.
  @Test func likelyMistakesGetAHint() throws {
    try run("-f 1.5 -o out/ in").succeeded()
    let outputs = try run("verify out")
    #expect(outputs.status == 1 && outputs.errorText.contains("write --against and the folder of"))
    let exchanged = try run("verify in --against out")
    #expect(
      exchanged.status == 1 && exchanged.errorText.contains("the folder of the outputs comes first")
    )
    try bench.shell("rm out/a.wav")
    let missing = try run("verify out --against in")
    #expect(missing.status == 1 && !missing.errorText.contains("hint"))
  }

  /// A reader of standard output that leaves ends the run without a word.
  @Test func aReaderMayLeave() throws {
    try bench.shell("for n in 1 2 3 4 5 6 7 8 9; do cp in/a.wav in/$n.wav; done")
    try run("-f 1.5 -o out/ in").succeeded()
    let left = try run("verify out --against in | true; echo ${PIPESTATUS[0]}")
    #expect(left.errorText == "", "\(left.errorText)")
    #expect(["0\n", "141\n"].contains(left.outputText), "\(left.outputText)")
  }

  @Test func namesThatAreNoPairAreRefused() throws {
    let missing = try run("verify nonexist")
    #expect(missing.status == 66 && missing.errorText.contains("nonexist: "))
    #expect(try run("verify in nonexist").status == 66)
    #expect(try run("verify nonexist --against in").status == 66)
    #expect(try run("verify in --against nonexist").status == 66)
    let same = try run("verify in --against ./in/")
    #expect(same.status == 64 && same.errorText.contains("name that of their sources"))
  }
}
