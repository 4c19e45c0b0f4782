import Glibc

/// A lock of the state of an output, with threads that wait for its changes.
///
/// The owner touches its state only in ``withLock(_:)``.
final class SoundMonitor: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  /// A free lock.
  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` while no other thread holds the lock.
  func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Waits, with the lock released, until another thread calls ``wake()`` or so many seconds have passed. Call
  /// it with the lock held.
  func wait(seconds: Double? = nil) {
    guard let seconds else {
      pthread_cond_wait(condition, mutex)
      return
    }
    let nanoseconds = Int(max(0, min(seconds, 3600)) * 1e9)
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let sum = Int(time.tv_nsec) + nanoseconds
    time.tv_sec += sum / 1_000_000_000
    time.tv_nsec = sum % 1_000_000_000
    pthread_cond_timedwait(condition, mutex, &time)
  }

  /// Wakes all threads that wait.
  func wake() {
    pthread_cond_broadcast(condition)
  }

  /// Seconds of the monotonic clock.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// A thread that asks for samples.
final class SoundThread: @unchecked Sendable {
  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  private let thread: pthread_t

  /// Begins a thread; `nil` if the system has none left.
  init?(_ run: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(Body(run))
    var made = pthread_t()
    let status = pthread_create(&made, nil, soundThreadEntry, body.toOpaque())
    let thread: pthread_t? = made
    guard status == 0, let thread else {
      body.release()
      return nil
    }
    self.thread = thread
  }

  /// Waits for the end of the thread. Call it once.
  func join() {
    pthread_join(thread, nil)
  }

  /// Lets the thread end by itself. Call it instead of ``join()``.
  func detach() {
    pthread_detach(thread)
  }

  fileprivate static func run(_ body: UnsafeMutableRawPointer) {
    Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
  }
}

private func soundThreadEntry(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let body { SoundThread.run(body) }
  return nil
}
