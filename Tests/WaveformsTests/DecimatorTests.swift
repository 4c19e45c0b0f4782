import TestSupport
import Testing
import Waveforms

@Suite("Decimation")
struct DecimatorTests {
  /// The output of a decimator for values in blocks of these sizes, repeatedly.
  private func reduced(
    _ values: [Double], to count: Int, _ method: Decimator.Method = .mean, blocks: [Int]
  ) -> [Double] {
    var decimator = Decimator(total: values.count, count: count, method: method)
    for block in values.cut(into: blocks) { decimator.append(block.span) }
    return decimator.values
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 11]) func theExamples(block: Int) {
    #expect(reduced([3, 2, 1, 2, 2, 1, 7, 1, 5, 1, 4], to: 2, blocks: [block]) == [2, 3])
    #expect(reduced([3, 2, 1, 2, 2, 1, 7], to: 2, blocks: [block]) == [2, 5.0 / 3])
    #expect(reduced([3, 2, 1, 2, 2, 1, 7], to: 2, .first, blocks: [block]) == [3, 2])
  }

  @Test func edges() {
    #expect(reduced([], to: 3, blocks: [1]) == [])
    #expect(reduced([4, 5], to: 0, blocks: [1]) == [])
    // Fewer values than asked for stay as they are.
    #expect(reduced([4, 5], to: 9, blocks: [1]) == [4, 5])
    #expect(reduced([4, 5, 6], to: 2, blocks: [3]) == [4, 5])
  }

  /// Against the definition, over whole arrays.
  @Test(arguments: [Decimator.Method.mean, .first]) func blockSizesChangeNothing(
    method: Decimator.Method
  ) {
    var random = SeededNumbers(seed: 1)
    for _ in 0..<100 {
      let values = (0..<Int.random(in: 1...700, using: &random)).map { _ in
        Double.random(in: -90...0, using: &random)
      }
      let count = Int.random(in: 1...40, using: &random)
      let size = max(1, values.count / count)
      let expected = (0..<min(count, values.count / size)).map { group -> Double in
        let part = values[group * size..<(group + 1) * size]
        return method == .first ? part.first ?? 0 : part.reduce(0, +) / Double(size)
      }
      let blocks = (0..<5).map { _ in Int.random(in: 1...90, using: &random) }
      #expect(reduced(values, to: count, method, blocks: blocks) == expected, "\(blocks)")
    }
  }
}

extension Array {
  /// The elements in blocks of these sizes, over and over.
  func cut(into sizes: [Int]) -> [[Element]] {
    var (blocks, next, number): ([[Element]], Int, Int) = ([], 0, 0)
    while next < count {
      let end = Swift.min(count, next + sizes[number % sizes.count])
      blocks.append(Array(self[next..<end]))
      (next, number) = (end, number + 1)
    }
    return blocks
  }
}
