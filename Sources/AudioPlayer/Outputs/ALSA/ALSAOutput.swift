internal import AudioModel
internal import CALSA
import Glibc

/// An output to a device of ALSA.
final class ALSAOutput: SoundOutput, @unchecked Sendable {
  let spec: AudioSpec
  let name: String
  var underrunCount: Int { monitor.withLock { underruns } }
  var queuedFrames: Int { monitor.withLock { waitingFrames + deviceFrames } }

  private let monitor = SoundMonitor()
  private let device: ALSADevice
  private let channels: Int
  private var samples: ALSASamples
  /// The last frames delivered, in a circle: what the device had not played when it stopped is written again.
  private let history: UnsafeMutableBufferPointer<Float>
  private let historyFrames: Int
  private var deliveredFrames = 0
  /// The newest frames of the history that the device does not hold.
  private var waitingFrames = 0
  private var thread: SoundThread?
  private var onEvent: (@Sendable (SoundEvent) -> Void)?
  private var underruns = 0
  private var isPaused = false
  private var isDraining = false
  private var isClosed = false
  private var isLost = false
  private var isSuspended = false

  /// Opens a device of this name, or the default one.
  convenience init(
    device: String?, spec: AudioSpec, latency: Double
  ) throws(SoundError) {
    let name = device ?? "default"
    self.init(try ALSADevice(name, spec: spec, latency: latency), name: name)
  }

  /// An output to an open device.
  init(_ device: ALSADevice, name: String) {
    self.device = device
    self.name = name
    spec = device.spec
    channels = self.spec.channelCount
    historyFrames = self.device.bufferFrames + self.device.periodFrames
    history = .allocate(capacity: historyFrames * channels)
    history.initialize(repeating: 0)
    samples = ALSASamples(self.device.format, capacity: self.device.periodFrames * channels)
  }

  deinit {
    close()
    history.deallocate()
  }

  func start(
    delivering deliver: @escaping @Sendable (UnsafeMutableBufferPointer<Float>) -> Int,
    onEvent: @escaping @Sendable (SoundEvent) -> Void
  ) throws(SoundError) {
    self.onEvent = onEvent
    guard let thread = SoundThread({ [self] in run(deliver) }) else { throw .noThread }
    self.thread = thread
  }

  private func run(_ deliver: (UnsafeMutableBufferPointer<Float>) -> Int) {
    monitor.withLock {
      while !isClosed {
        if isPaused || isLost {
          monitor.wait()
          continue
        }
        // A device without a clock always has room; others then get their turn.
        let isBusy = step(deliver)
        monitor.wait(seconds: isBusy ? 0 : device.pollSeconds)
      }
    }
  }

  /// Writes a period if the device has room for it; returns whether it may have room for more.
  private func step(_ deliver: (UnsafeMutableBufferPointer<Float>) -> Int) -> Bool {
    let room = device.room()
    guard room >= 0 else {
      recover(from: room)
      return false
    }
    if waitingFrames > 0 { return write(room) }
    guard room >= device.periodFrames else { return false }
    // Up to the end of the circle.
    let start = deliveredFrames % historyFrames
    let frames = min(device.periodFrames, historyFrames - start)
    let count = deliver(
      UnsafeMutableBufferPointer(
        rebasing: history[(start * channels)..<((start + frames) * channels)]))
    deliveredFrames += count
    waitingFrames += count
    if count > 0 { return write(room) }
    if isDraining {
      isDraining = false
      monitor.wake()
    }
    return false
  }

  /// Writes of the waiting frames what the device has room for.
  private func write(_ room: Int) -> Bool {
    let start = (deliveredFrames - waitingFrames) % historyFrames
    let frames = min(waitingFrames, room, device.periodFrames, historyFrames - start)
    guard frames > 0 else { return false }
    let part = UnsafeBufferPointer(
      rebasing: history[(start * channels)..<((start + frames) * channels)])
    let written = samples.withConverted(part) { device.write($0, frames: frames) }
    guard written >= 0 else {
      if written == -Int(EAGAIN) { return false }
      recover(from: written)
      return false
    }
    waitingFrames -= written
    return written > 0
  }

  /// The frames that the device holds and has not played.
  private var deviceFrames: Int {
    isPaused || isLost ? 0 : min(device.delay, deliveredFrames - waitingFrames)
  }

  private func recover(from code: Int) {
    switch -Int32(truncatingIfNeeded: code) {
    case EPIPE:
      if !isDraining { underruns += 1 }
      if device.prepare() < 0 { lose() }
    case ESTRPIPE:
      if !isSuspended {
        isSuspended = true
        onEvent?(.suspended(true))
      }
      let status = device.wakeUp()
      if status == -EAGAIN { return }
      // A device that cannot continue starts again at its position.
      if status < 0, device.prepare() < 0 { return lose() }
      isSuspended = false
      onEvent?(.suspended(false))
    case EAGAIN, EINTR: break
    default: lose()
    }
  }

  private func lose() {
    isLost = true
    isDraining = false
    monitor.wake()
    onEvent?(.lost(name))
  }

  /// Stops the device, and keeps what it had not played.
  private func stop() {
    let unheard = deviceFrames
    device.drop()
    waitingFrames += unheard
  }

  func pause() throws(SoundError) {
    try monitor.withLock { () throws(SoundError) in
      if isLost { throw lost }
      if isPaused { return }
      stop()
      isPaused = true
    }
  }

  func resume() throws(SoundError) {
    try monitor.withLock { () throws(SoundError) in
      if isLost { throw lost }
      guard isPaused else { return }
      try goOn()
      isPaused = false
      monitor.wake()
    }
  }

  private func goOn() throws(SoundError) {
    if device.prepare() < 0 {
      lose()
      throw lost
    }
  }

  func discard() throws(SoundError) -> Int {
    try monitor.withLock { () throws(SoundError) in
      if !isPaused, !isLost {
        stop()
        try goOn()
      }
      defer { waitingFrames = 0 }
      return waitingFrames
    }
  }

  func drain() throws(SoundError) {
    try resume()
    try monitor.withLock { () throws(SoundError) in
      guard thread != nil else { return }
      isDraining = true
      monitor.wake()
      while isDraining { monitor.wait() }
      if isLost { throw lost }
      device.drain()
      try goOn()
    }
  }

  func close() {
    monitor.withLock {
      isClosed = true
      monitor.wake()
    }
    thread?.join()
    thread = nil
    device.close()
  }

  private var lost: SoundError {
    SoundError("\(name): the sound device is gone", remedy: .act("choose another device"))
  }
}
