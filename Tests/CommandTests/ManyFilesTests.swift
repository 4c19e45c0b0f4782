import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("Many files", .tags(.threaded))
struct ManyFilesTests {
  /// Good and bad files, mixed.
  private func fill(_ folder: TemporaryFolder, good: Int, bad: Int) throws {
    for number in 0..<good {
      let sound = try number % 2 == 0 ? Sound.wav : Sound.flac
      let kind = number % 2 == 0 ? "wav" : "flac"
      try folder.write("in/folder \(number % 7)/good \(number).\(kind)", sound)
    }
    let broken: [[UInt8]] = [
      [], Array("text".utf8), try Array(Sound.wav.prefix(30)), try Array(Sound.flac.prefix(9000)),
    ]
    for number in 0..<bad {
      let kind = number % 4 == 3 ? "flac" : "wav"
      try folder.write("in/folder \(number % 5)/bad \(number).\(kind)", broken[number % 4])
    }
  }

  @Test func badFilesAreReportedAndTheRestIsDone() throws {
    let folder = try TemporaryFolder()
    try fill(folder, good: 100, bad: 20)
    let run = try Program.run("-f", "0.2", "-j", "4", "--json", "in", in: folder.path)
    #expect(run.status == 1)
    let records = try run.outputText.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
    #expect(records.count == 120)
    #expect(records.count { $0["status"] as? String == "done" } == 100)
    let failed = records.filter { $0["status"] as? String == "failed" }
    #expect(failed.count == 20)
    for record in failed {
      let input = try #require(record["input"] as? String)
      #expect(input.contains("bad"))
      #expect(run.errorText.contains(input))
      #expect((record["error"] as? String)?.hasPrefix(input + ": ") == true)
    }
    let classes = Set(failed.compactMap { $0["errorClass"] as? String })
    #expect(classes.isSuperset(of: ["empty", "not-audio"]))
    let outputs = try folder.tree().filter { $0.hasPrefix("in-x0.2") && $0.contains("good") }
    #expect(outputs.count == 100)
    #expect(try folder.tree().allSatisfy { !$0.hasPrefix("in-x0.2") || !$0.contains("bad") })
    let again = try Program.run("-f", "0.2", "--resume", "--json", "in", in: folder.path)
    #expect(again.status == 1)
    #expect(again.outputText.components(separatedBy: #""reason":"alike""#).count == 101)
  }

  @Test func theNumberOfJobsChangesNothing() throws {
    let folder = try TemporaryFolder()
    try fill(folder, good: 12, bad: 0)
    for (jobs, output) in [("1", "one"), ("4", "four")] {
      try Program.run("-f", "1.7", "-j", jobs, "-o", output, "in", in: folder.path).succeeded()
    }
    try Tool.run("diff", ["-r", "one", "four"], in: folder.path).succeeded()
    #expect(try folder.tree().count { $0.hasPrefix("four/") && $0.contains("good") } == 12)
  }

  @Test func failFastStops() throws {
    let folder = try TemporaryFolder(["in/a.wav": Array("text".utf8)])
    for number in 0..<30 { try folder.write("in/b\(number).wav", Sound.wav) }
    let run = try Program.run("-f", "0.2", "-j1", "--fail-fast", "in", in: folder.path)
    #expect(run.status == 1)
    #expect(!folder.exists("in-x0.2"))
  }

  @Test func jsonHasARecordForEveryFile() throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    let run = try Program.run("--speed", "2", "--json", "in.wav", in: folder.path)
    let object = try JSONSerialization.jsonObject(with: Data(run.output))
    let record = try #require(object as? [String: Any])
    #expect(record["input"] as? String == "in.wav")
    #expect(record["output"] as? String == "in-speed2.wav")
    #expect(record["status"] as? String == "done")
    #expect(record["inputFrames"] as? Int == 22050)
    #expect(record["outputFrames"] as? Int == 11025)
    #expect(record["outputSampleRate"] as? Int == 44100)
    #expect(record["outputChannels"] as? Int == 2)
    #expect(record["outputLayout"] as? String == "stereo")
    #expect(record["factor"] as? Double == 0.5)
    #expect(record["method"] as? String == "sinc")
    #expect(record["clippedSamples"] as? Int == 0)
    #expect(record["wallSeconds"] as? Double ?? 0 > 0)
    #expect(record["realTimeFactor"] as? Double ?? 0 > 0)
    #expect(record["warnings"] as? [String] == [])
    #expect(run.outputText.hasSuffix("}\n"))
    let failed = try Program.run("-f", "2", "--json", "none.wav", in: folder.path)
    #expect(failed.status == 66)
    #expect(
      failed.outputText.contains(#""errorClass":"cannot-open","input":"none.wav""#))
    let odd = try Program.shell(
      #"cp in.wav $'\xff.wav' && $scaleaudio -f 2 --json -q $'\xff.wav'"#, in: folder.path)
    #expect(odd.outputText.contains(#""inputBase64":"/y53YXY=""#), "\(odd.outputText)")
  }

  @Test func meaninglessOptionsAreWarnings() throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    let run = try Program.run(
      "-f", "2", "--json", "--bitrate", "192k", "--compression-level", "8", "in.wav",
      in: folder.path
    ).succeeded()
    #expect(run.outputText.contains("WAV has no bit rate"))
    #expect(run.outputText.contains("WAV has no compression level"))
  }

  @Test func progressIsShown() throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    let quiet = try Program.run("-f", "2", "-q", "in.wav", in: folder.path).succeeded()
    #expect(quiet.errors.isEmpty && quiet.output.isEmpty)
    let again = try Program.run("-f", "2", "-q", "in.wav", in: folder.path)
    #expect(again.errorText.contains("in-x2.wav"))
    let rest: [[String]] = [
      ["--progress", "plain"], ["--progress", "bar"], ["--progress", "none"], ["-v"],
    ]
    for options in rest {
      let run = try Tool.run(
        Program.path, options + ["-f", "2", "--overwrite", "in.wav"], in: folder.path
      ).succeeded()
      #expect(run.output.isEmpty)
    }
  }
}
