import TestSupport
import Testing
import TimeScaling

@Suite("Lengths at the edges")
struct LengthTests {
  @Test(arguments: Interpolation.allCases)
  func nothingIn(method: Interpolation) {
    for length in [0, 1, 7] { #expect(scaled([Int16](), to: length, method).isEmpty) }
  }

  @Test(arguments: Interpolation.allCases)
  func nothingOut(method: Interpolation) {
    for count in [1, 2, 100] { #expect(scaled(noise(count), to: 0, method).isEmpty) }
  }

  @Test(arguments: Interpolation.allCases)
  func oneFrameInIsHeld(method: Interpolation) {
    for length in 1...5 {
      #expect(scaled([-321 as Int16], to: length, method) == Array(repeating: -321, count: length))
    }
  }

  @Test(arguments: Interpolation.allCases)
  func oneFrameOutIsTheFirst(method: Interpolation) {
    for count in [1, 2, 100] { #expect(scaled(noise(count), to: 1, method) == [noise(count)[0]]) }
  }

  @Test(arguments: Interpolation.allCases)
  func factorOneKeepsEveryBit(method: Interpolation) {
    for count in [1, 2, 3, 511, 512, 513, 10_000] {
      let input = noise(count)
      #expect(scaled(input, to: count, method) == input)
    }
  }
}
