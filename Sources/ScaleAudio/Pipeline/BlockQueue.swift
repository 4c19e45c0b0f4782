/// Blocks on their way from one stage to the next, which may be on another thread: only so many, whose
/// memory is used again.
///
/// One stage puts blocks in and one takes them out. A queue that was filled up has no room until half of
/// its blocks have come back, so that threads do not wake each other for every block.
final class BlockQueue<Sample: PCMSample>: Sendable {
  typealias Block = SampleBlock<Sample>

  /// What there is for the stage that takes blocks out.
  enum Delivery {
    case block(Block)
    /// There will be more.
    case nothingYet
    /// There will be none.
    case end
  }

  private struct State {
    /// Blocks that are in nobody's hands; the one used last is the first to be used again.
    var blank: [Block] = []
    /// Blocks to be taken out, in their order.
    var filled: [Block] = []
    /// Blocks that were made so far, wherever they are.
    var count = 0
    var isThrottled = false
    var isClosed = false
    /// Why it was closed before its time.
    var failure: ConversionError?
  }

  private let capacity: Int
  private let samplesInBlock: Int
  private let state = Locked(State())

  /// A queue of up to `capacity` blocks, each with room for so many samples, over all channels.
  init(capacity: Int, samplesInBlock: Int) {
    self.capacity = max(1, capacity)
    self.samplesInBlock = samplesInBlock
  }

  // MARK: The stage that puts blocks in

  /// Whether ``blank()`` gives a block.
  var hasRoom: Bool { state.withLock { !$0.isThrottled } }

  /// A block to be filled, and then put in or given back; `nil` while there is no room.
  func blank() -> Block? {
    state.withLock { state in
      if state.isThrottled { return nil }
      if state.blank.isEmpty {
        state.blank.append(SampleBlock(sampleCount: samplesInBlock))
        state.count += 1
      }
      let block = state.blank.removeLast()
      state.isThrottled = state.count == capacity && state.blank.isEmpty
      return block
    }
  }

  /// Puts a block behind the others.
  func put(_ block: Block) { state.withLock { $0.filled.append(block) } }

  /// Ends the queue behind the blocks in it: there are no more, or cannot be because of a failure.
  func close(failing failure: ConversionError? = nil) {
    state.withLock { state in
      state.isClosed = true
      state.failure = failure
    }
  }

  // MARK: The stage that takes blocks out

  /// Whether ``next()`` has anything to tell.
  var hasNews: Bool { state.withLock { !$0.filled.isEmpty || $0.isClosed } }

  /// Takes out the first block, to be given back; throws the failure that stands behind the last.
  func next() throws(ConversionError) -> Delivery {
    try state.withLock { (state) throws(ConversionError) in
      if !state.filled.isEmpty { return .block(state.filled.removeFirst()) }
      if let failure = state.failure { throw failure }
      return state.isClosed ? .end : .nothingYet
    }
  }

  /// Gives back a block that is done with, from either side.
  func giveBack(_ block: Block) {
    state.withLock { state in
      state.blank.append(block)
      if capacity - state.blank.count <= capacity / 2 { state.isThrottled = false }
    }
  }
}
