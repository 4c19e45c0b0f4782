import Foundation
import Testing
import TimeScaling

/// Tempos of sounds made here.
@Suite("Tempo meter")
struct TempoMeterTests {
  private static let rate = 22_050

  /// Clicks of decaying noise at some times, in seconds, with their levels.
  private static func clicks(
    _ beats: [(seconds: Double, level: Double)], length: Double, rate: Int = rate
  ) -> [Double] {
    var sound = [Double](repeating: 0, count: Int(length * Double(rate)))
    var state: UInt64 = 88_172_645_463_325_252
    for beat in beats {
      let start = Int(beat.seconds * Double(rate))
      for index in 0..<rate / 10 where start + index < sound.count {
        // Marsaglia, "Xorshift RNGs" (2003).
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        let noise = Double(Int64(bitPattern: state) >> 12) / 0x1p51
        sound[start + index] += noise * beat.level * exp(-60 * Double(index) / Double(rate))
      }
    }
    return sound
  }

  private func tempo(
    of sound: [Double], rate: Int = rate, channels: Int = 1, block: Int = 5000
  ) throws -> TempoEstimate? {
    let meter = try TempoMeter(sampleRate: rate, channelCount: channels)
    for start in stride(from: 0, to: sound.count, by: block * channels) {
      meter.add(sound.span.extracting(start..<min(sound.count, start + block * channels)))
    }
    return meter.finish()
  }

  /// Beats with a louder one at the start of each bar, in a sound that ends anywhere.
  @Test(arguments: [70.0, 84, 97.3, 120, 128, 144.5])
  func beatsAreCounted(tempo: Double) throws {
    let beats = (0..<26).map { (Double($0) * 60 / tempo, $0 % 4 == 0 ? 0.8 : 0.4) }
    let sound = Self.clicks(beats, length: 26.3 * 60 / tempo)
    let found = try #require(try self.tempo(of: sound))
    #expect(found.isClear, "\(found)")
    // 70 is counted as 140: half or twice as many may be meant.
    let octaves = tempo == 70 ? [1, 2] : [1.0]
    #expect(octaves.contains { abs(found.beatsPerMinute / tempo / $0 - 1) < 0.01 }, "\(found)")
  }

  /// Swung eighths: the second of each pair comes at two thirds of the beat.
  @Test func swingIsNoOtherTempo() throws {
    let beat = 60.0 / 112
    let beats = (0..<24).flatMap {
      [(Double($0) * beat, 0.8), ((Double($0) + 2.0 / 3) * beat, 0.35)]
    }
    let found = try #require(try tempo(of: Self.clicks(beats, length: 24 * beat)))
    #expect(found.isClear && abs(found.beatsPerMinute / 112 - 1) < 0.01, "\(found)")
  }

  /// Loops whose ends are no beats: the length gives the exact tempo. A single bar may be too short to tell.
  @Test(arguments: [1, 2, 4])
  func theLengthOfALoopIsExact(bars: Int) throws {
    let beat = 60.0 / 136.87
    let pattern = [0, 0.5, 1, 1.75, 2, 2.5, 3, 3.5]
    let beats = (0..<bars).flatMap { (bar) -> [(Double, Double)] in
      pattern.map { ((Double(4 * bar) + $0) * beat, $0.rounded() == $0 ? 0.8 : 0.4) }
    }
    let found = try #require(
      try tempo(of: Self.clicks(beats, length: Double(4 * bars) * beat)))
    if bars == 1, !found.isClear { return }
    let octaves = log2(found.beatsPerMinute / 136.87)
    #expect(found.isClear && abs(octaves - octaves.rounded()) < 0.0005, "\(found)")
  }

  @Test(arguments: [8000, 44_100, 96_000])
  func ratesAndChannelsDoNotMatter(rate: Int) throws {
    let beats = (0..<12).map { (Double($0) * 0.5, 0.7) }
    let sound = Self.clicks(beats, length: 6, rate: rate)
    let found = try #require(
      try tempo(of: sound.flatMap { [0, $0, $0 / 2] }, rate: rate, channels: 3, block: 777))
    #expect(found.isClear && abs(found.beatsPerMinute - 120) < 0.5, "\(found)")
  }

  @Test func blocksDoNotMatter() throws {
    let beats = (0..<9).map { (Double($0) * 0.61, 0.7) }
    let sound = Self.clicks(beats, length: 5.6)
    let whole = try tempo(of: sound, block: 1 << 20)
    #expect(try whole == tempo(of: sound, block: 1) && whole != nil)
  }

  /// Silence, too few frames, a steady tone, and bursts at times without a rhythm, as in speech.
  @Test func whatHasNoBeatsIsRefused() throws {
    #expect(try tempo(of: []) == nil)
    #expect(try tempo(of: [0.5]) == nil)
    #expect(try tempo(of: Array(repeating: 0, count: 100_000)) == nil)
    #expect(try tempo(of: Array(repeating: .nan, count: 100_000)) == nil)
    let tone = (0..<200_000).map { 0.5 * sin(Double($0) * 0.1) }
    #expect(try tempo(of: tone)?.isClear != true)
    var (time, beats, step) = (0.0, [(Double, Double)](), 0.21)
    for index in 0..<40 {
      beats.append((time, 0.3 + 0.4 * abs(sin(Double(index * index)))))
      // A number that repeats only after 97 steps.
      step = 0.13 + Double(index * index * 31 % 97) / 97 * 0.45
      time += step
    }
    let found = try tempo(of: Self.clicks(beats, length: time))
    #expect(found?.isClear != true, "\(String(describing: found))")
  }
}
