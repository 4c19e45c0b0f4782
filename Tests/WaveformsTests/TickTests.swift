import Testing

@testable import Waveforms

@Suite("Axes")
struct TickTests {
  /// The labels of an axis on which at most so many fit.
  private func labels(_ start: Double, _ end: Double, most: Int) -> [String] {
    TimeTicks(from: start, to: end) { (_, labels) in labels.count <= most }.ticks.map(\.label)
  }

  @Test func timesAreInSuitableUnits() {
    #expect(labels(0, 8, most: 9).last == "0:08")
    #expect(labels(0, 8, most: 5) == ["0:00", "0:02", "0:04", "0:06", "0:08"])
    #expect(labels(0, 1.2, most: 4) == ["0:00.0", "0:00.5", "0:01.0"])
    #expect(labels(0, 0.25, most: 6) == ["0", "50 ms", "100 ms", "150 ms", "200 ms", "250 ms"])
    #expect(labels(0.1, 0.105, most: 3) == ["100 ms", "102 ms", "104 ms"].suffix(3))
    #expect(labels(0, 0.000_226, most: 5) == ["0", "50 µs", "100 µs", "150 µs", "200 µs"])
    #expect(labels(60, 150, most: 4) == ["1:00", "1:30", "2:00", "2:30"])
    #expect(labels(0, 36_000, most: 6).last == "10:00:00")
    #expect(labels(0, 36_000, most: 6)[1] == "2:00:00")
    #expect(labels(60, 60.002, most: 3) == ["1:00.000", "1:00.001", "1:00.002"])
  }

  @Test func ticksAreWhereTheirLabelsSay() {
    let axis = TimeTicks(from: 59.5, to: 61) { (_, labels) in labels.count <= 4 }
    #expect(axis.ticks.map(\.seconds) == [59.5, 60, 60.5, 61])
    #expect(axis.step == 0.5)
  }

  @Test(arguments: [0, 1e-9, 1e12, .infinity]) func extremeLengths(end: Double) {
    let ticks = TimeTicks(from: 0, to: end) { (_, labels) in labels.count <= 10 }.ticks
    #expect(ticks.count <= 10)
  }

  @Test func levelsOfBars() {
    let ticks = LevelTicks(loudest: -10, floor: -70, gap: 0.3).ticks
    #expect(ticks.map(\.label) == ["\u{2212}20", "\u{2212}40", "\u{2212}70"])
    #expect(abs(ticks[0].height - 50.0 / 60) < 1e-12)
    #expect(LevelTicks(loudest: -70, floor: -70, gap: 0.1).ticks.map(\.label) == ["\u{2212}70"])
  }

  @Test func levelsOfPeaks() {
    let ticks = LevelTicks(peaksWithGap: 0.2).ticks
    #expect(ticks.map(\.label) == ["0", "\u{2212}6", "\u{2212}12", "\u{2212}∞"])
    // 10^(-6/20) and 10^(-12/20).
    #expect(abs(ticks[1].height - 0.5012) < 1e-4 && abs(ticks[2].height - 0.2512) < 1e-4)
    // With half of full scale at the edge, everything is twice as high.
    let near = LevelTicks(peaksWithGap: 0.2, top: 0.5).ticks
    #expect(near.map(\.label) == ["\u{2212}12", "\u{2212}18", "\u{2212}∞"])
    #expect(abs(near[0].height - 0.5024) < 1e-4)
  }

  @Test("the end has enough decimals to distinguish it from times near it")
  func ends() {
    func end(_ start: Double, _ end: Double, _ step: Double) -> String? {
      TimeTicks.end(from: start, to: end, step: step)?.label
    }
    #expect(end(0, 8, 1) == "0:08")
    #expect(end(0, 4.669, 0.5) == "0:04.67")
    #expect(end(0, 19.996, 2) == "0:20")
    #expect(end(0, 3661.3, 300) == "1:01:01")
    #expect(end(1, 2.5, 0.2) == "0:02.5")
    #expect(end(0, 0.25, 0.05) == "250 ms")
    #expect(end(1, 1.000_998, 0.0001) == "0:01.0010")
    #expect(end(1, 1.000_93, 0.0001) == "0:01.00093")
    #expect(end(3, 3, 1) == nil && end(0, .infinity, 1) == nil)
  }

  @Test func samplesHaveALinearAxis() {
    let axis = LevelTicks(samplesWithGap: 0.3)
    #expect(axis.ticks.map(\.label) == ["1", "0.5", "0"])
    #expect(axis.ticks.map(\.height) == [1, 0.5, 0])
    #expect(axis.ticks.map(axis.lowerLabel) == ["\u{2212}1", "\u{2212}0.5", "0"])
    #expect(
      LevelTicks(samplesWithGap: 0.3, top: 0.01).ticks.map(\.label) == ["0.01", "0.005", "0"])
  }

  @Test func positionsAreReadable() {
    #expect(ClockText.position(1) == "0:01" && ClockText.position(3662.5) == "1:01:02.5")
    #expect(ClockText.position(1.000998) == "0:01.000998")
  }

  @Test func lengthsAreReadable() {
    #expect(ClockText.length(0) == "0 s")
    #expect(ClockText.length(18.0 / 44_100) == "0.408 ms")
    #expect(ClockText.length(8) == "8 s")
    #expect(ClockText.length(4.669) == "4.669 s")
    #expect(ClockText.length(90.25) == "1:30.25")
    #expect(ClockText.length(3723) == "1:02:03")
    #expect(DecimalText.text(44.1, maximumDecimals: 3) == "44.1")
    #expect(DecimalText.text(-0.04, maximumDecimals: 1) == "0")
  }
}
