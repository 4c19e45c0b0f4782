import TestSupport
import Testing

@testable import ScaleAudioRuns

@Suite("Dividing lines among shards")
struct PartitionTests {
  /// Lines by descending weight, then by number, each to the least loaded shard: written from its definition.
  private func expected(_ weights: [Int], _ count: Int) -> [Int] {
    var loads = Array(repeating: 0, count: count)
    var lines = Array(repeating: 0, count: count)
    var shards = Array(repeating: 0, count: weights.count)
    let order = weights.indices.sorted {
      weights[$0] != weights[$1] ? weights[$0] > weights[$1] : $0 < $1
    }
    for line in order {
      var best = 0
      for shard in 1..<max(1, count)
      where loads[shard] < loads[best] || loads[shard] == loads[best] && lines[shard] < lines[best]
      {
        best = shard
      }
      loads[best] += weights[line]
      lines[best] += 1
      shards[line] = best
    }
    return shards
  }

  @Test(arguments: [1, 2, 3, 7, 64, 500])
  func eachLineGoesToTheSmallestShard(count: Int) {
    var dice = SystemRandomNumberGenerator()
    let weights = (0..<400).map { _ in Int.random(in: 0...50, using: &dice) }
    let partition = Partition(weights, shards: count)
    #expect(partition.shards.map(Int.init) == expected(weights, count))
    for shard in 0..<count {
      let load = zip(weights, partition.shards).filter { Int($0.1) == shard }.map(\.0).reduce(0, +)
      #expect(partition.loads[shard] == load)
    }
  }

  @Test func theLargestShardIsWithinGrahamsBound() {
    let weights = (1...1000).map { $0 * 7919 % 997 }
    let partition = Partition(weights, shards: 12)
    let best = max(weights.max() ?? 0, (weights.reduce(0, +) + 11) / 12)
    #expect((partition.loads.max() ?? 0) * 3 <= best * 4)
  }

  @Test func linesWithoutWeightAreSpreadEvenly() {
    let partition = Partition(Array(repeating: 0, count: 10), shards: 4)
    let counts = (0..<4).map { shard in partition.shards.count { $0 == shard } }
    #expect(counts.sorted() == [2, 2, 3, 3])
  }

  @Test func emptyListsAreDivided() {
    #expect(Partition([], shards: 3).loads == [0, 0, 0])
  }
}
