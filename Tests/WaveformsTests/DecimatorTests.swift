import Testing
import Waveforms

@Suite("Decimation")
struct DecimatorTests {
  private func reduced(_ values: [Double], to count: Int, cut: Int = .max) -> [Double] {
    var decimator = Decimator(total: values.count, count: count)
    var rest = values[...]
    while !rest.isEmpty {
      decimator.append(Array(rest.prefix(cut)).span)
      rest = rest.dropFirst(cut)
    }
    return decimator.values
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 11, Int.max]) func theExamples(cut: Int) {
    #expect(reduced([3, 2, 1, 2, 2, 1, 7, 1, 5, 1, 4], to: 2, cut: cut) == [2, 3])
    #expect(reduced([3, 2, 1, 2, 2, 1, 7], to: 2, cut: cut) == [2, 5.0 / 3])
  }
}
