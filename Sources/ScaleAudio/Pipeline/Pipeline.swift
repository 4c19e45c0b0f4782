internal import Dispatch

/// Stages that work on one file side by side as far as cores are free, and else in turn.
///
/// The calling thread does steps of whichever stage is ready, the one nearest to the output first. While
/// more stages are ready than it can see to, it offers them to the ``CoreBudget``; a thread that gets a
/// core for it helps until nothing is ready or the core is needed elsewhere. So one thread goes through
/// the stages block by block, and several divide the work as its stages need it, with the same result.
final class Pipeline: Sendable {
  private let state: Locked<PipelineState>
  private let budget: CoreBudget
  /// Tells the calling thread, when it waits, that there is something for it to do.
  private let alarm = DispatchSemaphore(value: 0)

  /// A pipeline of stages, each of which feeds the next.
  ///
  /// `isShort` keeps all of it on the calling thread: it would be done before another could help.
  init(_ stages: [any PipelineStage], isShort: Bool, budget: CoreBudget = .shared) {
    state = Locked(PipelineState(stages, mostHelpers: isShort ? 0 : stages.count - 1))
    self.budget = budget
  }

  /// Does all the work.
  ///
  /// `onBlock` is told, on the calling thread, how many frames of the source the last stage is done with;
  /// what it throws stops the work. Of several failures, that is thrown which one thread would have met
  /// first.
  func run(onBlock: (Int) throws(ConversionError) -> Void) throws(ConversionError) {
    // Nothing may be at work any more when the caller goes on, whatever comes of it.
    defer { stop() }
    var framesTold = 0
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
        if framesDone > framesTold { try onBlock(framesDone) }
        return
      }
      let (framesDone, hasFailed) = state.withLock { ($0.framesDone, $0.failure != nil) }
      if hasFailed { continue }
      framesTold = framesDone
      try onBlock(framesDone)
    }
  }

  private func offerHelp() {
    budget.offer(by: self) { [self] in help() }
  }

  /// Does steps for the calling thread, on another.
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

  /// Lets helpers finish the steps in hand, and begin no others.
  private func stop() {
    budget.withdrawOffers(by: self)
    while state.withLock({ $0.stop() }) { alarm.wait() }
  }
}
