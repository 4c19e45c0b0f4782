internal import Dispatch
import Synchronization

/// Does numbered pieces of work, a bounded number of them side by side.
final class Workers: Sendable {
  private let pieces: Int
  private let stop: Cancellation
  private let work: @Sendable (Int) -> Void
  private let completion: @Sendable () -> Void
  private let next = Atomic<Int>(0)
  private let left: Atomic<Int>

  /// Starts the workers, each on a queue, and so a thread, of its own: they block in C libraries.
  ///
  /// - Parameters:
  ///   - count: How many workers, as far as there are pieces.
  ///   - pieces: How many pieces there are, begun in the order of their numbers, from 0.
  ///   - stop: Has no further piece begun.
  ///   - work: Does the piece of a number.
  ///   - completion: Called once, when nothing is being worked on any more.
  static func start(
    _ count: Int, pieces: Int, until stop: Cancellation,
    work: @escaping @Sendable (Int) -> Void, completion: @escaping @Sendable () -> Void
  ) {
    let count = max(1, min(count, pieces))
    let workers = Workers(count, pieces, stop, work, completion)
    for number in 0..<count {
      DispatchQueue(label: "scaleaudio.worker.\(number)").async { workers.run() }
    }
  }

  private init(
    _ count: Int, _ pieces: Int, _ stop: Cancellation, _ work: @escaping @Sendable (Int) -> Void,
    _ completion: @escaping @Sendable () -> Void
  ) {
    self.pieces = pieces
    self.stop = stop
    self.work = work
    self.completion = completion
    left = Atomic(count)
  }

  private func run() {
    while !stop.isCancelled {
      let piece = next.wrappingAdd(1, ordering: .relaxed).oldValue
      if piece >= pieces { break }
      work(piece)
    }
    if left.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { completion() }
  }
}

/// Keeps a job from telling of its progress more than a few times a second.
struct ProgressPace {
  private static let interval: Duration = .milliseconds(250)
  private let clock = ContinuousClock()
  private var last = ContinuousClock().now

  /// Whether it is time to tell; if so, the time until the next begins.
  mutating func isDue() -> Bool {
    let now = clock.now
    if now - last < Self.interval { return false }
    last = now
    return true
  }
}
