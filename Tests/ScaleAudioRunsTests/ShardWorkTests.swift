import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import ScaleAudioRuns

@Suite("The work of a shard")
struct ShardWorkTests {
  let bench: RunBench

  init() throws { bench = try RunBench() }

  /// Every output file: its name, content and modification time.
  private func outputs() throws -> [String: (bytes: [UInt8], modified: Date?)] {
    var found: [String: (bytes: [UInt8], modified: Date?)] = [:]
    for name in try bench.folder.tree() where name.hasPrefix("out/") && !name.hasSuffix("/") {
      let path = bench.folder.file(name).string
      let modified = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
      found[name] = (try bench.folder.bytes(name), modified as? Date)
    }
    return found
  }

  /// `N` frames at speed `s` become `Int(N / s)`: 1000, 2000 and 500 at 0.9, and 720, 1440 and 360 at 1.25.
  @Test func recordsStateTheLengths() async throws {
    try bench.plan("in", shards: 2)
    #expect(try await bench.work(1).failed == 0)
    #expect(try await bench.work(2).failed == 0)
    let (summary, findings, done) = try bench.merge(isReading: true)
    #expect((summary.planned, summary.done, summary.failed, summary.missing) == (6, 6, 0, 0))
    #expect(findings.isEmpty)
    let frames = Dictionary(
      done.map { (bench.name($0.output), $0.audio.frames) }, uniquingKeysWith: max)
    #expect(
      frames == [
        "out/speed0.9/a.wav": 1000, "out/speed1.25/a.wav": 720, "out/speed0.9/sub/b.wav": 2000,
        "out/speed1.25/sub/b.wav": 1440, "out/speed0.9/sub/c.wav": 500,
        "out/speed1.25/sub/c.wav": 360,
      ])
    for output in done {
      #expect((output.audio.sampleRate, output.audio.channels) == (8000, 1))
      #expect(output.audio.factor == 1 / RunBench.speeds[output.variant])
      #expect(output.audio.format == "wav" && output.audio.sampleFormat == "int16")
      #expect(output.audio.fromFrame == nil && output.audio.toFrame == nil)
    }
  }

  @Test func recordedOutputsAreSkippedAndTheRestIsDone() async throws {
    try bench.plan("in")
    #expect(try await bench.work() == .init(done: 6))
    let before = try outputs()
    #expect(before.count == 6)
    #expect(try await bench.work() == .init(skipped: 6))
    #expect(try outputs().allSatisfy { $0.value == before[$0.key] ?? ([], nil) })
    #expect(try bench.records().count == 1)
    // An output that only looks newer is as recorded; one that was changed, or is gone, is made again.
    try FileManager.default.setAttributes(
      [.modificationDate: Date()], ofItemAtPath: bench.folder.file("out/speed0.9/a.wav").string)
    try bench.folder.remove("out/speed0.9/sub/c.wav")
    var changed = try bench.folder.bytes("out/speed1.25/a.wav")
    changed[99] ^= 1
    try bench.folder.write("out/speed1.25/a.wav", changed)
    #expect(try await bench.work() == .init(done: 2, skipped: 4))
    #expect(try bench.merge(isReading: true).summary.done == 6)
    #expect(try outputs().allSatisfy { $0.value.bytes == before[$0.key]?.bytes })
  }

  @Test func anOutputThatNobodyRecordedIsMadeAgain() async throws {
    try bench.plan("in")
    try await bench.work()
    let record = try #require(try bench.records().first)
    try bench.write(record, lines: Array(try bench.lines(record).prefix(3)))
    #expect(try bench.merge().summary.missing == 4)
    #expect(try await bench.work() == .init(done: 4, skipped: 2))
    #expect(try bench.merge(isReading: true).summary.done == 6)
  }

  @Test func onlyTheShardOfATaskIsDone() async throws {
    try bench.plan("in", shards: 2)
    #expect(try await bench.work(1).done == 2)
    let summary = try bench.merge().summary
    #expect((summary.done, summary.missing, summary.unfinishedShards) == (2, 4, [2]))
  }

  @Test func recordsOfAnotherPlanAreRefused() async throws {
    try bench.plan("in")
    try await bench.work()
    try bench.folder.remove("run/plan.json")
    try bench.folder.remove("out")
    try bench.plan("in/sub")
    let record = bench.folder.file(try #require(try bench.records().first))
    #expect(throws: RunError.otherPlan(record)) { try bench.merge() }
    await #expect(throws: RunError.otherPlan(record)) { try await bench.work() }
  }

  @Test func anotherVersionIsRefused() async throws {
    try bench.plan("in")
    let plan = String(decoding: try bench.folder.bytes("run/plan.json"), as: UTF8.self)
    let own = "\"version\" : \"\(scaleAudioVersion)\""
    #expect(plan.contains(own))
    try bench.folder.write(
      "run/plan.json", Array(plan.replacing(own, with: "\"version\" : \"9\"").utf8))
    await #expect(
      throws: RunError.otherVersion(bench.run.path, planned: "9", own: scaleAudioVersion)
    ) { try await bench.work() }
  }

  @Test func optionsThatMeanSomethingElseAreRefused() async throws {
    try bench.plan("in")
    for request in try [RunBench.request([0.9, 1.1]), RunBench.request([0.9])] {
      await #expect(throws: RunError.changedOptions(bench.run.path)) {
        try await bench.work(request: request)
      }
    }
  }

  /// The record of a finished output stays, whatever an attempt that overlaps records; otherwise the later one counts.
  @Test func aFinishedOutputStaysFinished() {
    func record(_ status: RunRecord.Status, at time: Double) -> RunRecord {
      RunRecord(line: 1, variant: 0, status: status, at: time)
    }
    #expect(record(.done, at: 1).outranks(record(.failed, at: 2)))
    #expect(!record(.retry, at: 2).outranks(record(.done, at: 1)))
    #expect(record(.failed, at: 2).outranks(record(.retry, at: 1)))
    #expect(!record(.failed, at: 1).outranks(record(.retry, at: 2)))
    #expect(record(.done, at: 2).outranks(record(.done, at: 1)))
  }
}
