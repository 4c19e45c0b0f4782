import Testing
import TimeScaling

/// The definition at lengths without a span to map.
@Suite("Lengths at the edges")
struct LengthTests {
  @Test(arguments: ContractCase.resampling)
  func oneFrameInIsHeld(method: ContractCase) throws {
    for length in 1...5 {
      let output = try method.scaled([-0.321, 0.5], channels: 2, to: length, capacity: 2)
      #expect(output == (0..<length).flatMap { _ in [-0.321, 0.5] })
    }
  }

  @Test(arguments: ContractCase.resampling)
  func oneFrameOutIsTheFirst(method: ContractCase) throws {
    for count in [1, 2, 100] {
      let input = floatNoise(count * 2)
      let output = try method.scaled(input, channels: 2, to: 1, block: 3)
      #expect(output == Array(input[0..<2]))
    }
  }

  @Test(arguments: ContractCase.resampling)
  func factorOneKeepsEveryBit(method: ContractCase) throws {
    for count in [1, 2, 3, 511, 512, 513, 10_000] {
      let input = floatNoise(count)
      let output = try method.scaled(input, to: count)
      #expect(output == input)
    }
  }
}
