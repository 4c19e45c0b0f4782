import AudioFiles
import AudioModel
import Dispatch
import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import AudioIO
@testable import ScaleAudio

/// Frames with their own numbers, which a stream of them delivers and two others pass on.
private final class NumberedStream: FrameStream {
  let source: SourceDescription
  /// Called before each read with the next frame.
  var onRead: (Int) -> Void = { _ in }
  /// The frame before which reading fails.
  var failsAt: Int?
  /// True when seeking fails.
  var failsToSeek = false
  /// The next frame, which tests read while another thread may move it.
  var position: Int { place.withLock { $0 } }
  private let place = Mutex(0)
  private let blockFrames: Int

  static let path = FilePath("numbers")

  init(frames: Int, blockFrames: Int = .max) {
    self.blockFrames = blockFrames
    source = SourceDescription(
      spec: AudioSpec(sampleRate: 48_000, layout: .mono), frameCount: frames,
      format: .named("wav") ?? AudioFormat.all[0], codec: "numbers", sampleFormat: .int32)
  }

  var seeking: Seeking { .direct }

  func seek(toFrame frame: Int) throws(AudioFileError) {
    if failsToSeek { throw .malformed(Self.path, reason: "seek") }
    place.withLock { $0 = frame }
  }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let position = position
    onRead(position)
    if let failsAt, position >= failsAt { throw .malformed(Self.path, reason: "\(failsAt)") }
    let end = min(failsAt ?? .max, source.frameCount)
    let count = min(buffer.sampleCount, blockFrames, end - position)
    buffer.withSamples(of: Int32.self) { samples in
      for index in 0..<count { samples[index] = Int32(position + index) }
    }
    place.withLock { $0 = position + count }
    return count
  }
}

@Suite("Reading ahead", .tags(.threaded), .timeLimit(.minutes(10)))
struct ReadAheadTests {
  private static let blockFrames = 64

  /// Two streams that read ahead, one over the other, on a number of cores.
  private struct Chain {
    let numbers: NumberedStream
    let first, second: ReadAhead
    let budget: CoreBudget

    init(_ numbers: NumberedStream, cores: Int) {
      self.numbers = numbers
      budget = CoreBudget(cores: cores)
      budget.occupy()
      first = ReadAhead(
        numbers, as: .int32, blockSamples: blockFrames, after: nil, capacity: 4, budget: budget)
      second = ReadAhead(
        first, as: .int32, blockSamples: blockFrames, after: first, capacity: 4, budget: budget)
    }

    func stop() {
      second.stop()
      first.stop()
    }

    /// Reads all frames by blocks; returns them, and the failure at their end.
    func read(onBlock: (Int) -> Void = { _ in }) -> (frames: [Int32], failure: AudioFileError?) {
      let block = Block(.int32, sampleCount: blockFrames)
      var frames: [Int32] = []
      do throws(AudioFileError) {
        while try second.read(into: block) > 0 {
          frames += block.samples(of: Int32.self).prefix(block.frameCount)
          onBlock(frames.count)
        }
      } catch {
        return (frames, error)
      }
      return (frames, nil)
    }
  }

  @Test(arguments: [1, 2, 3, 8])
  func framesAreTheSameOnAnyNumberOfCores(cores: Int) {
    for _ in 0..<20 {
      let chain = Chain(NumberedStream(frames: 10_007, blockFrames: 50), cores: cores)
      let read = chain.read()
      chain.stop()
      #expect(read.failure == nil)
      #expect(read.frames == Array(0..<10_007))
    }
  }

  @Test func oneCoreReadsBlockByBlock() {
    let chain = Chain(NumberedStream(frames: 5000), cores: 1)
    var furthest = 0
    _ = chain.read { done in furthest = max(furthest, chain.numbers.position - done) }
    chain.stop()
    #expect(furthest == 0)
  }

  @Test func anotherCoreReadsAheadButNotFar() {
    let numbers = NumberedStream(frames: 20_000)
    let hasReadOn = DispatchSemaphore(value: 0)
    numbers.onRead = { if $0 == 2 * Self.blockFrames { hasReadOn.signal() } }
    let chain = Chain(numbers, cores: 2)
    var furthest = 0
    let read = chain.read { done in
      // The consumer alone would wait forever for itself.
      if done == Self.blockFrames {
        #expect(hasReadOn.wait(timeout: .now() + 60) == .success)
      }
      usleep(50)
      furthest = max(furthest, numbers.position - done)
    }
    chain.stop()
    #expect(read.frames.count == 20_000)
    // Two queues of four blocks, and a block in the hands of each reader.
    #expect(furthest <= 10 * Self.blockFrames)
  }

  @Test(arguments: [1, 2, 3], [0, 1, 63, 64, 1000, 9_999])
  func aFailureComesAfterTheFramesBeforeIt(cores: Int, frame: Int) {
    let numbers = NumberedStream(frames: 10_000)
    numbers.failsAt = frame
    let chain = Chain(numbers, cores: cores)
    let read = chain.read()
    #expect(read.frames == Array(0..<Int32(frame)))
    #expect(read.failure == .malformed(NumberedStream.path, reason: "\(frame)"))
    // It stays.
    #expect(throws: AudioFileError.self) {
      try chain.second.read(into: Block(.int32, sampleCount: Self.blockFrames))
    }
    chain.stop()
  }

  @Test(arguments: [1, 2, 3])
  func workThatStopsEarlyLeavesNoThread(cores: Int) throws {
    for blocks in 0..<20 {
      let chain = Chain(NumberedStream(frames: 10_000), cores: cores)
      let block = Block(.int32, sampleCount: Self.blockFrames)
      for _ in 0..<blocks { try chain.second.read(into: block) }
      chain.stop()
      let position = chain.numbers.position
      usleep(200)
      #expect(chain.numbers.position == position)
      #expect(!chain.budget.hasOffers(by: chain.first) && !chain.budget.hasOffers(by: chain.second))
    }
  }

  @Test func readsOfAnySizeAndSeeksDeliverTheSameFrames() throws {
    let chain = Chain(NumberedStream(frames: 10_000), cores: 3)
    var numbers = SeededNumbers(seed: 3)
    for _ in 0..<300 {
      let start = Int.random(in: 0...10_000, using: &numbers)
      try chain.second.seek(toFrame: start)
      let wanted = Int.random(in: 1...300, using: &numbers)
      var samples = [Int32](repeating: -1, count: wanted)
      var done = 0
      while done < wanted, start + done < 10_000 {
        var span = samples.mutableSpan
        var rest = span._mutatingExtracting(done..<wanted)
        let count = try chain.second.read(into: &rest)
        #expect(count > 0)
        done += count
      }
      #expect(Array(samples[..<done]) == Array(Int32(start)..<Int32(start + done)))
    }
    chain.stop()
  }

  @Test(arguments: [1, 2, 3])
  func aReadAfterAFailedSeekFails(cores: Int) throws {
    let numbers = NumberedStream(frames: 10_000)
    let chain = Chain(numbers, cores: cores)
    let block = Block(.int32, sampleCount: Self.blockFrames)
    try chain.second.read(into: block)
    numbers.failsToSeek = true
    let failure = AudioFileError.malformed(NumberedStream.path, reason: "seek")
    #expect(throws: failure) { try chain.second.seek(toFrame: 10) }
    #expect(throws: failure) { try chain.second.read(into: block) }
    numbers.failsToSeek = false
    try chain.second.seek(toFrame: 10)
    try chain.second.read(into: block)
    #expect(block.samples(of: Int32.self).first == 10)
    chain.stop()
  }

  /// All pieces of work are done once, and before the call returns.
  @Test(arguments: [1, 2, 5])
  func piecesAreDoneOnce(cores: Int) {
    let budget = CoreBudget(cores: cores)
    budget.occupy()
    for count in 0..<40 {
      let done = Locked([Int](repeating: 0, count: count))
      budget.perform(count) { index in done.withLock { $0[index] += 1 } }
      #expect(done.withLock { $0 } == [Int](repeating: 1, count: count))
    }
    budget.release()
  }
}
