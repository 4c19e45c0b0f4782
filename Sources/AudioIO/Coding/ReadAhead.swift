public import AudioModel
internal import Dispatch

/// Reads a stream ahead of its consumer, on another core while one is free.
///
/// Without a free core, the consumer reads each block itself, so one thread works through a chain of streams block by
/// block. Several threads share the work. The frames are the same in both cases. While a consumer waits for a block
/// that another thread reads, it reads ahead in the streams before it.
package final class ReadAhead: FrameStream, @unchecked Sendable {
  private struct State: Sendable {
    /// Blocks to be delivered, in order.
    var filled: [Block] = []
    /// Blocks to be filled; the one used last is reused first.
    var blank: [Block] = []
    /// True while a thread reads from the stream.
    var isReading = false
    /// True while a thread helps, or was asked to.
    var hasHelper = false
    var isConsumerWaiting = false
    var isStopped = false
    var hasEnded = false
    /// The error that follows the blocks.
    var failure: AudioFileError?
  }

  /// The result of a consumer's request.
  private enum Delivery {
    case block(Block)
    case end
    case failure(AudioFileError)
    /// Nothing has been read ahead.
    case nothing
  }

  private let input: any FrameStream
  private let format: SampleFormat
  private let blockSamples: Int
  private let capacity: Int
  private let budget: CoreBudget
  /// The nearest stream before this one that reads ahead.
  private let previous: ReadAhead?
  private let state = Locked(State())
  /// Wakes the consumer.
  private let alarm = DispatchSemaphore(value: 0)
  /// The first frame of `rest` that is not delivered yet, after a read of fewer frames.
  private var delivered = 0
  private var rest: Block?

  /// Reads `input` ahead in blocks of samples of a type.
  ///
  /// - Parameters:
  ///   - blockSamples: The number of samples in a block, over all channels.
  ///   - previous: The nearest stream before this one that reads ahead; `nil` if there is none.
  ///   - capacity: The most blocks that are read ahead.
  package init(
    _ input: any FrameStream, as format: SampleFormat, blockSamples: Int,
    after previous: ReadAhead?,
    capacity: Int = 6, budget: CoreBudget = .shared
  ) {
    (self.input, self.format, self.blockSamples) = (input, format, blockSamples)
    (self.previous, self.capacity, self.budget) = (previous, max(1, capacity), budget)
  }

  package var source: SourceDescription { input.source }
  /// The samples of blocks that were read, delivered or not. Valid after ``stop()``.
  package var clipping: Clipping { input.clipping }
  package var nonFiniteSamples: Int { input.nonFiniteSamples }
  package var seeking: Seeking { input.seeking }

  /// Swaps the memory of `block` with a block that was read if both have the same size; otherwise copies.
  package func read(into block: Block) throws(AudioFileError) -> Int {
    if rest != nil || block.format != format || block.buffer.sampleCount != blockSamples {
      block.frameCount = try read(into: block.buffer)
      return block.frameCount
    }
    guard let next = try next() else {
      block.frameCount = 0
      return 0
    }
    block.exchange(next)
    giveBack(next)
    return block.frameCount
  }

  package func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let channels = input.spec.channelCount
    if rest == nil { (rest, delivered) = (try next(), 0) }
    guard let block = rest else { return 0 }
    let count = min(buffer.sampleCount / channels, block.frameCount - delivered)
    buffer.store(block, from: delivered * channels, count: count * channels, at: 0)
    delivered += count
    if delivered == block.frameCount {
      rest = nil
      giveBack(block)
    }
    return count
  }

  package func seek(toFrame frame: Int) throws(AudioFileError) {
    stop()
    if let rest { giveBack(rest) }
    rest = nil
    var failure: AudioFileError?
    do throws(AudioFileError) {
      try input.seek(toFrame: frame)
    } catch {
      failure = error
    }
    // Only now may a thread that helps read on.
    state.withLock { state in
      state.blank += state.filled
      state.filled = []
      (state.hasEnded, state.failure, state.isStopped) = (failure != nil, failure, false)
    }
    if let failure { throw failure }
  }

  /// Ends reading ahead, and waits for a block that is being read. Must be called before the stream is released.
  package func stop() {
    state.withLock { $0.isStopped = true }
    if budget.withdrawOffers(by: self) { state.withLock { $0.hasHelper = false } }
    while state.withLock({ state in
      state.isConsumerWaiting = state.isReading
      return state.isReading
    }) { alarm.wait() }
  }

  // MARK: - The consumer

  /// The next block, which must be given back; `nil` at the end.
  private func next() throws(AudioFileError) -> Block? {
    while true {
      let (delivery, needsHelp) = state.withLock { take(&$0) }
      if needsHelp { budget.offer(by: self) { [self] in help() } }
      switch delivery {
      case .block(let block): return block
      case .end: return nil
      case .failure(let error): throw error
      case .nothing:
        if readBlock() || previous?.readAheadOnce() == true { continue }
        let mustWait = state.withLock { state in
          state.isConsumerWaiting = state.isReading && state.filled.isEmpty
          return state.isConsumerWaiting
        }
        if mustWait { alarm.wait() }
      }
    }
  }

  private func take(_ state: inout State) -> (Delivery, needsHelp: Bool) {
    // Fewer wake-ups: another thread is asked only when half of the blocks are used up.
    let needsHelp =
      !state.hasHelper && !state.hasEnded && !state.isStopped && capacity > 1
      && state.filled.count <= capacity / 2
    if needsHelp { state.hasHelper = true }
    if !state.filled.isEmpty { return (.block(state.filled.removeFirst()), needsHelp) }
    if let failure = state.failure { return (.failure(failure), false) }
    return (state.hasEnded ? .end : .nothing, needsHelp)
  }

  private func giveBack(_ block: Block) { state.withLock { $0.blank.append(block) } }

  // MARK: - Reading ahead

  /// Reads a block here or in an earlier stream; `false` if there is no room or other threads are reading.
  private func readAheadOnce() -> Bool { readBlock() || previous?.readAheadOnce() == true }

  /// Reads blocks on another thread until there is no room or the core is needed elsewhere.
  private func help() {
    while !budget.isOverdrawn, readBlock() {}
    state.withLock { $0.hasHelper = false }
  }

  /// Reads the next block; `false` if there is no room, nothing is left, or another thread reads.
  private func readBlock() -> Bool {
    let block = state.withLock { state -> Block? in
      if state.isReading || state.hasEnded || state.isStopped || state.filled.count >= capacity {
        return nil
      }
      state.isReading = true
      return state.blank.popLast() ?? Block(format, sampleCount: blockSamples)
    }
    guard let block else { return false }
    var failure: AudioFileError?
    var count = 0
    do throws(AudioFileError) {
      count = try input.read(into: block)
    } catch {
      failure = error
    }
    let wakesConsumer = state.withLock { state in
      state.isReading = false
      if count > 0 {
        state.filled.append(block)
      } else {
        state.blank.append(block)
        (state.hasEnded, state.failure) = (true, failure)
      }
      defer { state.isConsumerWaiting = false }
      return state.isConsumerWaiting
    }
    if wakesConsumer { alarm.signal() }
    return true
  }
}
