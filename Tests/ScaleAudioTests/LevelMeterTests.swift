import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("LevelMeter")
struct LevelMeterTests {
  private func levels(_ samples: [Int16], channels: Int, blocks: Int) throws -> AudioLevels {
    let layout = ChannelLayout.assumed(channelCount: channels)
    let meter = LevelMeter(
      AudioSpec(sampleRate: 48000, layout: layout), format: .int16,
      frameCount: samples.count / channels)
    var start = 0
    while start < samples.count {
      let end = min(samples.count, start + blocks * channels)
      meter.measure(Array(samples[start..<end]).span)
      start = end
    }
    return meter.finish()
  }

  /// Block size changes nothing but the last bits of sums.
  @Test(arguments: [1, 2])
  func blocks(channels: Int) throws {
    var state: UInt32 = 1
    var samples = (0..<96_000 * channels).map { _ -> Int16 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int16(truncatingIfNeeded: state >> 16)
    }
    for index in 4000..<4300 { samples[index] = 32767 }
    for index in 0..<700 { samples[index] = 1 }
    let whole = try levels(samples, channels: channels, blocks: 96_000)
    for blocks in [1, 7, 1024] {
      let parts = try levels(samples, channels: channels, blocks: blocks)
      #expect(parts.md5 == whole.md5)
      #expect(parts.leadingSilence == whole.leadingSilence)
      #expect(parts.trailingSilence == whole.trailingSilence)
      #expect(parts.frameCount == 96_000)
      for (part, all) in zip(parts.channels, whole.channels) {
        #expect(part.peak == all.peak)
        #expect(part.clippedRuns == all.clippedRuns)
        #expect(part.clippedSamples == all.clippedSamples)
        #expect(abs(part.meanSquare - all.meanSquare) < 1e-12)
        #expect(abs(part.dcOffset - all.dcOffset) < 1e-12)
        #expect(part.truePeak == all.truePeak)
      }
      let loudness = try #require(parts.integratedLoudness)
      #expect(abs(loudness - (try #require(whole.integratedLoudness))) < 1e-9)
    }
    #expect(whole.leadingSilence == 700 / channels)
  }

  /// EBU Tech 3341, case 1: a tone of 1 kHz at -23 dB in both channels is -23 LUFS.
  @Test func toneOfKnownLoudness() throws {
    let tone = (0..<48_000 * 4).map { frame in
      Int16((sin(Double(frame) * 2 * .pi / 48) * 32768 * pow(10, -23.0 / 20)).rounded())
    }
    let levels = try levels(tone.flatMap { [$0, $0] }, channels: 2, blocks: 4096)
    #expect(abs(try #require(levels.integratedLoudness) + 23) < 0.1)
    #expect(abs(AudioLevels.decibels(levels.overall.peak) + 23) < 0.01)
    #expect(abs(levels.overall.averagePower + 26.01) < 0.01)
    #expect(try #require(levels.loudnessRange) < 0.01)
  }

  /// At a rate or with channels that libebur128 does not support, everything else is reported.
  @Test func withoutLoudness() {
    let meter = LevelMeter(
      AudioSpec(sampleRate: 10, layout: .mono), format: .float32, frameCount: 3)
    meter.measure(([0.5, -0.25, 0] as [Float]).span)
    let levels = meter.finish()
    #expect(levels.integratedLoudness == nil)
    #expect(levels.overall.truePeak == nil)
    #expect(levels.overall.peak == 0.5)
    #expect(levels.trailingSilence == 1)
  }
}
