internal import AudioIO
internal import Dispatch

/// Samples between the thread that decodes and the thread of the output: bounded, interleaved.
///
/// Its lock is held only while samples are copied. Volume is applied on the way out, so that it is heard at once.
final class SoundQueue: Sendable {
  let channelCount: Int
  /// The most frames it holds.
  let capacity: Int
  private let state: Locked<SoundQueueState>
  private let wakesProducer: @Sendable () -> Void

  /// A queue; `wakesProducer` is called from the output's thread when there is much room.
  init(
    channelCount: Int, sampleRate: Int, capacity: Int, volume: Volume,
    wakesProducer: @escaping @Sendable () -> Void
  ) {
    self.channelCount = channelCount
    self.capacity = capacity
    self.wakesProducer = wakesProducer
    state = Locked(
      SoundQueueState(
        channelCount: channelCount, capacity: capacity, rampFrames: max(1, sampleRate / 100),
        gain: volume.gain))
  }

  deinit { state.withLock { $0.samples.deallocate() } }

  /// The number of frames for which there is room.
  var room: Int { state.withLock { capacity - $0.filled } }
  /// The number of frames that the output took since the start or the last ``clear()``.
  var delivered: Int { state.withLock { $0.delivered } }
  /// The number of frames that were written since then.
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

  /// Drops what waits, and counts deliveries from 0 again.
  func clear() {
    state.withLock { state in
      (state.filled, state.first, state.delivered) = (0, 0, 0)
    }
  }

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
  /// The factor of every sample, 0 to 1.
  package var level: Double
  package var isMuted: Bool

  package init(level: Double = 1, isMuted: Bool = false) {
    self.level = min(max(level, 0), 1)
    self.isMuted = isMuted
  }

  var gain: Float { isMuted ? 0 : Float(level) }
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
  let capacity: Int
  let samples: UnsafeMutablePointer<Float>
  /// The place of the oldest frame, and the number of frames.
  var first = 0
  var filled = 0
  var delivered = 0
  var levels: [ChannelLevel]
  var gain: Float
  var targetGain: Float
  private let gainStep: Float

  init(channelCount: Int, capacity: Int, rampFrames: Int, gain: Float) {
    self.channelCount = channelCount
    self.capacity = capacity
    samples = .allocate(capacity: capacity * channelCount)
    samples.initialize(repeating: 0, count: capacity * channelCount)
    levels = Array(repeating: ChannelLevel(), count: channelCount)
    self.gain = gain
    targetGain = gain
    gainStep = 1 / Float(rampFrames)
  }

  mutating func write(_ frames: UnsafeBufferPointer<Float>) -> Int {
    guard let source = frames.baseAddress else { return 0 }
    let count = min(frames.count / channelCount, capacity - filled)
    let start = (first + filled) % capacity
    let part = min(count, capacity - start)
    (samples + start * channelCount).update(from: source, count: part * channelCount)
    samples.update(
      from: source + part * channelCount, count: (count - part) * channelCount)
    filled += count
    return count
  }

  mutating func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let target = buffer.baseAddress else { return 0 }
    let count = min(buffer.count / channelCount, filled)
    let part = min(count, capacity - first)
    copy(samples + first * channelCount, to: target, count: part)
    copy(samples, to: target + part * channelCount, count: count - part)
    first = (first + count) % capacity
    filled -= count
    delivered += count
    return count
  }

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
      for channel in 0..<channelCount {
        // A comparison with NaN is false.
        let value = source[index] * gain
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
