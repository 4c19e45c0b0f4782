import Foundation
import TestSupport
import Testing
import Waveforms

@Suite("Levels and peaks")
struct ReductionTests {
  /// Noise with silence, full scale and the one sample beyond it.
  private let samples: [Int16] = {
    var random = SeededNumbers(seed: 1)
    let noise = (0..<5000).map { _ in
      Int16.random(in: .min ... .max, using: &random) >> Int16.random(in: 0...14, using: &random)
    }
    return noise + [.min, .max, 0, 1, -1] + Array(repeating: 0, count: 300)
  }()

  /// The level of a sample, from its definition.
  private func decibels(_ sample: Int16, floor: Double) -> Double {
    let level = 20 * log10(Double(abs(Int(sample))) / 32767)
    return min(0, max(floor, level))
  }

  private func levels(
    of samples: [Int16], count: Int, floor: Double, _ method: Decimator.Method = .mean,
    blocks: [Int]
  ) -> Levels {
    var reducer = LevelReducer(
      frameCount: samples.count, count: count, noiseFloor: floor, method: method)
    for block in samples.cut(into: blocks) { reducer.append(block.span) }
    return reducer.levels
  }

  @Test(arguments: [-70.0, -30, -120]) func levelsAreDecibelsOfFullScale(floor: Double) {
    for count in [1, 7, 240, samples.count, 2 * samples.count] {
      let size = max(1, samples.count / count)
      let made = levels(of: samples, count: count, floor: floor, blocks: [997, 3])
      #expect(made.framesPerValue == size)
      let groups = min(count, samples.count / size)
      #expect(made.values.count == groups)
      for (group, value) in made.values.enumerated() {
        let part = samples[group * size..<(group + 1) * size].map { decibels($0, floor: floor) }
        #expect(abs(value - part.reduce(0, +) / Double(size)) < 1e-9)
      }
    }
  }

  @Test func theFirstOfEachGroup() {
    let made = levels(of: samples, count: 100, floor: -70, .first, blocks: [31])
    let size = samples.count / 100
    for (group, value) in made.values.enumerated() {
      #expect(abs(value - decibels(samples[group * size], floor: -70)) < 1e-9)
    }
  }

  @Test func blocksDoNotChangeLevels() {
    var random = SeededNumbers(seed: 2)
    let whole = levels(of: samples, count: 123, floor: -70, blocks: [samples.count])
    for _ in 0..<20 {
      let blocks = (0..<9).map { _ in Int.random(in: 1...400, using: &random) }
      #expect(levels(of: samples, count: 123, floor: -70, blocks: blocks) == whole)
    }
  }

  @Test func silenceHasNoHeight() {
    let silence = levels(of: Array(repeating: 0, count: 100), count: 10, floor: -70, blocks: [9])
    #expect(silence.values == Array(repeating: -70, count: 10))
    #expect(silence.heights(loudest: silence.loudest) == Array(repeating: 0, count: 10))
    let nothing = levels(of: [], count: 10, floor: -70, blocks: [1])
    #expect(nothing.values.isEmpty && nothing.loudest == -70)
  }

  @Test func valuesAreClampedToTheRange() {
    let levels = Levels(
      values: [-100, -.infinity, .nan, -70, -69.5, 0, 3], noiseFloor: -70, framesPerValue: 1)
    #expect(levels.values == [-70, -70, -70, -70, -69.5, 0, 0])
    #expect(levels.loudest == 0)
  }

  @Test func heightsReachFromTheFloorToTheLoudest() {
    let levels = Levels(values: [-70, -55, -40, -10], noiseFloor: -70, framesPerValue: 1)
    #expect(levels.heights(loudest: -10) == [0, 0.25, 0.5, 1])
    #expect(levels.heights(loudest: -70) == [0, 0, 0, 0])
  }

  private func peaks(of samples: [Int16], count: Int, blocks: [Int]) -> Peaks {
    var reducer = PeakReducer(frameCount: samples.count, count: count)
    for block in samples.cut(into: blocks) { reducer.append(block.span) }
    return reducer.peaks
  }

  @Test(arguments: [1, 2, 3, 640, 1000, 5304]) func peaksAreLowestAndHighest(count: Int) {
    let made = peaks(of: samples, count: count, blocks: [501, 1])
    #expect(made.count == count && made.frameCount == samples.count)
    for column in 0..<count {
      let part = samples[column * samples.count / count..<(column + 1) * samples.count / count]
      #expect(made.minimums[column] == part.min() && made.maximums[column] == part.max())
    }
  }

  @Test("the RMS of a column is that of its samples and of its neighbors")
  func rms() {
    let made = peaks(of: samples, count: 100, blocks: [501, 1])
    let places = (0...100).map { $0 * samples.count / 100 }
    func rms(_ range: Range<Int>) -> Double {
      let part = samples[range].map { Double($0) / 32768 }
      return (part.map { $0 * $0 }.reduce(0, +) / Double(part.count)).squareRoot()
    }
    let alone = made.rms(over: 0)
    #expect(alone.count == 100)
    for column in 0..<100 {
      #expect(abs(alone[column] - rms(places[column]..<places[column + 1])) < 1e-12)
    }
    // Three columns: all segments have nearly the same length.
    let joined = made.rms(over: 2.5 * Double(samples.count) / 100)
    #expect(abs(joined[0] - rms(0..<places[2])) < 1e-3)
    #expect(abs(joined[50] - rms(places[49]..<places[52])) < 1e-3)
    #expect(made.rms(over: 1e12).count == 100)
    #expect(Peaks(minimums: [0], maximums: [3], frameCount: 4).rms(over: 1).isEmpty)
  }

  @Test func fewSamplesStayUnchanged() {
    let made = peaks(of: [3, -7, 9], count: 100, blocks: [2])
    #expect(made.minimums == [3, -7, 9] && made.maximums == [3, -7, 9] && made.areSamples)
    #expect(peaks(of: [], count: 100, blocks: [2]).count == 0)
  }

  @Test func blocksDoNotChangePeaks() {
    var random = SeededNumbers(seed: 2)
    let whole = peaks(of: samples, count: 777, blocks: [samples.count])
    for _ in 0..<20 {
      let blocks = (0..<9).map { _ in Int.random(in: 1...400, using: &random) }
      #expect(peaks(of: samples, count: 777, blocks: blocks) == whole)
    }
  }

  /// A day at 10 MHz, when only its first samples come: the places of the columns do not overflow.
  @Test func lengthsLargerThanMemory() {
    var reducer = PeakReducer(frameCount: .max / 2, count: 32_767)
    reducer.append([1, 2, 3].span)
    #expect(reducer.peaks.count == 0)
  }
}
