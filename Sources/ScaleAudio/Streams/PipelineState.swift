/// Which stages of a ``Pipeline`` are working, and what comes next.
struct PipelineState: Sendable {
  /// A step of a stage, which no other thread does at the same time.
  struct Step: Sendable {
    let index: Int
    let stage: any PipelineStage

    /// Does the step; returns whether the stage has more to do, or why it has failed.
    func perform() -> Result<Bool, ConversionError> {
      do throws(ConversionError) {
        return .success(try stage.step())
      } catch {
        stage.fail(error)
        return .failure(error)
      }
    }
  }

  /// The next action of the calling thread.
  enum Action {
    case step(Step, needsHelp: Bool)
    case wait
    case over(ConversionError?)
  }

  /// The number of source frames that the last stage has finished.
  private(set) var framesDone = 0
  /// Why the last stage stopped.
  private(set) var failure: ConversionError?
  /// In the order in which blocks pass through them.
  private var stages: [any PipelineStage]
  private var isAtWork: [Bool]
  private var hasEnded: [Bool]
  private var isOver = false
  private var isCallerWaiting = false
  /// The number of threads that help or were asked to help.
  private var helpers = 0
  private let maximumHelpers: Int

  /// The state before the first step.
  init(_ stages: [any PipelineStage], maximumHelpers: Int) {
    self.stages = stages
    self.maximumHelpers = maximumHelpers
    isAtWork = stages.map { _ in false }
    hasEnded = isAtWork
  }

  /// Begins the calling thread's next step.
  mutating func beginStepOfCaller() -> Action {
    if isOver { return .over(failure) }
    guard let step = begin() else {
      isCallerWaiting = true
      return .wait
    }
    let needsHelp = helpers < maximumHelpers && readyStage != nil
    if needsHelp { helpers += 1 }
    return .step(step, needsHelp: needsHelp)
  }

  /// Begins a helper's next step; `nil` ends the helper.
  mutating func beginStepOfHelper(mayGoOn: Bool = true) -> Step? {
    if !isOver, mayGoOn, let step = begin() { return step }
    helpers -= 1
    return nil
  }

  /// Records the outcome of a step.
  mutating func end(_ step: Step, _ outcome: Result<Bool, ConversionError>) {
    isAtWork[step.index] = false
    let isLastStage = step.index == stages.count - 1
    if isLastStage { framesDone = step.stage.framesDone }
    if case .success(true) = outcome { return }
    hasEnded[step.index] = true
    guard isLastStage else { return }
    isOver = true
    if case .failure(let error) = outcome { failure = error }
  }

  /// Whether the calling thread waits and can continue now; if so, it no longer counts as waiting.
  mutating func wakesCaller() -> Bool {
    guard isCallerWaiting, isOver ? !isAtWork.contains(true) : readyStage != nil else {
      return false
    }
    isCallerWaiting = false
    return true
  }

  /// Prevents further steps; returns whether the calling thread must wait for current ones to end.
  mutating func stop() -> Bool {
    isOver = true
    isCallerWaiting = isAtWork.contains(true)
    if !isCallerWaiting {
      // A helper that starts late must not keep the resources of the stages alive.
      stages = []
    }
    return isCallerWaiting
  }

  private mutating func begin() -> Step? {
    guard let index = readyStage else { return nil }
    isAtWork[index] = true
    return Step(index: index, stage: stages[index])
  }

  /// The stage nearest to the output among those that are ready and not working.
  private var readyStage: Int? {
    stages.indices.last { !isAtWork[$0] && !hasEnded[$0] && stages[$0].isReady }
  }
}
