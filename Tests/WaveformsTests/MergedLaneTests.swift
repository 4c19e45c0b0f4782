import AudioModel
import Testing
import Waveforms

@Suite("Several channels in one lane")
struct MergedLaneTests {
  private let tone: [Int16] = (0..<4800).map { $0 % 48 < 24 ? 8192 : -8192 }
  private var inverse: [Int16] { tone.map { -$0 } }

  private func merged(_ reducer: some LaneReducer, _ channels: [Int16]...) throws -> LaneContent {
    let contents = channels.map { (samples) in
      var reducer = reducer
      reducer.append(samples.span)
      return reducer.content
    }
    return try #require(LaneContent.merged(contents))
  }

  /// Channels that are inverse to each other cancel as samples, not as levels.
  @Test func inverseChannelsLookLikeOne() throws {
    let levels = LevelReducer(frameCount: 4800, count: 10)
    let peaks = PeakReducer(frameCount: 4800, count: 10)
    let spectrum = SpectrogramReducer(
      frameCount: 4800, columnCount: 4, rowCount: 32, sampleRate: 48000)
    #expect(try merged(levels, tone, inverse) == merged(levels, tone))
    #expect(try merged(peaks, tone, inverse) == merged(peaks, tone))
    #expect(try merged(spectrum, tone, inverse) == merged(spectrum, tone))
  }

  /// A silent channel beside another leaves its peaks, and half of its power: 3.01 dB less.
  @Test func peaksAreTheGreatestAndPowersMeans() throws {
    let silent = [Int16](repeating: 0, count: 4800)
    guard
      case .levels(let levels) = try merged(
        LevelReducer(frameCount: 4800, count: 1, noiseFloor: -200), tone, silent),
      case .peaks(let peaks) = try merged(PeakReducer(frameCount: 4800, count: 1), silent, tone)
    else {
      Issue.record("another kind of content")
      return
    }
    // 20 * log10(8192 / 32767) - 10 * log10(2)
    #expect(abs(levels.values[0] - (-12.0409 - 3.0103)) < 0.001)
    #expect(peaks.minimums == [-8192] && peaks.maximums == [8192])
    // (8192 / 32768)^2 / 2
    #expect(peaks.meanSquares == [0.03125])
  }

  @Test func differentSamplesAreNoLine() throws {
    guard
      case .peaks(let peaks) = try merged(
        PeakReducer(frameCount: 2, count: 9), [5, 7], [5, -7])
    else {
      Issue.record("another kind of content")
      return
    }
    #expect(peaks.minimums == [5, -7] && peaks.maximums == [5, 7] && !peaks.areSamples)
  }
}
