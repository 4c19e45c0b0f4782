import AudioFiles
import Dispatch
import Foundation
import SystemPackage
import Testing

@testable import AudioIO
@testable import ScaleAudio

@Suite("The pipeline inside one file", .timeLimit(.minutes(30)))
struct PipelineTests {
  @Test(arguments: [1, 2, 3, 8])
  func theOutputIsTheSameOnAnyNumberOfCores(cores: Int) {
    for _ in 0..<20 {
      let work = Workload()
      #expect(work.run(cores: cores) == nil)
      #expect(work.output == Workload.expected)
    }
  }

  @Test func oneThreadGoesBlockByBlock() {
    let work = Workload()
    var ahead = 0
    work.onWrite = { [unowned work] number in
      ahead = max(ahead, work.blocksRead - number)
    }
    #expect(work.run(cores: 1) == nil)
    // At 1.5 times the length there are two blocks of output for one of input.
    #expect(ahead == 1)
  }

  @Test func stagesWorkSideBySide() {
    let work = Workload()
    let hasReadOn = DispatchSemaphore(value: 0)
    work.onRead = { if $0 == 2 { hasReadOn.signal() } }
    // One thread alone would wait forever for itself.
    work.onWrite = { if $0 == 0 { #expect(hasReadOn.wait(timeout: .now() + 60) == .success) } }
    #expect(work.run(cores: 2) == nil)
    #expect(work.output == Workload.expected)
  }

  @Test func allThreeWorkSideBySide() {
    let work = Workload()
    let threads = Locked<Set<UInt>>([])
    let isReading = DispatchSemaphore(value: 0)
    let isWriting = DispatchSemaphore(value: 0)
    func note() { threads.withLock { _ = $0.insert(UInt(bitPattern: pthread_self().hashValue)) } }
    // A block is read and another written at a time, while at most the calling thread is left to scale.
    work.onRead = { number in
      note()
      guard number == 3 else { return }
      isReading.signal()
      #expect(isWriting.wait(timeout: .now() + 60) == .success)
    }
    work.onWrite = { number in
      note()
      guard number == 1 else { return }
      isWriting.signal()
      #expect(isReading.wait(timeout: .now() + 60) == .success)
    }
    #expect(work.run(cores: 3) == nil)
    #expect(work.output == Workload.expected)
    #expect(threads.withLock { $0.count } >= 2)
  }

  @Test func aFastReaderIsHeldBack() {
    let work = Workload()
    let most = Locked(0)
    let written = Locked(0)
    work.onRead = { number in
      let ahead = number - written.withLock { $0 } / 2
      most.withLock { $0 = max($0, ahead) }
    }
    work.onWrite = { number in
      usleep(300)
      written.withLock { $0 = number }
    }
    #expect(work.run(cores: 3) == nil)
    // Two queues full, and a block in the hands of each stage.
    #expect(most.withLock { $0 } <= 2 * Workload.queueLength + 3)
  }

  @Test(arguments: [1, 2, 3])
  func progressIsReportedInOrderOnTheCallingThread(cores: Int) {
    let caller = pthread_self()
    var frames: [Int] = []
    let work = Workload()
    let failure = work.run(cores: cores) { done in
      frames.append(done)
      #expect(pthread_equal(caller, pthread_self()) != 0)
    }
    #expect(failure == nil)
    #expect(frames == frames.sorted())
    #expect(frames.last == Workload.source.count / Workload.channels)
  }
}

@Suite("Failures in the pipeline", .timeLimit(.minutes(30)))
struct PipelineFailureTests {
  /// The result of a run: the failure, and how much was written.
  private struct Outcome: Equatable {
    var failure: String
    var blocksWritten: Int
    var output: [Int16]

    init(_ work: Workload, cores: Int) {
      failure = work.run(cores: cores).map { "\($0)" } ?? "none"
      blocksWritten = work.blocksWritten
      output = work.output
    }
  }

  private func makeWork(reading: Int?, scaling: Int?, writing: Int?) -> Workload {
    let work = Workload()
    (work.readingFails, work.scalingFails, work.writingFails) = (reading, scaling, writing)
    return work
  }

  @Test(arguments: [0, 1, 2, 7, 30, 68])
  func eachStageMayFailAtAnyBlock(block: Int) {
    for (reading, scaling, writing, word) in [
      (block, nil, nil, "read"), (nil, block, nil, "scaled"), (nil, nil, block, "written"),
    ] as [(Int?, Int?, Int?, String)] {
      let alone = Outcome(
        makeWork(reading: reading, scaling: scaling, writing: writing), cores: 1)
      #expect(alone.failure.contains(word), "\(alone.failure)")
      #expect(alone.output == Array(Workload.expected.prefix(alone.output.count)))
      if let writing { #expect(alone.blocksWritten == writing) }
      for cores in [2, 3] {
        let together = Outcome(
          makeWork(reading: reading, scaling: scaling, writing: writing), cores: cores)
        #expect(together == alone)
      }
    }
  }

  @Test func theReportedFailureIsTheFirstOfOneThread() {
    var words: Set<String> = []
    for reading in [1, 5, 20] {
      for scaling in [2, 9, 40] {
        for writing in [1, 10, 30] {
          let alone = Outcome(
            makeWork(reading: reading, scaling: scaling, writing: writing), cores: 1)
          let together = Outcome(
            makeWork(reading: reading, scaling: scaling, writing: writing), cores: 3)
          #expect(together == alone)
          words.insert(alone.failure)
        }
      }
    }
    #expect(words.count >= 3)
  }

  // On a busy machine helpers may do most of the steps, so only the first few blocks are sure to be reported.
  @Test(arguments: [1, 2, 3], [0, 1, 5])
  func errorsOfTheCallerStopEverything(cores: Int, block: Int) {
    let work = Workload()
    var calls = 0
    let failure = work.run(cores: cores) { (_) throws(ConversionError) in
      calls += 1
      if calls > block { throw .cancelled }
    }
    #expect(failure == .cancelled)
    #expect(calls == block + 1)
    // Nothing continues after the call returns.
    let (read, written) = (work.blocksRead, work.blocksWritten)
    usleep(2000)
    #expect(work.blocksRead == read)
    #expect(work.blocksWritten == written)
  }
}
