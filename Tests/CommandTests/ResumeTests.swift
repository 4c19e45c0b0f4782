import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("Resuming", .tags(.threaded))
struct ResumeTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("in/a.wav", Sound.wav)
    try folder.write("in/sub/b.flac", Sound.flac)
  }

  /// The statuses that `--json` reports, by input.
  private func statuses(_ arguments: String...) throws -> [String: String] {
    let run = try Tool.run(Program.path, ["--json"] + arguments, in: folder.path)
    var statuses: [String: String] = [:]
    for line in run.outputText.split(separator: "\n") {
      let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let input = try #require(record?["input"] as? String)
      statuses[input] = record?["reason"] as? String ?? record?["status"] as? String
    }
    return statuses
  }

  private func stamps() throws -> String {
    try Program.shell("find in-x2 -type f -printf '%p %i %T@\\n' | sort", in: folder.path)
      .outputText
  }

  @Test func aSecondRunDoesNothing() throws {
    #expect(
      try statuses("-f", "2", "--resume", "in") == ["in/a.wav": "done", "in/sub/b.flac": "done"])
    let before = try stamps()
    let again = try statuses("-f", "2", "--resume", "in")
    #expect(again == ["in/a.wav": "already-done", "in/sub/b.flac": "already-done"])
    #expect(try stamps() == before)
    #expect(
      try statuses("-f", "2", "--resume", "--overwrite", "in")
        == ["in/a.wav": "already-done", "in/sub/b.flac": "already-done"])
    #expect(try stamps() == before)
  }

  @Test func missingAndChangedOutputsAreMadeAgain() throws {
    _ = try statuses("-f", "2", "--resume", "in")
    try folder.write("in/new.wav", Sound.wav)
    try FileManager.default.removeItem(atPath: folder.file("in-x2/sub/b.flac").string)
    _ = try Program.shell("touch -d '2001-02-03' in/a.wav", in: folder.path)
    #expect(
      try statuses("-f", "2", "--resume", "in")
        == ["in/a.wav": "done", "in/sub/b.flac": "done", "in/new.wav": "done"])
    #expect(
      try statuses("-f", "2", "--resume", "in") == [
        "in/a.wav": "already-done", "in/sub/b.flac": "already-done", "in/new.wav": "already-done",
      ])
  }

  @Test func anOutputThatWasEditedIsNotReplaced() throws {
    _ = try statuses("-f", "2", "--resume", "in")
    _ = try Program.shell("touch in/a.wav; echo mine > in-x2/a.wav", in: folder.path)
    #expect(try statuses("-f", "2", "--resume", "in")["in/a.wav"] == "failed")
    #expect(try folder.bytes("in-x2/a.wav") == Array("mine\n".utf8))
    #expect(try statuses("-f", "2", "--resume", "--overwrite", "in")["in/a.wav"] == "done")
  }

  @Test(arguments: [
    ["--method", "linear"], ["--mono"], ["--salvage"], ["--format", "wav"],
  ])
  func otherParametersAreNotTheSame(options: [String]) throws {
    try folder.write("one/a.wav", Sound.wav)
    #expect(try Program.run("-f", "2", "--resume", "one", "-o", "out", in: folder.path).status == 0)
    let options = options + ["-o", "out"]
    let changed = try Tool.run(
      Program.path, ["-f", "2", "--resume"] + options + ["one"], in: folder.path)
    #expect(changed.status == 1)
    #expect(changed.errorText.contains("already exists"))
    let forced = try Tool.run(
      Program.path, ["-f", "2", "--resume", "--overwrite"] + options + ["one"], in: folder.path)
    #expect(forced.status == 0)
    let again = try Tool.run(
      Program.path, ["-f", "2", "--resume"] + options + ["one"], in: folder.path)
    #expect(again.status == 0)
  }

  @Test func tornAndForeignLinesAreSkipped() throws {
    _ = try statuses("-f", "2", "--resume", "in")
    let journal = "in-x2/.scaleaudio.jsonl"
    let lines = try folder.bytes(journal).split(separator: UInt8(ascii: "\n")).map(Array.init)
    #expect(lines.count == 2)
    let torn =
      Array("{\"foreign\":1}\n\u{0}\u{1}\n[]\n".utf8) + lines[0] + [10] + lines[1].dropLast(5)
    try folder.write(journal, torn)
    let statuses = try statuses("-f", "2", "--resume", "in")
    #expect(Set(statuses.values) == ["already-done", "alike"])
    let run = try Program.run("-f", "2", "--resume", "--overwrite", "in", in: folder.path)
    #expect(run.status == 0)
    // The line after the torn one is separate.
    #expect(try Program.run("-f", "2", "--resume", "in", in: folder.path).status == 0)
  }

  /// Two lists may have files of the same name; the second must not replace outputs of the first.
  @Test func anotherListDoesNotTakeAnOutput() throws {
    try folder.write("one/u.wav", Sound.wav)
    try folder.write("two/u.wav", Sound.wav)
    func run(_ name: String) throws -> Tool {
      try Program.run(
        "-f", "1.5", "--resume", "--overwrite", "--files-from", "-", "-o", "lists",
        in: folder.path, input: Array("\(name)/u.wav\n".utf8))
    }
    #expect(try run("one").status == 0)
    let second = try run("two")
    #expect(second.status == 1)
    #expect(second.errorText.contains("the same as for") && second.errorText.contains("one/u.wav"))
    #expect(try run("one").errorText.contains("skipped"))
    // A source that is gone does not keep its output.
    try FileManager.default.removeItem(atPath: folder.file("one/u.wav").string)
    #expect(try run("two").status == 0)
  }

  @Test func journalsAreWrittenOnlyOnRequest() throws {
    try folder.write("x.wav", Sound.wav)
    #expect(try Program.run("-f", "2", "x.wav", in: folder.path).status == 0)
    #expect(try Program.run("-f", "2", "in", in: folder.path).status == 0)
    #expect(try Program.run("-f", "2", "x.wav", "in", "-o", "out/", in: folder.path).status == 0)
    #expect(try folder.tree().allSatisfy { !$0.contains("scaleaudio") })
    #expect(try Program.run("-f", "3", "--resume", "x.wav", in: folder.path).status == 0)
    #expect(folder.exists(".scaleaudio.jsonl"))
    #expect(
      try statuses("-f", "3", "--resume", "x.wav") == ["x.wav": "already-done"])
    #expect(try statuses("-f", "2", "--resume", "x.wav") == ["x.wav": "alike"])
  }

  /// Outputs of a run without a journal are recognized by their properties.
  @Test func outputsWithoutAJournalAreCompared() throws {
    #expect(try Program.run("-f", "2", "in", in: folder.path).status == 0)
    let before = try stamps()
    let alike = ["in/a.wav": "alike", "in/sub/b.flac": "alike"]
    #expect(try statuses("-f", "2", "--resume", "in") == alike)
    #expect(try stamps() == before)
    // Where replacing is allowed, nothing is guessed.
    #expect(
      try statuses("-f", "2", "--resume", "--overwrite", "in")
        == ["in/a.wav": "done", "in/sub/b.flac": "done"])
  }

  @Test(arguments: [
    "touch -d 'next year' in/a.wav", "head -c 9000 in/a.wav > in-x2/a.wav",
    "cp in/a.wav in-x2/a.wav", "sox in-x2/a.wav -b 24 t.wav && mv t.wav in-x2/a.wav",
    "sox in-x2/a.wav t.wav remix 1 && mv t.wav in-x2/a.wav",
    "sox -r 48000 in-x2/a.wav t.wav && mv t.wav in-x2/a.wav",
    "cp in-x2/sub/b.flac in-x2/a.wav", "mv in-x2/a.wav . && ln -s ../a.wav in-x2/a.wav",
  ])
  func otherFilesAreNotTakenForOutputs(change: String) throws {
    #expect(try Program.run("-f", "2", "in", in: folder.path).status == 0)
    #expect(try Program.shell(change, in: folder.path).status == 0)
    #expect(
      try statuses("-f", "2", "--resume", "in") == ["in/a.wav": "failed", "in/sub/b.flac": "alike"])
  }

  /// Formats that store no exact length, or another sample rate, are known again, too.
  @Test(arguments: ["mp3", "ogg", "opus", "m4a", "aac", "aiff", "caf", "alac"])
  func resumingRecognizesEveryFormat(format: String) throws {
    let options = ["-f", "1.3", "--format", format, "in/a.wav"]
    #expect(try Tool.run(Program.path, options, in: folder.path).status == 0)
    let again = try Tool.run(Program.path, options + ["--resume", "--json"], in: folder.path)
    #expect(again.outputText.contains(#""reason":"alike""#), "\(again.outputText)")
  }

  @Test func dryRunsListWhatWouldBeSkipped() throws {
    _ = try statuses("-f", "2", "--resume", "in/a.wav", "-o", "out/")
    let run = try Program.run(
      "-n", "-f", "2", "--resume", "in/a.wav", "in/sub/b.flac", "-o", "out", in: folder.path)
    #expect(
      run.outputText == """
        in/a.wav -> out/a-x2.wav (skipped: done before)
        in/sub/b.flac -> out/b-x2.flac

        """)
    #expect(!folder.exists("out/b-x2.flac"))
  }
}
