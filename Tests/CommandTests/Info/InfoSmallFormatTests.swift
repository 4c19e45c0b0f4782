import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Where the smaller formats keep their audio, which no library reports.
@Suite("scaleaudio info: smaller formats")
struct InfoSmallFormatTests {
  let bench: InfoBench

  init() throws { bench = try InfoBench() }

  private func make(_ name: String, _ encoding: String, channels: Int) throws {
    try bench.run(
      "sox -R -n -r 8000 -c \(channels) -b 16 x.wav synth 0.5 pinknoise gain -3 && "
        + "sndfile-convert -override-sample-rate=8000 -\(encoding) x.wav \(name)")
  }

  /// Those that ffprobe reads too.
  @Test(arguments: [
    ("x.avr", "pcms8", 2), ("x.ircam", "float32", 2), ("x.nist", "pcm24", 2), ("x.nist", "ulaw", 1),
    ("x.paf", "pcm16", 2), ("x.pvf", "pcm32", 2), ("x.voc", "pcmu8", 1), ("x.voc", "pcm16", 2),
    ("x.voc", "alaw", 2),
  ])
  func agreesWithOtherPrograms(name: String, encoding: String, channels: Int) throws {
    try make(name, encoding, channels: channels)
    let facts = try bench.info(name)
    let sizes = try bench.packetSizes(name)
    let first = try bench.run(
      "ffprobe -v error -show_entries packet=pos -of csv=p=0 \(name) | head -1")
    #expect(facts["audioOffset"] as? Int == Int(first.outputText.prefix { $0.isNumber }))
    #expect(facts["audioBytes"] as? Int == sizes.reduce(0, +))
    #expect(facts["bitRate"] as? Int == sizes.reduce(0, +) * 8 * 2)
    #expect(facts["bitRateMode"] as? String == "constant")
  }

  /// Their audio goes to the end, and their headers have one size.
  @Test(arguments: [
    ("x.htk", "pcm16", 12), ("x.wve", "alaw", 32), ("x.mpc", "pcm16", 42),
    ("x.mat4", "float64", 68),
    ("x.mat5", "float32", 264), ("x.xi", "pcm16", 338), ("x.xi", "pcms8", 338),
  ])
  func audioReachesToTheEnd(name: String, encoding: String, offset: Int) throws {
    try make(name, encoding, channels: 1)
    let facts = try bench.info(name)
    let size = try bench.bytes(name).count
    #expect(facts["audioOffset"] as? Int == offset)
    #expect(facts["audioBytes"] as? Int == size - offset)
    let rate = try #require(facts["inputSampleRate"] as? Int)
    #expect(facts["bitRate"] as? Int == (size - offset) * 8 * rate / 4000)
  }

  /// Blocks of equal size: bytes and frames by the formats' definitions.
  @Test(arguments: [
    ("x.aiff", "ima-adpcm", 2, 68, 64), ("x.aiff", "gsm610", 1, 33, 160),
    ("x.w64", "gsm610", 1, 65, 320),
    ("x.w64", "ms-adpcm", 1, 256, 500), ("x.paf", "pcm24", 2, 64, 10),
    ("x.sds", "pcm16", 1, 127, 40),
  ])
  func blocks(name: String, encoding: String, channels: Int, bytes: Int, frames: Int) throws {
    try make(name, encoding, channels: channels)
    let facts = try bench.info(name)
    let packets = try #require(facts["packets"] as? [String: Any])
    #expect(packets["smallestBytes"] as? Int == bytes)
    #expect(packets["largestBytes"] as? Int == bytes)
    #expect(packets["frames"] as? Int == frames)
    let count = try #require(packets["count"] as? Int)
    #expect(count >= (4000 + frames - 1) / frames && count <= 4000 / frames + 2)
    // A chunk of odd length is filled up, and may count that.
    let rest = try #require(facts["audioBytes"] as? Int) - count * bytes
    #expect((0...1).contains(rest))
    let size = try bench.bytes(name).count
    let offset = try #require(facts["audioOffset"] as? Int)
    #expect((0...1).contains(size - offset - count * bytes))
    #expect(facts["bitRateMode"] as? String == "constant")
  }
}
