import SystemPackage
import Testing

@testable import ScaleAudio

@Suite("The queue of blocks")
struct BlockQueueTests {
  private func number(_ delivery: BlockQueue.Delivery) -> Int? {
    if case .block(let block) = delivery { block.frameCount } else { nil }
  }

  private func put(_ number: Int, into queue: BlockQueue) throws {
    let block = try #require(queue.blank())
    block.frameCount = number
    queue.put(block)
  }

  @Test func blocksComeOutInTheirOrder() throws {
    let queue = BlockQueue(capacity: 3, bytesInBlock: 20)
    #expect(!queue.hasNews)
    for number in 1...3 { try put(number, into: queue) }
    #expect(queue.hasNews)
    #expect(number(try queue.next()) == 1)
    #expect(number(try queue.next()) == 2)
    #expect(number(try queue.next()) == 3)
    #expect(!queue.hasNews)
    guard case .nothingYet = try queue.next() else {
      Issue.record("there is nothing in it, and it is not closed")
      return
    }
  }

  @Test(arguments: 1...7)
  func aFullQueueHasRoomAgainWhenHalfEmpty(capacity: Int) throws {
    let queue = BlockQueue(capacity: capacity, bytesInBlock: 20)
    for number in 1...capacity {
      #expect(queue.hasRoom)
      try put(number, into: queue)
    }
    #expect(!queue.hasRoom)
    #expect(queue.blank() == nil)
    for back in 1...capacity {
      guard case .block(let block) = try queue.next() else {
        Issue.record("there is a block")
        return
      }
      queue.giveBack(block)
      #expect(queue.hasRoom == (capacity - back <= capacity / 2))
    }
  }

  @Test func memoryIsReused() throws {
    let queue = BlockQueue(capacity: 2, bytesInBlock: 20)
    var seen: Set<ObjectIdentifier> = []
    for _ in 0..<100 {
      let block = try #require(queue.blank())
      #expect(block.byteCount == 20 && block.samples(of: Int16.self).count == 10)
      seen.insert(ObjectIdentifier(block))
      queue.put(block)
      guard case .block(let same) = try queue.next() else {
        Issue.record("there is a block")
        return
      }
      queue.giveBack(same)
    }
    // A reader that keeps up needs only one block.
    #expect(seen.count == 1)
  }

  @Test func theEndFollowsTheBlocks() throws {
    let queue = BlockQueue(capacity: 2, bytesInBlock: 20)
    try put(1, into: queue)
    queue.close()
    #expect(number(try queue.next()) == 1)
    #expect(queue.hasNews)
    guard case .end = try queue.next() else {
      Issue.record("it was closed")
      return
    }
  }

  @Test func failuresFollowTheBlocks() throws {
    let queue = BlockQueue(capacity: 2, bytesInBlock: 20)
    try put(1, into: queue)
    queue.close(failing: .cancelled)
    #expect(number(try queue.next()) == 1)
    #expect(queue.hasNews)
    #expect(throws: ConversionError.cancelled) { _ = try queue.next() }
  }
}
