internal import AudioModel

/// An output without sound that takes samples in real time, by the monotonic clock, as a device would.
final class ClockOutput: SoundOutput, @unchecked Sendable {
  let spec: AudioSpec
  var name: String { "no device" }
  var queuedFrames: Int { monitor.withLock { delivered - heard } }
  var underrunCount: Int { monitor.withLock { underruns } }

  private let monitor = SoundMonitor()
  private let bufferFrames: Int
  private let periodFrames: Int
  private let block: UnsafeMutableBufferPointer<Float>
  private var thread: SoundThread?
  private var delivered = 0
  private var heardAtAnchor = 0
  /// When ``heardAtAnchor`` was right; `nil` while the clock is stopped.
  private var anchor: Double?
  private var isStarved = false
  private var underruns = 0
  private var isPaused = false
  private var isDraining = false
  private var isClosed = false

  /// An output that is `latency` seconds ahead of what is heard.
  init(spec: AudioSpec, latency: Double) {
    self.spec = spec
    bufferFrames = max(4, Int(latency * Double(spec.sampleRate)))
    periodFrames = bufferFrames / 4
    block = .allocate(capacity: bufferFrames * spec.channelCount)
    block.initialize(repeating: 0)
  }

  deinit { block.deallocate() }

  func start(
    delivering deliver: @escaping @Sendable (UnsafeMutableBufferPointer<Float>) -> Int,
    onEvent: @escaping @Sendable (SoundEvent) -> Void
  ) throws(SoundError) {
    monitor.withLock { if !isPaused { anchor = SoundMonitor.now } }
    guard let thread = SoundThread({ self.run(deliver) }) else { throw .noThread }
    self.thread = thread
  }

  private func run(_ deliver: (UnsafeMutableBufferPointer<Float>) -> Int) {
    monitor.withLock {
      while !isClosed {
        if anchor == nil {
          monitor.wait()
        } else {
          step(deliver)
          monitor.wait(seconds: spec.seconds(frames: periodFrames))
        }
      }
    }
  }

  private func step(_ deliver: (UnsafeMutableBufferPointer<Float>) -> Int) {
    let now = SoundMonitor.now
    if clock(now) >= delivered {
      // The clock waits for samples, so that none is skipped.
      if !isStarved, !isDraining, delivered > 0 {
        isStarved = true
        underruns += 1
      }
      heardAtAnchor = delivered
      anchor = now
    }
    let room = bufferFrames - (delivered - heard)
    var isShort = false
    if room >= periodFrames {
      let fitting = UnsafeMutableBufferPointer(rebasing: block[..<(room * spec.channelCount)])
      let count = deliver(fitting)
      isShort = count < room
      delivered += count
      if count > 0 { isStarved = false }
    }
    if isDraining, isShort, delivered == heard {
      isDraining = false
      monitor.wake()
    }
  }

  private func clock(_ now: Double) -> Int {
    guard let anchor else { return heardAtAnchor }
    return heardAtAnchor + Int((now - anchor) * Double(spec.sampleRate))
  }

  private var heard: Int { min(delivered, clock(SoundMonitor.now)) }

  func pause() {
    monitor.withLock {
      heardAtAnchor = heard
      anchor = nil
      isPaused = true
    }
  }

  func resume() {
    monitor.withLock {
      guard isPaused else { return }
      isPaused = false
      if thread != nil { anchor = SoundMonitor.now }
      monitor.wake()
    }
  }

  func discard() -> Int {
    monitor.withLock {
      let now = heard
      let unheard = delivered - now
      heardAtAnchor = now
      delivered = now
      isStarved = true
      if anchor != nil { anchor = SoundMonitor.now }
      monitor.wake()
      return unheard
    }
  }

  func drain() {
    monitor.withLock {
      guard thread != nil, !isPaused else { return }
      isDraining = true
      monitor.wake()
      while isDraining { monitor.wait() }
    }
  }

  func close() {
    monitor.withLock {
      isClosed = true
      monitor.wake()
    }
    thread?.join()
    thread = nil
  }
}

extension SoundError {
  static var noThread: SoundError { SoundError("the system has no thread left for the sound") }
}
