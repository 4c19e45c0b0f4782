import AudioFiles
import Foundation
import TestSupport
import Testing

@testable import AudioIO
@testable import ScaleAudio

@Suite("Batches")
struct BatchTests {
  let folder: TemporaryFolder
  let settings: ConversionSettings

  init() throws {
    folder = try TemporaryFolder()
    settings = ConversionSettings(time: .by(2))
    try shell(
      "sox -R -n -r 8000 -b 16 0.wav synth 1 pinknoise; for i in {1..7}; do cp 0.wav $i.wav; done")
  }

  private func shell(_ line: String) throws {
    try Tool.run("bash", ["-c", line], in: folder.path).succeeded()
  }

  private func batch(_ names: [String], workerCount: Int = 1) throws -> Batch {
    var batch = try Batch(
      BatchRequest(
        inputs: names.map { .path(folder.file($0)) }, destination: .folder(folder.file("out")),
        settings: settings))
    batch.workerCount = workerCount
    return batch
  }

  private static func name(_ event: ConversionEvent) -> String {
    switch event {
    case .started(let job): "start \(job.id)"
    case .progress(let job, _): "progress \(job.id)"
    case .finished(let job, _): "finish \(job.id)"
    case .skipped(let job, _): "skip \(job.id)"
    case .failed(let job, let error): "fail \(job.id) \(error.errorClass)"
    }
  }

  @Test func oneAfterAnother() async throws {
    var reported: [String] = []
    for await event in try batch(["0.wav", "none.wav", "1.wav"]).events() {
      reported.append(Self.name(event))
    }
    #expect(
      reported.filter { !$0.hasPrefix("progress") } == [
        "start 0", "finish 0", "start 1", "fail 1 cannot-open", "start 2", "finish 2",
      ])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("out").string).sorted()
        == ["0-x2.wav", "1-x2.wav"])
  }

  @Test func theLargestFilesBeginFirst() async throws {
    for (name, seconds) in [("large.wav", 2), ("largest.wav", 3)] {
      try shell("sox -n -r 8000 -b 16 \(name) synth \(seconds) sine 99")
    }
    let inputs = ["0.wav", "large.wav", "1.wav", "largest.wav"]
    let batch = try batch(inputs, workerCount: 2)
    // The order of the events proves nothing: a worker may report its job late.
    #expect(batch.orderedJobs.map(\.id) == [3, 1, 0, 2])
    var started: Set<Int> = []
    for await event in batch.events() {
      if case .started(let job) = event { started.insert(job.id) }
    }
    #expect(started == [0, 1, 2, 3])
    #expect(try self.batch(inputs).orderedJobs.map(\.id) == [0, 1, 2, 3])
  }

  @Test func sideBySideEveryJobEndsOnce() async throws {
    let batch = try batch((0..<8).map { "\($0).wav" }, workerCount: 4)
    var started: [Int] = []
    var finished: [Int] = []
    for await event in batch.events() {
      if case .started(let job) = event { started.append(job.id) }
      if case .finished(let job, let report) = event {
        finished.append(job.id)
        #expect(report.outputFrames == 16000)
        #expect(started.contains(job.id))
      }
    }
    #expect(finished.sorted() == Array(0..<8))
  }

  @Test func theFirstFailureStopsIt() async throws {
    var batch = try batch(["none.wav", "0.wav", "1.wav"])
    batch.stopsAtFirstFailure = true
    var reported: [String] = []
    for await event in batch.events() {
      reported.append(Self.name(event))
    }
    #expect(reported == ["start 0", "fail 0 cannot-open"])
    #expect(!FileManager.default.fileExists(atPath: folder.file("out").string))
  }

  @Test func cancellingBeforeTheStartDoesNothing() async throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    for await event in try batch(["0.wav"]).events(cancellation: cancellation) {
      Issue.record("\(event)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("out").string))
  }

  @Test func cancellingStopsAtTheNextBlock() throws {
    let cancellation = Cancellation()
    let conversion = Conversion(
      input: .file(folder.file("0.wav")), output: .file(folder.file("new/a.wav")),
      settings: settings)
    #expect(throws: ConversionError.cancelled) {
      _ = try conversion.run(cancellation: cancellation) { _ in cancellation.cancel() }
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("new").string))
  }

  @Test func cancellingTheConsumerStopsTheWork() async throws {
    // Nobody ever writes into the pipe, so only being stopped ends the second job.
    let pipe = folder.file("pipe.wav")
    #expect(mkfifo(pipe.string, 0o600) == 0)
    let batch = try batch(["0.wav", "pipe.wav", "1.wav"])
    let consumer = Task {
      for await event in batch.events() {
        if case .started(let job) = event, job.id == 1 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await consumer.value
    for _ in 0..<1000 where isBeingRead(pipe) { try await Task.sleep(for: .milliseconds(10)) }
    #expect(!isBeingRead(pipe))
    let made = try FileManager.default.contentsOfDirectory(atPath: folder.file("out").string)
    #expect(made.sorted() == ["0-x2.wav"])
  }

  /// True if this process has the pipe open, found without touching it.
  private func isBeingRead(_ pipe: FilePath) -> Bool {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return numbers.contains { number in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(number)")
      return target == pipe.string
    }
  }

  @Test func stoppingIsPassedOn() {
    let parent = Cancellation()
    let child = Cancellation(parent: parent)
    child.cancel()
    #expect(child.isCancelled && !parent.isCancelled)
    let other = Cancellation(parent: parent)
    parent.cancel()
    #expect(other.isCancelled)
  }

  @Test func oneCallConvertsAFile() async throws {
    let input = folder.file("0.wav")
    let report = try await scale(input, to: folder.file("short.flac"), by: 0.5)
    #expect(report.outputFrames == 4000 && report.format.id == "flac")
    await #expect(throws: ConversionError.factorOutOfRange(input, factor: 1000)) {
      try await scale(input, to: folder.file("long.wav"), by: 1000)
    }
    let error = await #expect(throws: ConversionError.self) {
      try await scale(input, to: folder.file("short.txt"), by: 0.5)
    }
    #expect(error?.errorClass == "cannot-hold")
    #expect(throws: PlanningError.factorOutOfRange(0)) { try scaleFolder(folder.path, by: 0) }
    #expect(try !folder.names().contains { $0.hasPrefix("long") || $0.hasSuffix("txt") })
  }

  @Test func nothingToDo() async {
    for await event in Batch([]).events() { Issue.record("\(event)") }
  }

  @Test func impossibleOutputsAreRefusedBeforeWriting() throws {
    let wide = folder.file("wide.wav")
    try shell("sox -n -r 8000 -c 12 -b 16 wide.wav synth 0.1 sine 440")
    var settings = settings
    settings.format = AudioFormat.named("flac")
    let conversion = Conversion(
      input: .file(wide), output: .file(folder.file("new/wide.flac")), settings: settings)
    do {
      _ = try conversion.run()
      Issue.record("12 channels went into FLAC")
    } catch {
      #expect(error.errorClass == "cannot-hold")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("new").string))
  }
}
