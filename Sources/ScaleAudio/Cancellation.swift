import Synchronization

/// A request to stop, shared between whoever asks and whoever works; once made it stays.
public final class Cancellation: Sendable {
  private let requested = Atomic<Bool>(false)
  private let parent: Cancellation?

  /// A request not yet made, which counts as made also once `parent` is.
  public init(parent: Cancellation? = nil) {
    self.parent = parent
  }

  /// Asks the work to stop at its next block.
  public func cancel() {
    requested.store(true, ordering: .releasing)
  }

  /// Whether the work was asked to stop.
  public var isCancelled: Bool {
    requested.load(ordering: .acquiring) || parent?.isCancelled == true
  }
}
