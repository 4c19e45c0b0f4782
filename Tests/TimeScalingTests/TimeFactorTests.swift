import Testing
import TimeScaling

@Suite("Factors")
struct TimeFactorTests {
  @Test(
    arguments: [
      (1.5, 132_300, 198_450), (0.1, 10, 1), (1.1, 10, 11), (0.29, 100, 28), (0.57, 100, 56),
      (0.999, 1000, 999), (1.001, 999, 999), (0.5, 1, 0), (7.3, 3, 21), (100, 7, 700),
      (0.01, 99, 0),
      (2, 0, 0),
    ] as [(Double, Int, Int)])
  func lengthsAreTruncated(factor: Double, frames: Int, expected: Int) throws {
    // 0.29 * 100 is 28.999999999999996 in binary: what is truncated is the product of doubles.
    #expect(try #require(TimeFactor(factor)).outputFrames(for: frames) == expected)
  }

  @Test func onlyFactorsInRange() {
    #expect(TimeFactor(0.01) != nil && TimeFactor(100) != nil)
    for factor in [0, -1, 0.00999, 100.001, .infinity, .nan] { #expect(TimeFactor(factor) == nil) }
    #expect(TimeFactor(speed: 0) == nil)
  }

  @Test func speedIsTheReciprocal() throws {
    #expect(try #require(TimeFactor(speed: 1.25)).value == 0.8)
    #expect(try #require(TimeFactor(2)).speed == 0.5)
  }

  @Test func lengthsThatOverflowAreNil() throws {
    #expect(try #require(TimeFactor(100)).outputFrames(for: .max) == nil)
  }
}
