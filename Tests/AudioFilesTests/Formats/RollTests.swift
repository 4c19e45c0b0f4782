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

  /// The error of the samples in a range, as a share of the energy of the tone, in dB.
  private func error(_ found: [Float], _ wanted: ArraySlice<Float>, _ range: Range<Int>) -> Double {
    let share = range.reduce(0.0) { (sum: Double, index: Int) -> Double in
      let error = Double(found[index] - wanted[wanted.startIndex + index])
      return sum + error * error
    }
    return 10 * log10(share / (Double(range.count) * 0.125) + 1e-12)
  }

  @Test(arguments: [(44100, 1), (48000, 2), (24000, 2), (16000, 1)])
  func bothEndsSoundLikeTheMiddle(rate: Int, channels: Int) throws {
    let fixture = try AudioFixture()
    let frames = 30_011
    let all = tone(rolls.before + frames + rolls.after, channels, rate: rate)
    let layout = ChannelLayout.assumed(channelCount: channels)
    let options = EncodingOptions(bitRate: rate < 32000 ? 48_000 * channels : 96_000 * channels)
    let wanted = all[rolls.before * channels..<(rolls.before + frames) * channels]
    try fixture.write(
      "x.mp3", all, as: "mp3", layout: layout, rate: rate, options: options,
      preRoll: rolls.before, postRoll: rolls.after)
    try fixture.write(
      "alone.mp3", Array(wanted), as: "mp3", layout: layout, rate: rate, options: options)
    func ends(_ name: String) throws -> (first: Double, middle: Double, last: Double) {
      let found = try fixture.decodeWithFFmpeg(name).map { Float($0) / 32768 }
      let count = frames * channels
      try #require(found.count == count)
      let part = 500 * channels
      return (
        error(found, wanted, 0..<part), error(found, wanted, count / 4..<count * 3 / 4),
        error(found, wanted, count - part..<count)
      )
    }
    let (within, alone) = (try ends("x.mp3"), try ends("alone.mp3"))
    #expect(within.first < within.middle + 3, "\(within)")
    #expect(within.last < within.middle + 3, "\(within)")
    if rate >= 44100 {
      #expect(alone.first > alone.middle + 6 || alone.last > alone.middle + 6, "\(alone)")
    }
    let read = try fixture.read("x.mp3")
    #expect(read.source.frameCount == frames)
    #expect(read.samples.count == frames * channels)
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
      #expect(try fixture.decodeWithFFmpeg("x.mp3").count == 2 * frames)
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
