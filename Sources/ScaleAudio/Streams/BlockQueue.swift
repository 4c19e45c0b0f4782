internal import AudioIO
internal import AudioModel

/// Blocks on their way from one stage to the next, which may run on another thread. Their number is
/// limited, and their memory is reused.
///
/// One stage puts blocks in and one takes them out. A full queue has no room until half of its blocks have been
/// given back, so that threads do not wake each other for every block.
final class BlockQueue: Sendable {
  /// The result of taking a block out.
  enum Delivery {
    case block(Block)
    /// Empty now, with more to come.
    case nothingYet
    /// Empty, with no more to come.
    case end
  }

  private struct State {
    /// Blocks that no stage has; the one used last is reused first.
    var blank: [Block] = []
    /// Blocks to be taken out, in order.
    var filled: [Block] = []
    /// The number of blocks created so far.
    var count = 0
    var isThrottled = false
    var isClosed = false
    /// Why the queue was closed early.
    var failure: ConversionError?
  }

  private let capacity: Int
  private let bytesInBlock: Int
  private let state = Locked(State())

  /// A queue of up to `capacity` blocks of `bytesInBlock` bytes.
  init(capacity: Int, bytesInBlock: Int) {
    self.capacity = max(1, capacity)
    self.bytesInBlock = bytesInBlock
  }

  // MARK: The stage that puts blocks in

  /// Whether ``blank()`` returns a block.
  var hasRoom: Bool { state.withLock { !$0.isThrottled } }

  /// A block to fill and then put in or give back; `nil` while the queue has no room.
  func blank() -> Block? {
    state.withLock { state in
      if state.isThrottled { return nil }
      if state.blank.isEmpty {
        state.blank.append(Block(byteCount: bytesInBlock))
        state.count += 1
      }
      let block = state.blank.removeLast()
      state.isThrottled = state.count == capacity && state.blank.isEmpty
      return block
    }
  }

  /// Adds a block at the end.
  func put(_ block: Block) { state.withLock { $0.filled.append(block) } }

  /// Ends the queue after the blocks in it, because the input has ended or because of a failure.
  func close(failing failure: ConversionError? = nil) {
    state.withLock { state in
      state.isClosed = true
      state.failure = failure
    }
  }

  // MARK: The stage that takes blocks out

  /// Whether ``next()`` returns anything but ``Delivery/nothingYet``.
  var hasNews: Bool { state.withLock { !$0.filled.isEmpty || $0.isClosed } }

  /// Takes out the first block, which must be given back; after the last block, throws the failure.
  func next() throws(ConversionError) -> Delivery {
    try state.withLock { (state) throws(ConversionError) in
      if !state.filled.isEmpty { return .block(state.filled.removeFirst()) }
      if let failure = state.failure { throw failure }
      return state.isClosed ? .end : .nothingYet
    }
  }

  /// Gives back a block that is no longer needed, from either side.
  func giveBack(_ block: Block) {
    state.withLock { state in
      state.blank.append(block)
      if capacity - state.blank.count <= capacity / 2 { state.isThrottled = false }
    }
  }
}
