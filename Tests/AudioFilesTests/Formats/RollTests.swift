import AudioFiles
import AudioModel
import Foundation
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO

/// MP3 that begins and ends within a sound: its encoder gets the sound around it, which no player plays.
@Suite("Pre-roll and post-roll")
struct RollTests {
  private let rolls = AudioFormat.named("mp3")?.rolls ?? (before: 0, after: 0, block: 1)

  /// A tone whose periods are no whole number of frames, the same in all channels.
  private func tone(_ frames: Int, _ channels: Int, rate: Int) -> [Float] {
    (0..<frames).flatMap { frame in
      let value = Float(0.5 * sin(2 * Double.pi * 441.7 * Double(frame) / Double(rate)))
      return [Float](repeating: value, count: channels)
    }
  }

  /// The curvature of one channel where two sounds meet, at most, beside that around it, in dB.
  private func joint(_ one: [Int16], _ other: [Int16], channels: Int) -> Double {
    let sound = stride(from: 0, to: one.count + other.count, by: channels).map { place in
      Double(place < one.count ? one[place] : other[place - one.count])
    }
    let middle = one.count / channels
    func most(_ frames: Range<Int>) -> Double {
      frames.map { abs(sound[$0 - 1] - 2 * sound[$0] + sound[$0 + 1]) }.max() ?? 0
    }
    let around = max(most(middle - 2200..<middle - 120), most(middle + 120..<middle + 2200))
    return 20 * log10(most(middle - 60..<middle + 60) / max(around, 1))
  }

  @Test(arguments: [(44100, 1), (48000, 2), (24000, 2), (16000, 1)])
  func soundsMeetWithoutAClick(rate: Int, channels: Int) throws {
    let fixture = try AudioFixture()
    let frames = 15_011
    let all = tone(2 * frames, channels, rate: rate)
    func write(_ name: String, _ range: Range<Int>, before: Int, after: Int) throws -> [Int16] {
      let sound = all[
        (range.lowerBound - before) * channels..<(range.upperBound + after) * channels]
      try fixture.write(
        name, Array(sound), as: "mp3", layout: .assumed(channelCount: channels), rate: rate,
        options: EncodingOptions(bitRate: rate < 32000 ? 48_000 * channels : 96_000 * channels),
        preRoll: before, postRoll: after)
      #expect(try fixture.read(name).source.frameCount == range.count)
      let found = try fixture.decodeWithFFmpeg(name)
      try #require(found.count == range.count * channels)
      return found
    }
    func joint(before: Int, after: Int) throws -> Double {
      try self.joint(
        write("one.mp3", 0..<frames, before: 0, after: after),
        write("other.mp3", frames..<2 * frames, before: before, after: 0), channels: channels)
    }
    #expect(try joint(before: rolls.before, after: rolls.after) < 3)
    #expect(try joint(before: 0, after: 0) > 10)
  }

  /// Ends anywhere within a block, and rolls that an album's ends make shorter.
  @Test func lengthsAreExact() throws {
    let fixture = try AudioFixture()
    for (before, frames, after) in [
      (rolls.before, 1, rolls.after), (rolls.before, 959, 0), (0, 960, rolls.after), (5, 1152, 7),
      (rolls.before, 2304, 1), (1, 20_001, rolls.after),
    ] {
      let samples = tone(before + frames + after, 2, rate: 48000)
      try fixture.write(
        "x.mp3", samples, as: "mp3", layout: .stereo, preRoll: before, postRoll: after)
      #expect(try fixture.read("x.mp3").source.frameCount == frames)
      #expect(try fixture.read("x.mp3").samples.count == 2 * frames)
      try fixture.run("mpg123", "-q", "-w", "y.wav", "x.mp3")
      #expect(try fixture.read("y.wav").source.frameCount == frames)
      // FFmpeg 5.1 plays the rest of the packet of a single frame.
      if frames > 1 { #expect(try fixture.decodeWithFFmpeg("x.mp3").count == 2 * frames) }
    }
  }

  /// LAME's own checksum stays when nothing changes, and follows what does.
  @Test func theChecksumIsThatOfLAME() throws {
    let fixture = try AudioFixture()
    try fixture.run(
      "sox", "-R", "-n", "-r", "44100", "-c", "2", "-b", "16", "x.wav", "synth", "0.5", "pinknoise")
    for options in [["--cbr", "-b", "128"], ["-V2"], ["--abr", "140"]] {
      try Tool.run("lame", ["--quiet"] + options + ["x.wav", "x.mp3"], in: fixture.folder.path)
        .succeeded()
      let bytes = try fixture.bytes("x.mp3")
      let same = try #require(MPEGInfoFrame.frame(of: bytes, delayedBy: 0, paddedBy: 0))
      #expect(bytes.starts(with: same))
      let longer = try #require(MPEGInfoFrame.frame(of: bytes, delayedBy: 1152, paddedBy: 576))
      #expect(longer != same && longer.count == same.count)
      try fixture.put("x.mp3", longer + bytes.dropFirst(longer.count))
      #expect(try fixture.decodeWithFFmpeg("x.mp3").count == 2 * (22050 - 1152 - 576))
      #expect(MPEGInfoFrame.frame(of: bytes, delayedBy: 4095, paddedBy: 0) == nil)
    }
  }
}
