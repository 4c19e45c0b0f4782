/// Lines divided among shards: the heaviest first, each to the least loaded shard.
///
/// Source: R. L. Graham, "Bounds on Multiprocessing Timing Anomalies" (1969): at most 4/3 of the optimum. Among equal
/// weights, the earlier line comes first; among equally loaded shards, the one with fewer lines, then the one with
/// the lower number. The arithmetic is in integers, so the result is the same everywhere.
struct Partition {
  /// The shard of each line, from 0.
  private(set) var shards: [Int32]
  /// The weight of each shard.
  private(set) var loads: [Int]

  /// Divides lines of these weights.
  init(_ weights: [Int], shards count: Int) {
    shards = Array(repeating: 0, count: weights.count)
    loads = Array(repeating: 0, count: count)
    var order = weights.indices.map { Int32($0) }
    order.sort { (weights[Int($1)], $0) < (weights[Int($0)], $1) }
    var heap = (0..<count).map { Shard(load: 0, lines: 0, number: Int32($0)) }
    for line in order {
      let number = Int(heap[0].number)
      shards[Int(line)] = heap[0].number
      heap[0].load = heap[0].load &+ weights[Int(line)]
      heap[0].lines += 1
      loads[number] = heap[0].load
      Self.sink(&heap)
    }
  }

  private struct Shard {
    var load: Int
    var lines: Int32
    let number: Int32

    static func < (one: Shard, other: Shard) -> Bool {
      (one.load, one.lines, one.number) < (other.load, other.lines, other.number)
    }
  }

  /// Moves the first element of a heap, ordered by the least element, to its place.
  private static func sink(_ heap: inout [Shard]) {
    var place = 0
    while true {
      let left = 2 * place + 1
      guard left < heap.count else { return }
      let right = left + 1
      let least = right < heap.count && heap[right] < heap[left] ? right : left
      guard heap[least] < heap[place] else { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}
