#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The cores that all work in this process shares.
///
/// A conversion takes one for itself and borrows more, for parts of its work, only while nobody else
/// has them: a huge file gets all that a thousand small ones leave over.
package final class CoreBudget: Sendable {
  /// The budget of this process: the cores of the machine, unless it is set.
  package static let shared = CoreBudget(cores: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  private struct State {
    var cores: Int
    var used = 0
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

  /// Takes a core for a conversion, whether there is one or not.
  package func occupy() { state.withLock { $0.used += 1 } }

  /// Borrows a core if one is free.
  package func borrow() -> Bool {
    state.withLock { state in
      if state.used >= state.cores { return false }
      state.used += 1
      return true
    }
  }

  /// Gives back a core that was taken or borrowed.
  package func release() { state.withLock { $0.used -= 1 } }
}
