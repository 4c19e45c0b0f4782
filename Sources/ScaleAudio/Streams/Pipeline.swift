internal import AudioIO
internal import Dispatch

/// A part of the work on a file that proceeds block by block and can run in parallel with the other parts.
///
/// Steps of one stage run one after another, though not always on the same thread. Stages share only queues.
protocol PipelineStage: AnyObject, Sendable {
  /// The number of source frames that the stage has finished.
  var framesDone: Int { get }
  /// Whether a step can be done now. Once this is true, it stays true until the step is done.
  var isReady: Bool { get }
  /// Does a step, which processes at most one block. Returns whether there are more steps.
  func step() throws(ConversionError) -> Bool
  /// Closes the stage's output after the blocks already in it, with the reason why no more follow.
  func fail(_ failure: ConversionError)
}

/// Stages that work on one file, in parallel if cores are free, and otherwise in turn.
///
/// The calling thread does steps of whichever stage is ready, the one nearest to the output first. While
/// more stages are ready, it offers them to the ``CoreBudget``; a thread that gets a core helps until no stage
/// is ready or the core is needed elsewhere. So a single thread passes through the stages block by block,
/// and several threads divide the work between them, with the same result.
final class Pipeline: Sendable {
  private let state: Locked<PipelineState>
  private let budget: CoreBudget
  /// Wakes the calling thread when it waits and can continue.
  private let alarm = DispatchSemaphore(value: 0)

  /// A pipeline of stages, each of which feeds the next.
  ///
  /// - Parameters:
  ///   - isShort: Whether all work stays on the calling thread: it would end before another thread could help.
  ///   - coresLeft: How many cores of the budget are left to what the stages themselves offer.
  init(
    _ stages: [any PipelineStage], isShort: Bool, coresLeft: Int = 0, budget: CoreBudget = .shared
  ) {
    let helpers = isShort ? 0 : stages.count - 1
    state = Locked(
      PipelineState(
        stages,
        maximumHelpers: coresLeft == 0
          ? helpers : min(helpers, max(0, budget.cores - 1 - coresLeft))))
    self.budget = budget
  }

  /// Does all the work.
  ///
  /// `onBlock` is called on the calling thread with the number of source frames that the last stage has finished; an
  /// error that it throws stops the work. If there are several failures, the one that a single thread would
  /// have met first is thrown.
  func run(onBlock: (Int) throws(ConversionError) -> Void) throws(ConversionError) {
    // When the caller continues, no stage may be working, in any outcome.
    defer { stop() }
    var framesReported = 0
    while true {
      switch state.withLock({ $0.beginStepOfCaller() }) {
      case .step(let step, let needsHelp):
        if needsHelp { offerHelp() }
        let outcome = step.perform()
        state.withLock { $0.end(step, outcome) }
      case .wait: alarm.wait()
      case .over(let failure):
        if let failure { throw failure }
        // A helper may have done the last steps.
        let framesDone = state.withLock { $0.framesDone }
        if framesDone > framesReported { try onBlock(framesDone) }
        return
      }
      let (framesDone, hasFailed) = state.withLock { ($0.framesDone, $0.failure != nil) }
      if hasFailed { continue }
      framesReported = framesDone
      try onBlock(framesDone)
    }
  }

  private func offerHelp() {
    budget.offer(by: self) { [self] in help() }
  }

  /// Does steps for the calling thread, on another thread.
  private func help() {
    var step = state.withLock { $0.beginStepOfHelper() }
    while let current = step {
      let outcome = current.perform()
      let mayGoOn = !budget.isOverdrawn
      let wakesCaller = state.withLock { state in
        state.end(current, outcome)
        step = state.beginStepOfHelper(mayGoOn: mayGoOn)
        return state.wakesCaller()
      }
      if wakesCaller { alarm.signal() }
    }
  }

  /// Lets helpers finish their current steps, and prevents others.
  private func stop() {
    budget.withdrawOffers(by: self)
    while state.withLock({ $0.stop() }) { alarm.wait() }
  }
}
