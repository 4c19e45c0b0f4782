import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import ScaleAudioRuns

@Suite("Merging a run")
struct RunMergeTests {
  let bench: RunBench

  init() throws { bench = try RunBench() }

  /// A run of one shard that is done: its record, and its lines.
  private func finished() async throws -> String {
    try bench.plan("in")
    #expect(try await bench.work() == .init(done: 6))
    return try #require(try bench.records().first)
  }

  @Test func everyDeletedRecordIsFound() async throws {
    let record = try await finished()
    let all = try bench.lines(record)
    #expect(all.count == 7)
    let lines = try bench.run.lines(of: 1)
    for index in 1..<all.count {
      try bench.write(
        record, lines: all.enumerated().filter { $0.offset != index }.map(\.element))
      let gone = try JSONDecoder().decode(RunRecord.self, from: Data(all[index]))
      let line = try #require(lines.first { $0.number == gone.line })
      let (summary, findings, _) = try bench.merge()
      #expect(
        findings == [.unrecorded(line, output: line.outputs[gone.variant], shard: 1)])
      #expect((summary.done, summary.missing, summary.unfinishedShards) == (5, 1, [1]))
    }
  }

  @Test func everyDeletedLineIsFound() async throws {
    _ = try await finished()
    let shard = try bench.lines("run/shards/0001.jsonl")
    for index in shard.indices {
      try bench.write(
        "run/shards/0001.jsonl",
        lines: shard.enumerated().filter { $0.offset != index }.map(\.element))
      let (summary, findings, _) = try bench.merge()
      #expect(findings.contains(.noLine(index + 1)))
      // Its records and its outputs belong to nothing now.
      #expect(findings.contains(.strayRecord(.init(line: index + 1, variant: 1), shard: 1)))
      #expect((summary.done, summary.missing) == (4, 2))
    }
    // A line in two shards counts once.
    try bench.write("run/shards/0001.jsonl", lines: shard + [shard[0]])
    #expect(try bench.merge().findings == [.strayLine(1, shard: 1)])
    #expect(try bench.merge().summary.done == 6)
  }

  @Test func missingAndChangedOutputsAreFound() async throws {
    _ = try await finished()
    let line = try #require(try bench.run.lines(of: 1).first)
    let name = "out/speed0.9/a.wav"
    let output = bench.folder.file(name)
    let bytes = try bench.folder.bytes(name)
    try bench.folder.remove(name)
    #expect(try bench.merge().findings == [.outputMissing(line, output: output, shard: 1)])
    var changed = bytes
    changed[bytes.count - 1] ^= 1
    for other in [changed, Array(bytes.dropLast())] {
      try bench.folder.write(name, other)
      let (summary, findings, _) = try bench.merge()
      #expect(findings == [.outputChanged(line, output: output, shard: 1)])
      #expect(summary.missing == 1)
    }
    // With its old time, only reading it shows the change.
    try bench.folder.write(name, bytes)
    #expect(try bench.merge().findings.isEmpty)
  }

  /// A change that leaves size and time as they are is found only by reading.
  @Test func changesOfContentAloneAreFoundByReading() async throws {
    _ = try await finished()
    let name = "out/speed1.25/sub/c.wav"
    let path = bench.folder.file(name).string
    var copy = stat()
    #expect(stat(path, &copy) == 0)
    var bytes = try bench.folder.bytes(name)
    bytes[60] ^= 1
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.write(contentsOf: Data(bytes))
    try file.close()
    let times = [copy.st_atim, copy.st_mtim]
    #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
    #expect(try bench.merge().findings.isEmpty)
    guard
      case .outputChanged(_, bench.folder.file(name), 1)? =
        try bench.merge(isReading: true).findings.first
    else {
      Issue.record("the change was not found")
      return
    }
  }

  @Test func tornRecordsAndStrayFilesAreFound() async throws {
    let record = try await finished()
    try bench.folder.write(record, try bench.folder.bytes(record) + Array("{\"at\":1,\"li".utf8))
    try bench.folder.write("out/speed0.9/other.wav", RunBench.sound(10))
    try bench.folder.write("out/speed0.9/notes.txt", [1])
    try bench.folder.write("out/.scaleaudio-7-123-elsewhere.tmp", [1])
    try bench.folder.write("run/records/other", [])
    let (summary, findings, _) = try bench.merge()
    #expect((summary.done, summary.missing) == (6, 0))
    #expect(findings.contains(.tornRecord(bench.folder.file(record), line: 8)))
    #expect(findings.contains(.strayFile(bench.folder.file("out/speed0.9/other.wav"))))
    #expect(findings.contains(.strayFile(bench.folder.file("run/records/other"))))
    let half = findings.compactMap {
      if case .halfWritten(let path, _) = $0 { bench.name(path) } else { nil }
    }
    #expect(half == ["out/.scaleaudio-7-123-elsewhere.tmp"])
    #expect(findings.count == 4)
  }

  @Test func failuresAreFinalAndCanBePlannedAgain() async throws {
    try bench.folder.write("in/bad.wav", Array("no sound".utf8))
    try bench.plan("in/a.wav", "in/bad.wav", "in/none.wav")
    #expect(try await bench.work() == .init(done: 2, failed: 4))
    let (summary, findings, _) = try bench.merge()
    #expect((summary.done, summary.failed, summary.missing) == (2, 4, 0))
    var errors: [String] = []
    var retry: [[UInt8]] = []
    for case .failed(let line, _, 1, let error) in findings {
      errors.append(error)
      if retry.last != line.manifestLine { retry.append(line.manifestLine) }
    }
    let (bad, none) = (bench.folder.file("in/bad.wav"), bench.folder.file("in/none.wav"))
    #expect(errors.prefix(2).allSatisfy { $0 == "\(bad): not a recognized audio file" })
    #expect(errors.suffix(2).allSatisfy { $0.hasPrefix("\(none): cannot be opened") })
    // Repaired inputs are converted in a run of their own, under the same names.
    try bench.folder.write("in/bad.wav", RunBench.sound(90))
    try bench.folder.write("in/none.wav", RunBench.sound(90))
    try bench.write("todo.jsonl", lines: retry)
    try bench.folder.remove("run")
    #expect(try bench.plan("todo.jsonl").plan.outputs == 4)
    #expect(try await bench.work() == .init(done: 4))
    #expect(bench.folder.exists("out/bad-speed0.9.wav"))
    #expect(bench.folder.exists("out/none-speed1.25.wav"))
  }
}
