import Synchronization

/// A request to stop, shared between whoever asks and whoever works; once made it stays.
public final class Cancellation: Sendable {
  private let requested = Atomic<Bool>(false)

  /// A request not yet made.
  public init() {}

  /// Asks the work to stop at its next block.
  public func cancel() {
    requested.store(true, ordering: .releasing)
  }

  /// Whether the work was asked to stop.
  public var isCancelled: Bool { requested.load(ordering: .acquiring) }
}
