import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import ScaleAudioRuns

@Suite("Planning a run")
struct RunPlannerTests {
  let bench: RunBench

  init() throws { bench = try RunBench() }

  private func lines(_ shards: ClosedRange<Int> = 1...1) throws -> [RunLine] {
    try shards.flatMap { try bench.run.lines(of: $0) }.sorted { $0.number < $1.number }
  }

  /// Files have 44 bytes and two for each frame.
  @Test func weightsAreSizes() throws {
    let result = try bench.plan("in", shards: 2)
    let plan = result.plan
    #expect(plan.measure == .bytes)
    #expect((plan.lines, plan.outputs, plan.shards) == (3, 6, 2))
    #expect(plan.total == 3 * 44 + 2 * (900 + 1800 + 450))
    // The longest alone, the other two together.
    #expect(plan.heaviest == 44 + 2 * 1800)
    #expect(plan.longest?.line == 2)
    #expect(plan.longest?.weight == 44 + 2 * 1800)
    #expect(plan.options == ["--speed=0.9,1.25"])
    #expect(result.problems.isEmpty)
    #expect(result.repetitions == 0)
    #expect(try bench.run.plan() == plan)
  }

  /// A name that leads nowhere is a problem, and planned, so that its failure is recorded.
  @Test func aMissingInputIsNamed() throws {
    let both = try bench.plan("no such.wav", "in/a.wav")
    #expect(both.plan.lines == 2)
    #expect(both.problems.map { bench.name($0.path) } == ["no such.wav"])
  }

  @Test func everyInputIsInOneShard() async throws {
    try bench.plan("in", shards: 5)
    #expect(try lines(1...5).map(\.number) == [1, 2, 3])
    #expect(
      try lines(1...5).map { bench.name($0.input) } == ["in/a.wav", "in/sub/b.wav", "in/sub/c.wav"])
    // A shard without lines is done at once.
    var done = 0
    for shard in 1...5 { done += try await bench.work(shard).done }
    #expect(done == 6)
    #expect(try bench.merge().summary.missing == 0)
  }

  @Test func thePlanIsTheSameEveryTime() throws {
    let first = try bench.plan("in", shards: 2).plan
    #expect(
      try bench.plan("in", shards: 2, in: RunFolder(bench.folder.file("other"))).plan == first)
    for name in ["plan.json", "shards/0001.jsonl", "shards/0002.jsonl"] {
      #expect(try bench.folder.bytes("run/\(name)") == bench.folder.bytes("other/\(name)"))
    }
    // Other settings, another number of shards or other inputs are another plan.
    func other(_ number: Int) -> RunFolder { RunFolder(bench.folder.file("\(number)")) }
    let digests = [
      first.digest, try bench.plan("in", shards: 3, in: other(1)).plan.digest,
      try bench.plan("in/sub", shards: 2, in: other(2)).plan.digest,
      try bench.plan("in", shards: 2, request: RunBench.request([0.9, 1.5]), in: other(3)).plan
        .digest,
    ]
    #expect(Set(digests).count == 4)
  }

  /// A list names its outputs as one process does, with and without a base.
  @Test(arguments: [nil, "in"])
  func outputsAreNamedAsInABatch(base: String?) throws {
    let names = RunBench.frames.keys.sorted()
    let list = names.map { bench.folder.file($0).string + "\n" }.joined()
    try bench.folder.write("list", Array(list.utf8))
    var request = try RunBench.request()
    request.base = base.map { bench.folder.file($0) }
    try bench.plan(
      sources: [.list(bench.folder.file("list"), endsInNull: false)], shards: 3, request: request)
    request.inputs = names.map { .path(bench.folder.file($0)) }
    request.destination = .folder(bench.folder.file("out"))
    let batch = try Batch(request)
    #expect(
      Set(try lines(1...3).flatMap(\.outputs))
        == Set(batch.jobs.map { $0.work.output.path }))
    let first = try #require(try lines(1...3).first?.outputs.first)
    #expect(bench.name(first) == (base == nil ? "out/a-speed0.9.wav" : "out/speed0.9/a.wav"))
  }

  @Test func listsMayEndInNull() throws {
    let list = RunBench.frames.keys.sorted().map { bench.folder.file($0).string + "\0" }.joined()
    try bench.folder.write("list", Array(list.utf8))
    try bench.plan(sources: [.list(bench.folder.file("list"), endsInNull: true)])
    #expect(try lines().count == 3)
  }

  // MARK: - Refusals

  @Test func collisionsAcrossTheRunAreRefused() throws {
    try bench.folder.write("two/a.wav", RunBench.sound(100))
    let error = bench.refusal(of: "in/a.wav", "two/a.wav")
    guard case .planning(.conflicts(let conflicts, _))? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(conflicts.count == 2)
    #expect(error?.message.contains("two/a.wav would both become") == true)
    #expect(!bench.folder.exists("run/plan.json"))
  }

  @Test func theSameFileAgainIsConvertedOnce() throws {
    let result = try bench.plan("in/a.wav", "in/sub/b.wav", "in/../in/a.wav", "in/sub/c.wav")
    #expect(result.repetitions == 1)
    #expect(result.plan.lines == 3)
    #expect(try lines().map(\.number) == [1, 2, 3])
    #expect(try lines().map { bench.name($0.input) } == RunBench.frames.keys.sorted())
    #expect(result.plan.total == 3 * 44 + 2 * (900 + 1800 + 450))
  }

  @Test func anOutputThatIsAnInputIsRefused() throws {
    try bench.folder.write("in/a-speed0.9.wav", RunBench.sound(100))
    var request = try RunBench.request()
    request.files.existing = .replace
    let error = bench.refusal(of: "in/a.wav", "in/a-speed0.9.wav", request: request, output: "in")
    #expect(error?.message.contains("which is the input") == true, "\(error?.message ?? "none")")
  }

  @Test func existingOutputsAreRefused() throws {
    try bench.folder.write("out/a-speed1.25.wav", [1, 2, 3])
    #expect(
      bench.refusal(of: "in/a.wav")
        == .outputsExist([bench.folder.file("out/a-speed1.25.wav")], count: 1))
    var request = try RunBench.request()
    request.files.existing = .replace
    #expect(try bench.plan("in/a.wav", request: request).plan.lines == 1)
  }

  @Test func aSecondPlanInAFolderIsRefused() throws {
    try bench.plan("in")
    #expect(bench.refusal(of: "in") == .planExists(bench.run.path))
  }

  @Test(arguments: [0, -1, 1_000_001])
  func numbersOfShardsAreLimited(count: Int) throws {
    #expect(throws: RunError.shardCount(count)) { try bench.plan("in", shards: count) }
  }

  @Test func aFileInPlaceOfTheOutputFolderIsRefused() throws {
    #expect(
      bench.refusal(of: "in", output: "in/a.wav")
        == .planning(.notAFolder(bench.folder.file("in/a.wav"))))
    #expect(!bench.folder.exists("run"))
  }

  @Test func withoutAPlanNothingRuns() async throws {
    #expect(throws: RunError.noPlan(bench.run.path, reason: "there is no plan.json")) {
      try bench.run.plan()
    }
    try bench.folder.write("run/plan.json", Array("{}".utf8))
    #expect {
      try bench.merge()
    } throws: {
      if case .noPlan(bench.run.planFile, _)? = $0 as? RunError { true } else { false }
    }
  }
}
