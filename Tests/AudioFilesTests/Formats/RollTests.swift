import AudioFiles
import AudioModel
import Foundation
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO

/// MP3, AAC and Opus that begin and end within a sound: their encoders get the sound around it, which no player plays.
@Suite("Pre-roll and post-roll")
struct RollTests {
  private let rolls = AudioFormat.named("mp3")?.rolls(at: 48000) ?? (before: 0, after: 0, block: 1)

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

  /// AAC and Opus: both outputs have the same packets where they meet, so that decoders agree.
  @Test(arguments: [
    ("m4a", 44100, 1), ("m4a", 48000, 2), ("m4a", 24000, 2), ("opus", 48000, 2), ("opus", 24000, 1),
  ])
  func neighborsShareThePacketsOfTheirJoint(format: String, rate: Int, channels: Int) throws {
    let fixture = try AudioFixture()
    let rolls = try #require(AudioFormat.named(format)).rolls(at: rate)
    let middle = 60_011
    let all = tone(2 * middle, channels, rate: rate)
    let before = middle - (middle - rolls.before) / rolls.block * rolls.block
    func write(_ name: String, _ range: Range<Int>, _ before: Int, _ after: Int, _ next: Int?)
      throws
      -> [[Int16]]
    {
      let name = "\(name).\(format)"
      let sound = all[
        (range.lowerBound - before) * channels..<(range.upperBound + after) * channels]
      try fixture.write(
        name, Array(sound), as: format, layout: .assumed(channelCount: channels), rate: rate,
        options: EncodingOptions(bitRate: 64_000 * channels), preRoll: before, postRoll: after,
        nextPreRoll: next)
      let count = range.count * channels
      let own = try fixture.read(name).samples
      try #require(own.count == count)
      // FFmpeg decodes Opus at 48 kHz.
      if format == "opus", rate != 48000 { return [own] }
      let found = try fixture.decodeWithFFmpeg(name)
      // FFmpeg 5.1 plays the rest of the last packet of AAC.
      try #require(
        (0..<(format == "m4a" ? 1024 : 1)).contains(found.count / channels - range.count))
      return [own, Array(found.prefix(count))]
    }
    func joints(_ rolled: Bool) throws -> [Double] {
      let one = try write(
        "one", 0..<middle, 0, rolled ? rolls.after : 0, rolled ? before : nil)
      let other = try write("other", middle..<2 * middle, rolled ? before : 0, 0, nil)
      return zip(one, other).map { joint($0, $1, channels: channels) }
    }
    for joint in try joints(true) { #expect(joint < 3, "\(joint) dB") }
    // An end of Opus is continued by prediction, which foretells a tone.
    for joint in try joints(false) where format == "m4a" { #expect(joint > 6, "\(joint) dB") }
  }

  /// Outputs of any length, also shorter than a packet, or than the pre-roll of the next.
  @Test(arguments: ["m4a", "opus"])
  func lengthsOfNeighborsAreExact(format: String) throws {
    let fixture = try AudioFixture()
    let rolls = try #require(AudioFormat.named(format)).rolls(at: 48000)
    let ends = [20_000, 20_001, 20_960, 21_984, 24_000, 24_003, 61_440, 100_000, 101_000]
    let all = tone(ends[ends.count - 1], 2, rate: 48000)
    func preRoll(_ frame: Int) -> Int {
      frame - max(0, frame - rolls.before) / rolls.block * rolls.block
    }
    var (start, decoded) = (0, [Int16]())
    for end in ends {
      let (before, after) = (preRoll(start), min(rolls.after, 101_000 - end))
      try fixture.write(
        "x.\(format)", Array(all[2 * (start - before)..<2 * (end + after)]), as: format,
        layout: .stereo, preRoll: before, postRoll: after,
        nextPreRoll: end == 101_000 ? nil : preRoll(end))
      let (source, samples, _) = try fixture.read("x.\(format)")
      #expect(source.frameCount == end - start)
      #expect(samples.count == 2 * (end - start))
      if format == "opus" {
        try fixture.run("opusdec", "--quiet", "x.opus", "y.wav")
        #expect(try fixture.read("y.wav").source.frameCount == end - start)
        // FFmpeg 5.1 plays the rest of the packet of a few frames.
        if end - start > 3 {
          #expect(try fixture.decodeWithFFmpeg("x.opus").count == 2 * (end - start))
        }
      }
      decoded += samples
      start = end
    }
    // The sound itself is in its place.
    try #require(decoded.count == all.count)
    let noise = zip(decoded, all).map { abs(Double($0) / 32768 - Double($1)) }.max() ?? 1
    #expect(noise < 0.1, "\(noise)")
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
