import TestSupport
import Testing
import TimeScaling

@Suite("Lengths at the edges")
struct LengthTests {
  @Test(arguments: ScalingMethod.allCases)
  func nothingIn(method: ScalingMethod) {
    for length in [0, 1, 7] { #expect(scaled([Int16](), to: length, method).isEmpty) }
  }

  @Test(arguments: ScalingMethod.allCases)
  func nothingOut(method: ScalingMethod) {
    for count in [1, 2, 100] { #expect(scaled(noise(count), to: 0, method).isEmpty) }
  }

  @Test(arguments: ScalingMethod.allCases)
  func oneFrameInIsHeld(method: ScalingMethod) {
    for length in 1...5 {
      #expect(scaled([-321 as Int16], to: length, method) == Array(repeating: -321, count: length))
    }
  }

  @Test(arguments: ScalingMethod.allCases)
  func oneFrameOutIsTheFirst(method: ScalingMethod) {
    for count in [1, 2, 100] { #expect(scaled(noise(count), to: 1, method) == [noise(count)[0]]) }
  }

  @Test(arguments: ScalingMethod.allCases)
  func factorOneKeepsEveryBit(method: ScalingMethod) {
    for count in [1, 2, 3, 511, 512, 513, 10_000] {
      let input = noise(count)
      #expect(scaled(input, to: count, method) == input)
    }
  }
}
