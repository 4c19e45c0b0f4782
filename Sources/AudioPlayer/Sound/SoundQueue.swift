internal import AudioIO
internal import Dispatch

/// Samples between the thread that decodes and the thread of the output: bounded, interleaved.
///
/// Its lock is held only while samples are copied. Volume is applied on the way out, so that it is heard at once. What was
/// delivered last stays for a while, so that an output can give back what was not heard.
final class SoundQueue: Sendable {
  let channelCount: Int
  private let state: Locked<SoundQueueState>
  private let wakesProducer: @Sendable () -> Void

  /// A queue; `wakesProducer` is called from the output's thread when there is much room.
  ///
  /// - Parameter kept: The most delivered frames that it keeps.
  init(
    channelCount: Int, sampleRate: Int, capacity: Int, keeping kept: Int, volume: Volume,
    wakesProducer: @escaping @Sendable () -> Void
  ) {
    self.channelCount = channelCount
    self.wakesProducer = wakesProducer
    state = Locked(
      SoundQueueState(
        channelCount: channelCount, capacity: capacity, size: capacity + kept,
        sampleRate: sampleRate, gain: volume.gain))
  }

  deinit { state.withLock { $0.samples.deallocate() } }

  /// The number of frames for which there is room.
  var room: Int { state.withLock { max(0, $0.capacity - $0.filled) } }
  /// The number of frames that the output took since the start or the last ``clear()``.
  var delivered: Int { state.withLock { $0.delivered } }
  /// The number of frames that the output took since the queue was made; it never decreases.
  var deliveredInAll: Int { state.withLock { $0.deliveredInAll } }
  /// The number of frames that were written since the start or the last ``clear()``.
  var written: Int { state.withLock { $0.delivered + $0.filled } }
  /// The number of frames that wait for the output.
  var filled: Int { state.withLock { $0.filled } }

  /// Appends whole frames, as many as there is room for, and returns their number.
  func write(_ frames: UnsafeBufferPointer<Float>) -> Int {
    state.withLock { $0.write(frames) }
  }

  /// Fills a buffer of the output, and returns how many frames were there.
  func deliver(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    let (count, isLow) = state.withLock { state in
      let count = state.read(into: buffer)
      return (count, state.filled * 2 <= state.capacity)
    }
    if isLow { wakesProducer() }
    return count
  }

  /// Holds more frames from now on, and keeps as many fewer delivered ones.
  func grow(to capacity: Int) {
    state.withLock { $0.capacity = min(max($0.capacity, capacity), $0.size) }
  }

  /// Drops what waits and what was delivered, and counts deliveries from 0 again.
  func clear() {
    state.withLock { state in
      (state.filled, state.first, state.delivered, state.kept) = (0, 0, 0, 0)
    }
  }

  // MARK: - Jumps

  /// Delivers nothing, or goes on.
  func hold(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

  /// Puts back frames that were delivered last and not heard; silence among them is dropped first.
  func putBack(_ frames: Int) { state.withLock { $0.putBack(frames) } }

  /// The frames that are delivered next, at most so many, interleaved and without volume.
  func following(_ frames: Int) -> [Float] { state.withLock { $0.following(frames) } }

  /// Fades out or in, within ``SoundQueue/fadeSeconds``; silence follows a sound that has faded out.
  func fade(out isOut: Bool) { state.withLock { $0.fade(out: isOut) } }

  /// Falls silent at once, so that the sound can fade in.
  func silence() { state.withLock { $0.silence() } }

  /// The frames of silence that were delivered after the sound had faded out; `nil` before it has.
  var silentFrames: Int? { state.withLock { $0.isSilent ? $0.silentFrames : nil } }

  /// The time in which one sound gives way to another, or to silence.
  static var fadeSeconds: Double { 0.005 }

  /// Changes the volume, over 10 ms.
  func set(_ volume: Volume) { state.withLock { $0.targetGain = volume.gain } }

  /// The levels of what the output took since the last call.
  func takeLevels() -> [ChannelLevel] {
    state.withLock { state in
      let levels = state.levels
      for channel in levels.indices { state.levels[channel] = ChannelLevel() }
      return levels
    }
  }
}

/// How loud a player plays.
package struct Volume: Hashable, Sendable {
  /// The setting, 0 to 1; the factor of every sample is its cube, so that equal steps sound equal.
  package var level: Double
  package var isMuted: Bool

  package init(level: Double = 1, isMuted: Bool = false) {
    self.level = min(max(level, 0), 1)
    self.isMuted = isMuted
  }

  var gain: Float { isMuted ? 0 : Float(level * level * level) }
}

/// The level of a channel over some frames, full scale 1.
package struct ChannelLevel: Hashable, Sendable {
  /// The greatest magnitude.
  package var peak = 0.0
  /// The number of frames, and the sum of their squares.
  package var frameCount = 0
  package var squares = 0.0

  package init() {}

  /// The root of the mean square; 0 without frames.
  package var rms: Double {
    frameCount == 0 ? 0 : (squares / Double(frameCount)).squareRoot()
  }
}

/// The ring of samples behind the lock of a ``SoundQueue``.
private struct SoundQueueState: @unchecked Sendable {
  let channelCount: Int
  /// The most frames that wait.
  var capacity: Int
  /// The frames of the ring.
  let size: Int
  let samples: UnsafeMutablePointer<Float>
  /// The place of the oldest frame that waits, and the number of frames.
  var first = 0
  var filled = 0
  var delivered = 0
  private(set) var deliveredInAll = 0
  /// The delivered frames before ``first`` that are still there.
  var kept = 0
  var isHeld = false
  /// The gain of the fade, and where it goes.
  private var fade: Float = 1
  private var targetFade: Float = 1
  private let fadeStep: Float
  private(set) var silentFrames = 0
  var levels: [ChannelLevel]
  var gain: Float
  var targetGain: Float
  private let gainStep: Float

  init(channelCount: Int, capacity: Int, size: Int, sampleRate: Int, gain: Float) {
    self.channelCount = channelCount
    self.capacity = capacity
    self.size = size
    samples = .allocate(capacity: size * channelCount)
    samples.initialize(repeating: 0, count: size * channelCount)
    levels = Array(repeating: ChannelLevel(), count: channelCount)
    self.gain = gain
    targetGain = gain
    gainStep = 1 / Float(max(1, sampleRate / 100))
    fadeStep = 1 / Float(max(1, (SoundQueue.fadeSeconds * Double(sampleRate)).rounded()))
  }

  mutating func write(_ frames: UnsafeBufferPointer<Float>) -> Int {
    guard let source = frames.baseAddress else { return 0 }
    let count = min(frames.count / channelCount, max(0, capacity - filled))
    let start = (first + filled) % size
    let part = min(count, size - start)
    (samples + start * channelCount).update(from: source, count: part * channelCount)
    samples.update(
      from: source + part * channelCount, count: (count - part) * channelCount)
    filled += count
    kept = min(kept, size - filled)
    return count
  }

  mutating func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let target = buffer.baseAddress, !isHeld else { return 0 }
    let room = buffer.count / channelCount
    let fading = targetFade == 0 ? Int((fade / fadeStep).rounded(.up)) : room
    let count = min(room, filled, fading)
    let part = min(count, size - first)
    copy(samples + first * channelCount, to: target, count: part)
    copy(samples, to: target + part * channelCount, count: count - part)
    first = (first + count) % size
    filled -= count
    kept = min(kept + count, size - filled)
    delivered += count
    deliveredInAll += count
    guard targetFade == 0 else { return count }
    // The sound that was faded out has to be heard: some outputs wait until they have more.
    if count < fading, filled == 0 { fade = 0 }
    guard isSilent else { return count }
    (target + count * channelCount).update(repeating: 0, count: (room - count) * channelCount)
    silentFrames += room - count
    return room
  }

  var isSilent: Bool { fade == 0 && targetFade == 0 }

  mutating func putBack(_ frames: Int) {
    let silent = min(frames, silentFrames)
    silentFrames -= silent
    let count = min(frames - silent, kept)
    first = (first - count + size) % size
    filled += count
    kept -= count
    delivered -= count
    // Frames that were faded out and not heard are louder again.
    if targetFade == 0 { fade = min(1, fade + Float(count) * fadeStep) }
  }

  func following(_ frames: Int) -> [Float] {
    let count = min(frames, filled)
    let part = min(count, size - first)
    return Array(
      UnsafeBufferPointer(start: samples + first * channelCount, count: part * channelCount))
      + UnsafeBufferPointer(start: samples, count: (count - part) * channelCount)
  }

  mutating func fade(out isOut: Bool) {
    targetFade = isOut ? 0 : 1
    silentFrames = 0
  }

  mutating func silence() { (fade, targetFade, silentFrames) = (0, 0, 0) }

  /// Copies frames at the volume, within full scale; NaN becomes silence.
  private mutating func copy(
    _ source: UnsafeMutablePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    var index = 0
    for _ in 0..<count {
      if gain != targetGain {
        gain =
          gain < targetGain ? min(gain + gainStep, targetGain) : max(gain - gainStep, targetGain)
      }
      if fade != targetFade {
        fade = fade < targetFade ? min(fade + fadeStep, 1) : max(fade - fadeStep, 0)
      }
      let factor = gain * fade
      for channel in 0..<channelCount {
        // A comparison with NaN is false.
        let value = source[index] * factor
        let sample: Float = value >= -1 ? (value <= 1 ? value : 1) : (value < -1 ? -1 : 0)
        target[index] = sample
        let level = Double(sample)
        levels[channel].squares += level * level
        levels[channel].peak = max(levels[channel].peak, abs(level))
        index += 1
      }
    }
    for channel in 0..<channelCount { levels[channel].frameCount += count }
  }
}
