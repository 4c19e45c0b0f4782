import Foundation
import ScaleAudio
import ScaleAudioRuns
import TestSupport
import Testing

/// A folder with three inputs, and a run in it: each input at two speeds.
struct RunBench {
  let folder: TemporaryFolder

  /// The frames of each input, by its name.
  static let frames = ["in/a.wav": 900, "in/sub/b.wav": 1800, "in/sub/c.wav": 450]
  static let speeds = [0.9, 1.25]

  init() throws {
    folder = try TemporaryFolder()
    for (seed, (name, frames)) in Self.frames.sorted(by: { $0.key < $1.key }).enumerated() {
      try folder.write(name, Self.sound(frames, seed: UInt32(seed + 1)))
    }
  }

  /// A WAV file with so many frames of noise: 44 bytes and two for each frame.
  static func sound(_ frames: Int, seed: UInt32 = 9) -> [UInt8] {
    Signal.wav(Signal.noise(frames: frames, channels: 1, seed: seed))
  }

  var run: RunFolder { RunFolder(folder.file("run")) }

  /// The request that the program makes of `--speed 0.9,1.25`.
  static func request(_ speeds: [Double] = Self.speeds) throws -> BatchRequest {
    let settings = try speeds.map {
      ConversionSettings(time: .speed(try #require(TimeFactor(speed: $0))))
    }
    var request = BatchRequest(inputs: [], settings: settings[0])
    request.otherSettings = Array(settings.dropFirst())
    return request
  }

  /// Plans the run.
  @discardableResult
  func plan(
    _ inputs: String..., sources: [RunSource] = [], shards: Int = 1, request: BatchRequest? = nil,
    output: String = "out", in run: RunFolder? = nil
  ) throws -> RunPlanner.Result {
    let request = RunRequest(
      batch: try request ?? Self.request(),
      sources: inputs.map { .path(folder.file($0)) } + sources, output: folder.file(output),
      shards: shards, options: ["--speed=0.9,1.25"])
    return try RunPlanner(request, in: run ?? self.run).run()
  }

  /// The error of planning.
  func refusal(of inputs: String..., request: BatchRequest? = nil, output: String = "out")
    -> RunError?
  {
    do {
      let request = RunRequest(
        batch: try request ?? Self.request(),
        sources: inputs.map { .path(folder.file($0)) }, output: folder.file(output), shards: 1,
        options: [])
      _ = try RunPlanner(request, in: run).run()
      return nil
    } catch {
      return error as? RunError
    }
  }

  /// The end that one task gives to each output of its shard.
  struct Outcome: Equatable {
    var done = 0
    var skipped = 0
    var failed = 0
  }

  /// Does a shard as a task does.
  @discardableResult
  func work(_ shard: Int = 1, request: BatchRequest? = nil) async throws -> Outcome {
    let work = try ShardWork(
      run, try run.plan(), shard: shard, try request ?? Self.request())
    var outcome = Outcome()
    for await event in work.batch.events() {
      try work.note(event)
      switch event {
      case .finished: outcome.done += 1
      case .skipped: outcome.skipped += 1
      case .failed: outcome.failed += 1
      case .started, .progress: break
      }
    }
    return outcome
  }

  /// A merge: its summary, its findings, and the outputs that are done.
  func merge(
    isReading: Bool = false
  ) throws -> (summary: RunMerge.Summary, findings: [RunMerge.Finding], done: [MergedLine]) {
    var findings: [RunMerge.Finding] = []
    var done: [MergedLine] = []
    let summary = try RunMerge(run, isReading: isReading).run(
      onFinding: { findings.append($0) },
      onDone: { line, variant, record in
        if let merged = MergedLine(line, variant, record) { done.append(merged) }
      })
    return (summary, findings, done)
  }

  /// The names of record files.
  func records() throws -> [String] {
    try folder.tree().filter { $0.hasPrefix("run/records/") && $0.hasSuffix(".jsonl") }
  }

  /// The lines of a file.
  func lines(_ name: String) throws -> [[UInt8]] {
    try folder.bytes(name).split(separator: UInt8(ascii: "\n")).map(Array.init)
  }

  func write(_ name: String, lines: [[UInt8]]) throws {
    try folder.write(name, lines.flatMap { $0 + [UInt8(ascii: "\n")] })
  }

  /// A path below the folder, as text.
  func name(_ path: FilePath) -> String {
    String(path.string.dropFirst(folder.path.string.count + 1))
  }
}
