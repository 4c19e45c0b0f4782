internal import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The cores that all work in this process shares.
///
/// A conversion takes one for itself and offers parts of its work to others, which get to it only while
/// nobody else has them: a huge file gets all that a thousand small ones leave over.
package final class CoreBudget: Sendable {
  /// The budget of this process: the cores of the machine, unless it is set.
  package static let shared = CoreBudget(cores: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  private struct Offer: Sendable {
    let owner: ObjectIdentifier
    let work: @Sendable () -> Void
  }
  private struct State {
    var cores: Int
    var used = 0
    /// Work that waits for a core, in the order in which it was offered.
    var offers: [Offer] = []

    /// Takes a core for the first offer, if there is both.
    mutating func takeOffer() -> Offer? {
      guard used < cores, !offers.isEmpty else { return nil }
      used += 1
      return offers.removeFirst()
    }
  }
  private let state: Locked<State>

  /// A budget of so many cores, at least 1.
  package init(cores: Int) {
    state = Locked(State(cores: max(1, cores)))
  }

  /// The cores that there are.
  package var cores: Int {
    get { state.withLock { $0.cores } }
    set { state.withLock { $0.cores = max(1, newValue) } }
  }

  /// Whether more cores are taken than there are; then offered work should end soon.
  package var isOverdrawn: Bool { state.withLock { $0.used > $0.cores } }

  /// Takes a core for a conversion, whether there is one or not.
  package func occupy() { state.withLock { $0.used += 1 } }

  /// Gives back a core that was taken.
  package func release() {
    let offer = state.withLock { state in
      state.used -= 1
      return state.takeOffer()
    }
    if let offer { begin(offer) }
  }

  /// Has work done on a thread and a core of its own, once there is one to spare.
  ///
  /// `owner` can withdraw it until then, and must when it goes.
  package func offer(by owner: AnyObject, _ work: @escaping @Sendable () -> Void) {
    let offer = state.withLock { state in
      state.offers.append(Offer(owner: ObjectIdentifier(owner), work: work))
      return state.takeOffer()
    }
    if let offer { begin(offer) }
  }

  /// Whether an owner offered anything that nobody has begun.
  package func hasOffers(by owner: AnyObject) -> Bool {
    let owner = ObjectIdentifier(owner)
    return state.withLock { $0.offers.contains { $0.owner == owner } }
  }

  /// Takes back what an owner offered and nobody has begun; returns whether there was any.
  @discardableResult
  package func withdrawOffers(by owner: AnyObject) -> Bool {
    let owner = ObjectIdentifier(owner)
    return state.withLock { state in
      let count = state.offers.count
      state.offers.removeAll { $0.owner == owner }
      return state.offers.count < count
    }
  }

  /// Runs an offer that has a core. A queue of its own gets a thread at once, also where those that a shared
  /// queue would use are waiting for this very work.
  private func begin(_ offer: Offer) {
    DispatchQueue(label: "scaleaudio.core").async { [self] in
      offer.work()
      release()
    }
  }
}
