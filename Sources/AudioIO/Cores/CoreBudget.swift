internal import Dispatch
import Glibc

/// The processor cores that all work in this process shares.
///
/// A conversion takes one core for itself and offers parts of its work, which run while other cores are idle:
/// a huge file gets all the cores that many small ones leave idle.
package final class CoreBudget: Sendable {
  /// The budget of this process: by default, the cores that it may use.
  package static let shared = CoreBudget(cores: AvailableCores.count)

  private struct Offer: Sendable {
    let owner: ObjectIdentifier
    let work: @Sendable () -> Void
  }
  private struct State {
    var cores: Int
    var used = 0
    /// Work that waits for a core, in the order of the offers.
    var offers: [Offer] = []

    /// Takes a core for the first offer; `nil` if there is no offer or no free core.
    mutating func takeOffer() -> Offer? {
      guard used < cores, !offers.isEmpty else { return nil }
      used += 1
      return offers.removeFirst()
    }
  }
  private let state: Locked<State>

  /// A budget of `cores` cores, at least 1.
  package init(cores: Int) {
    state = Locked(State(cores: max(1, cores)))
  }

  /// The number of cores in the budget.
  package var cores: Int {
    get { state.withLock { $0.cores } }
    set { state.withLock { $0.cores = max(1, newValue) } }
  }

  /// True if more cores are in use than the budget has; offered work should then end soon.
  package var isOverdrawn: Bool { state.withLock { $0.used > $0.cores } }

  /// Takes a core for a conversion, even if none is free.
  package func occupy() { state.withLock { $0.used += 1 } }

  /// Releases a core.
  package func release() {
    let offer = state.withLock { state in
      state.used -= 1
      return state.takeOffer()
    }
    if let offer { begin(offer) }
  }

  /// Queues work to run on its own thread when a core is free.
  ///
  /// `owner` can withdraw it until it starts, and must do so before it is released.
  package func offer(by owner: AnyObject, _ work: @escaping @Sendable () -> Void) {
    let offer = state.withLock { state in
      state.offers.append(Offer(owner: ObjectIdentifier(owner), work: work))
      return state.takeOffer()
    }
    if let offer { begin(offer) }
  }

  /// True if an owner has offers that have not started.
  package func hasOffers(by owner: AnyObject) -> Bool {
    let owner = ObjectIdentifier(owner)
    return state.withLock { $0.offers.contains { $0.owner == owner } }
  }

  /// Withdraws the offers of an owner that have not started; returns whether there were any.
  @discardableResult
  package func withdrawOffers(by owner: AnyObject) -> Bool {
    let owner = ObjectIdentifier(owner)
    return state.withLock { state in
      let count = state.offers.count
      state.offers.removeAll { $0.owner == owner }
      return state.offers.count < count
    }
  }

  /// Does pieces of work, each once, on the calling thread and on cores that are free. Returns when all are done.
  package func perform(_ count: Int, _ work: @escaping @Sendable (_ index: Int) -> Void) {
    let pieces = Pieces(count: count, work)
    for _ in 1..<max(1, count) { offer(by: pieces) { pieces.perform() } }
    pieces.perform()
    withdrawOffers(by: pieces)
    pieces.wait()
  }

  /// Pieces of work that several threads share.
  private final class Pieces: Sendable {
    private let count: Int
    private let work: @Sendable (Int) -> Void
    private let state = Locked((next: 0, done: 0, isAwaited: false))
    private let alarm = DispatchSemaphore(value: 0)

    init(count: Int, _ work: @escaping @Sendable (Int) -> Void) {
      (self.count, self.work) = (count, work)
    }

    /// Does pieces until all have begun.
    func perform() {
      while let index = state.withLock({ state -> Int? in
        if state.next == count { return nil }
        defer { state.next += 1 }
        return state.next
      }) {
        work(index)
        let wakesCaller = state.withLock { state in
          state.done += 1
          return state.done == count && state.isAwaited
        }
        if wakesCaller { alarm.signal() }
      }
    }

    /// Waits for pieces that other threads have begun.
    func wait() {
      let mustWait = state.withLock { state in
        state.isAwaited = state.done < count
        return state.isAwaited
      }
      if mustWait { alarm.wait() }
    }
  }

  /// Runs an offer that has a core. A separate queue gets a thread at once, even if all threads of a shared
  /// queue are waiting for this work.
  private func begin(_ offer: Offer) {
    DispatchQueue(label: "scaleaudio.core").async { [self] in
      offer.work()
      release()
    }
  }
}
