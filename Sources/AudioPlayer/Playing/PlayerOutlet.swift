internal import AudioIO
internal import AudioModel
import Glibc

/// The output of a player, with the queue before it.
final class PlayerOutlet {
  private let player: Player
  private let request: PlayerOutput
  private var volume: Volume
  private(set) var output: (any SoundOutput)?
  private(set) var queue: SoundQueue?
  /// The request with which the output was opened.
  private var asked: AudioSpec?
  private var isStarted = false
  private var isPaused = false
  private var earlierUnderruns = 0
  /// The amount that the next output holds, as a multiple of the usual.
  private var growth: Int
  /// Counts the outputs, so that an event of an earlier one is known.
  private(set) var number = 0

  /// The length of the queue in seconds: short, because a change of rate is heard after it.
  private static var queueSeconds: Double { 0.05 }
  /// The seconds that an output may give back: more than its greatest latency.
  private static var keptSeconds: Double { 1.5 }
  /// The latency up to which what an output holds is heard before other sound, so that a fade leads from one to the other.
  /// To discard it, a device is stopped, which is heard as a click.
  private static var patienceSeconds: Double { 0.15 }

  init(_ player: Player, _ request: PlayerOutput, volume: Volume) {
    self.player = player
    self.request = request
    self.volume = volume
    growth = request.firstGrowth
  }

  var isFixed: Bool { request.isFixed }
  /// True if jumps are faded: a file gets the samples as they are.
  var fades: Bool { !isFixed }

  /// Frames of the output that were heard since it began, or since the last ``discard()``.
  var heardFrames: Int {
    guard let queue, let output else { return abandoned }
    if !isStarted { return 0 }
    // The output may take frames between the two questions.
    var delivered = queue.delivered
    while true {
      // Silence after a fade was not counted.
      let queued = output.queuedFrames - (queue.silentFrames ?? 0)
      let now = queue.delivered
      if now == delivered { return max(0, now - max(0, queued)) }
      delivered = now
    }
  }

  /// The frames that were heard when the output was given up.
  private var abandoned = 0

  var underrunCount: Int { earlierUnderruns + (output?.underrunCount ?? 0) }

  /// Opens an output for such samples, unless one for them is open. `false` if that is not possible.
  func open(for spec: AudioSpec) throws(SoundError) -> Bool {
    if output != nil, isFixed || asked == spec { return true }
    fadeOut()
    close()
    let output = try request.open(spec, growth)
    let taken = output.spec
    let player = player
    let queue = SoundQueue(
      channelCount: taken.channelCount, sampleRate: taken.sampleRate, capacity: capacity(taken),
      keeping: fades ? Int(Double(taken.sampleRate) * Self.keptSeconds) : 0, volume: volume,
      wakesProducer: { player.wakeUp() })
    (self.output, self.queue, asked) = (output, queue, spec)
    lastDelivery = (0, SoundMonitor.now)
    number += 1
    player.publish(queue)
    player.report(.opened(output.name, taken))
    return true
  }

  /// The most frames that wait for an output.
  private func capacity(_ spec: AudioSpec) -> Int {
    max(2048, Int(Double(spec.sampleRate * growth) * Self.queueSeconds))
  }

  /// The frames that the output had accepted when that last changed, or when there was nothing to accept, and the time.
  private var lastDelivery = (frames: 0, time: 0.0)
  private static var stallSeconds: Double { 1 }

  /// True if the output accepted frames after the last ``stall(since:)``.
  var hasDelivered: Bool { queue.map { $0.deliveredInAll != lastDelivery.frames } ?? false }

  /// The sentence of an output that has accepted nothing for a second, and since `start`, though there is sound; `nil` if
  /// it accepts some.
  func stall(since start: Double) -> String? {
    guard let output, let queue, isStarted, !isPaused, !isFixed else { return nil }
    let (now, frames) = (SoundMonitor.now, queue.deliveredInAll)
    if frames != lastDelivery.frames || queue.filled == 0 { lastDelivery = (frames, now) }
    return now - max(start, lastDelivery.time) < Self.stallSeconds ? nil : output.stallMessage
  }

  /// Begins to play once the queue has something.
  func startIfNeeded(isPlaying: Bool) {
    guard let output, let queue, !isStarted, isPlaying, queue.filled > 0 else { return }
    isStarted = true
    let (player, number) = (player, number)
    attempt { () throws(SoundError) in
      try output.start(
        delivering: { queue.deliver(into: $0) },
        onEvent: { player.post(.output(number, $0)) })
    }
  }

  func pause() {
    guard let output, let queue, isStarted, !isPaused else { return }
    let isFaded = fadeOut()
    isPaused = true
    attempt { () throws(SoundError) in
      try output.pause()
      if isFaded { queue.putBack(try output.discard()) }
    }
    queue.hold(false)
  }

  func resume() {
    guard let output, let queue, isStarted, isPaused else { return }
    isPaused = false
    queue.fade(out: false)
    attempt { () throws(SoundError) in try output.resume() }
  }

  /// Fades out what is heard, and waits until that was heard; then the queue is held. `false` if nothing is heard, or the
  /// output does not fade.
  @discardableResult
  func fadeOut() -> Bool {
    guard fades, let output, let queue, isStarted, !isPaused else { return false }
    let queued = output.queuedFrames
    guard queued > 0 || queue.filled > 0 else { return false }
    let latency = output.spec.seconds(frames: queued)
    queue.hold(true)
    if latency > Self.patienceSeconds {
      attempt { () throws(SoundError) in queue.putBack(try output.discard()) }
    }
    queue.fade(out: true)
    queue.hold(false)
    // An output that accepts nothing any more is not waited for.
    let end = SoundMonitor.now + min(latency, Self.patienceSeconds) + 0.1
    while SoundMonitor.now < end {
      if let silent = queue.silentFrames, output.queuedFrames <= silent { break }
      usleep(2000)
    }
    queue.hold(true)
    return true
  }

  /// Takes back what is queued here, and in the output if that is much, so that other sound can follow. Nothing is
  /// delivered until ``release()``.
  ///
  /// - Returns: The samples that would have followed, from which the other sound fades.
  func takeBack() -> [Float] {
    guard let output, let queue else { return [] }
    queue.hold(true)
    defer { queue.clear() }
    guard isStarted else { return [] }
    let isLong = output.spec.seconds(frames: output.queuedFrames) > Self.patienceSeconds
    if isLong || isPaused || !fades {
      attempt { () throws(SoundError) in _ = try output.discard() }
    }
    if !fades { return [] }
    if isPaused {
      queue.silence()
      return []
    }
    let count = Int((SoundQueue.fadeSeconds * Double(output.spec.sampleRate)).rounded())
    // A device that was stopped goes on from silence, as one at the end of a sound.
    let following = isLong ? [] : queue.following(count)
    return following + Array(repeating: 0, count: count * queue.channelCount - following.count)
  }

  /// Delivers again.
  func release() { queue?.hold(false) }

  /// Returns when everything was heard.
  func drain() {
    guard let output, isStarted else { return }
    attempt { () throws(SoundError) in try output.drain() }
  }

  func set(_ volume: Volume) {
    self.volume = volume
    queue?.set(volume)
  }

  /// Has the output hold twice as much, or if it cannot, the next one; returns the multiple, `nil` if that is the most
  /// already, and whether the open output grows.
  func grow() -> (growth: Int?, isInPlace: Bool) {
    guard growth < request.mostGrowth else { return (nil, false) }
    growth *= 2
    guard let output, let queue, output.grow() else { return (growth, false) }
    queue.grow(to: capacity(output.spec))
    return (growth, true)
  }

  /// Gives up an output that is lost.
  func abandon() {
    guard let output, let queue else { return }
    let unheard = (try? output.discard()) ?? output.queuedFrames
    abandoned = max(0, queue.delivered - unheard)
    close()
  }

  func close() {
    earlierUnderruns += output?.underrunCount ?? 0
    output?.close()
    (output, queue, isStarted, isPaused) = (nil, nil, false, false)
    number += 1
    player.publish(nil)
  }

  /// An output that fails is lost.
  private func attempt(_ work: () throws(SoundError) -> Void) {
    do throws(SoundError) {
      try work()
    } catch {
      player.report(.silenced(error))
      player.post(.output(number, .lost(output?.name ?? "")))
    }
  }
}
