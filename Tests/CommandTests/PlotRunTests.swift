import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("Reports of scaleaudio plot", .tags(.threaded))
struct PlotRunTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder([
      "Music/one.wav": Sound.wav, "Music/disc/two.flac": Sound.flac,
      "Music/broken.wav": Array("no audio".utf8),
    ])
  }

  private func plot(_ arguments: String...) throws -> Tool {
    try Tool.run(Program.path, ["plot"] + arguments, in: folder.path)
  }

  /// The objects of `--json`, by the names of their inputs.
  private func records(_ run: Tool) throws -> [String: [String: Any]] {
    var records: [String: [String: Any]] = [:]
    for line in run.outputText.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let record = try #require(object as? [String: Any])
      records[try #require(record["input"] as? String)] = record
    }
    return records
  }

  @Test func aFolderEndsInASummary() throws {
    let run = try plot("Music", "-o", "out")
    #expect(run.status == 1)
    #expect(run.errorText.contains("done  Music/one.wav -> out/one.png  0.500 s, "))
    #expect(run.errorText.contains(/\n2 done, 1 failed in [0-9.]+ s, [0-9.]+x real time\n/))
    let again = try plot("Music", "-o", "out", "--skip-existing", "--progress", "none")
    #expect(again.errorText.hasPrefix("0 done, 2 skipped, 1 failed in "))
    let lone = try plot("Music/one.wav", "-o", "a.pdf", "-v")
    #expect(
      lone.errorText.contains("\n      WAV (PCM 16-bit) 44100 Hz stereo, 22050 frames -> PDF\n"))
    #expect(lone.errorText.split(separator: "\n").count == 2)
  }

  @Test func aTerminalGetsABar() throws {
    let script = #filePath.replacing("PlotRunTests.swift", with: "Support/in-terminal.py")
    let run = try Tool.run(
      "python3",
      [
        script, "80", "24", "0", "0", "env", "TERM=xterm", Program.path, "plot", "Music", "-o",
        "out",
      ],
      in: folder.path)
    #expect(run.status == 1 && !run.outputText.contains("done  Music/one.wav"))
    #expect(
      run.outputText.contains(
        /2 done, 1 failed in .*\n  Music\/broken.wav: not a recognized audio file/))
  }

  @Test func recordsForPrograms() throws {
    let run = try plot("Music", "-o", "out", "--json", "-q", "--format", "svg")
    #expect(run.status == 1)
    let records = try records(run)
    #expect(records.count == 3)
    let done = try #require(records["Music/disc/two.flac"])
    #expect(done["status"] as? String == "done" && done["output"] as? String == "out/disc/two.svg")
    #expect(done["outputFormat"] as? String == "svg" && done["inputFrames"] as? Int == 22050)
    #expect(done["inputSampleRate"] as? Int == 44100 && done["inputLayout"] as? String == "stereo")
    let failed = try #require(records["Music/broken.wav"])
    #expect(failed["status"] as? String == "failed")
    #expect(failed["errorClass"] as? String == "not-audio" && failed["inputFrames"] == nil)
    let again = try plot(
      "Music/one.wav", "-o", "out/", "--json", "--skip-existing", "--format", "svg")
    #expect(try self.records(again)["Music/one.wav"]?["reason"] as? String == "output-exists")
    #expect(try plot("Music/one.wav", "-o", "-", "--json").status == 64)
  }

  @Test func dryRunsOnlyReport() throws {
    try folder.write("out/one.png", [1])
    let run = try plot("Music", "-o", "out", "--dry-run")
    #expect(
      run.outputText.split(separator: "\n") == [
        "Music/broken.wav -> out/broken.png", "Music/disc/two.flac -> out/disc/two.png",
        "Music/one.wav -> out/one.png (error: exists)",
      ])
    #expect(run.status == 0)
    let replacing = try plot("Music/one.wav", "-o", "out", "-n", "--overwrite", "--json")
    #expect(try records(replacing)["Music/one.wav"]?["status"] as? String == "planned")
    let shown = try plot("Music/one.wav", "--terminal", "blocks", "-n")
    #expect(shown.outputText == "Music/one.wav -> the terminal\n")
    #expect(try folder.tree().filter { $0.hasPrefix("out") } == ["out/", "out/one.png"])
  }

  @Test func failFastEndsTheRun() throws {
    let run = try plot("Music", "-o", "out", "--fail-fast", "-j", "1")
    #expect(run.status == 1 && run.errorText.contains("0 done, 1 failed, 2 not done in "))
    let shown = try plot("Music", "--terminal", "blocks", "--fail-fast")
    #expect(shown.status == 1 && shown.output.isEmpty)
    #expect(shown.errorText.contains("failed  Music/broken.wav: not a recognized audio file"))
  }

  @Test func theNumberOfJobsChangesNoPicture() throws {
    for jobs in ["1", "3"] {
      #expect(try plot("Music", "-o", "out\(jobs)", "-j", jobs).status == 1)
    }
    for name in ["one.png", "disc/two.png"] {
      #expect(try folder.bytes("out1/\(name)") == folder.bytes("out3/\(name)"))
    }
    #expect(try plot("Music", "-o", "out", "-j", "0").status == 64)
  }
}
