import Synchronization

/// A request to stop, shared between the code that asks and the work that stops; it cannot be withdrawn.
public final class Cancellation: Sendable {
  private let requested = Atomic<Bool>(false)
  private let parent: Cancellation?

  /// A request that has not been made yet. It also counts as made once `parent` is made.
  public init(parent: Cancellation? = nil) {
    self.parent = parent
  }

  /// Asks the work to stop at its next block.
  public func cancel() {
    requested.store(true, ordering: .releasing)
  }

  /// True if the work was asked to stop.
  public var isCancelled: Bool {
    requested.load(ordering: .acquiring) || parent?.isCancelled == true
  }
}
