import ScaleAudio
import Testing

@testable import scaleaudio_cli

@Suite("The state of a batch", .tags(.threaded))
struct ProgressStateTests {
  let jobs = [
    Scene.job(0, "a.wav", bytes: 1000), Scene.job(1, "b.wav", bytes: 3000),
    Scene.job(2, "c.wav", bytes: 4000), Scene.job(3, "d.wav", bytes: 2000),
  ]

  @Test func weighsBySize() {
    var state = ProgressState(jobs: jobs)
    #expect(state.fraction == 0)
    state.apply(.started(jobs[1]))
    state.apply(.progress(jobs[1], Scene.progress(0.5)))
    #expect(state.fraction == 0.15)
    #expect(state.sourceSeconds == 5)
    state.apply(.finished(jobs[1], Scene.report()))
    #expect(state.fraction == 0.3)
    #expect(state.sourceSeconds == 10)
    #expect(state.multipleOfRealTime(elapsed: 2) == 5)
    #expect(state.inWork.isEmpty)
    #expect(state.done == 1)
  }

  @Test func skippedAndFailedFilesDoNotChangeTheEstimate() {
    var state = ProgressState(jobs: jobs)
    state.apply(.skipped(jobs[2], .alreadyDone))
    state.apply(.failed(jobs[3], .cancelled))
    #expect(state.fraction == 0.6)
    #expect(state.secondsLeft(elapsed: 10) == nil)
    state.apply(.finished(jobs[0], Scene.report()))
    // A quarter of the 4,000 bytes that need work took 10 seconds.
    #expect(state.secondsLeft(elapsed: 10) == 30)
    #expect(state.settled == 2)
  }

  @Test func cancelledFilesAreNotFailures() {
    var state = ProgressState(jobs: jobs)
    state.apply(.failed(jobs[0], .cancelled))
    state.apply(.failed(jobs[1], .inPlace("b.wav")))
    #expect(state.failures == [FileFailure(ConversionError.inPlace("b.wav"))])
    #expect(state.settled == 1)
  }

  @Test func aBatchWithoutWorkIsDone() {
    let state = ProgressState(jobs: [])
    #expect(state.fraction == 1)
    #expect(state.multipleOfRealTime(elapsed: 0) == nil)
  }
}
