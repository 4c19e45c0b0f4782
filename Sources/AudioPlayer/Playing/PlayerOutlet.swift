internal import AudioIO
internal import AudioModel

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
  /// Counts the outputs, so that an event of an earlier one is known.
  private(set) var number = 0

  /// The length of the queue in seconds: short, because a change of rate is heard after it.
  private static var queueSeconds: Double { 0.05 }

  init(_ player: Player, _ request: PlayerOutput, volume: Volume) {
    self.player = player
    self.request = request
    self.volume = volume
  }

  var isFixed: Bool { request.isFixed }

  /// Frames of the output that were heard since it began, or since the last ``discard()``.
  var heardFrames: Int {
    guard let queue, let output else { return abandoned }
    if !isStarted { return 0 }
    // The output may take frames between the two questions.
    var delivered = queue.delivered
    while true {
      let queued = output.queuedFrames
      let now = queue.delivered
      if now == delivered { return max(0, now - queued) }
      delivered = now
    }
  }

  /// The frames that were heard when the output was given up.
  private var abandoned = 0

  var underrunCount: Int { earlierUnderruns + (output?.underrunCount ?? 0) }

  /// Opens an output for such samples, unless one for them is open. `false` if that is not possible.
  func open(for spec: AudioSpec) throws(SoundError) -> Bool {
    if output != nil, isFixed || asked == spec { return true }
    close()
    let output = try request.open(spec)
    let taken = output.spec
    let capacity = max(2048, Int(Double(taken.sampleRate) * Self.queueSeconds))
    let player = player
    let queue = SoundQueue(
      channelCount: taken.channelCount, sampleRate: taken.sampleRate, capacity: capacity,
      volume: volume, wakesProducer: { player.wakeUp() })
    (self.output, self.queue, asked) = (output, queue, spec)
    number += 1
    player.publish(queue)
    player.report(.opened(output.name, taken))
    return true
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
    guard let output, isStarted, !isPaused else { return }
    isPaused = true
    attempt { () throws(SoundError) in try output.pause() }
  }

  func resume() {
    guard let output, isStarted, isPaused else { return }
    isPaused = false
    attempt { () throws(SoundError) in try output.resume() }
  }

  /// Discards what is queued here and in the output.
  func discard() {
    guard let output, let queue else { return }
    queue.clear()
    if isStarted { attempt { () throws(SoundError) in _ = try output.discard() } }
    // The output may have taken frames in between.
    queue.clear()
  }

  /// Returns when everything was heard.
  func drain() {
    guard let output, isStarted else { return }
    attempt { () throws(SoundError) in try output.drain() }
  }

  func set(_ volume: Volume) {
    self.volume = volume
    queue?.set(volume)
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
