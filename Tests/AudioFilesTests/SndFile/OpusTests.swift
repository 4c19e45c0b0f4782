import AudioFiles
import AudioModel
import Foundation
import TestSupport
import Testing

@testable import AudioIO

@Suite("Ogg Opus")
struct OpusTests {
  @Test(arguments: [8000, 12000, 16000, 24000, 48000], [1, 2, 6])
  func lengthsAreExact(rate: Int, channels: Int) throws {
    let fixture = try AudioFixture()
    let layout =
      channels == 6
      ? try #require(ChannelLayout(mask: 0x3F, channelCount: 6))
      : ChannelLayout.assumed(channelCount: channels)
    for frames in [1, 2, 3, 100, 959, 960, 961, 20001] {
      let samples = Signal.tones(frames: frames, channels: channels, rate: rate)
      try fixture.write("x.opus", samples, as: "opus", layout: layout, rate: rate)
      let read = try fixture.read("x.opus")
      #expect(read.source.frameCount == frames)
      #expect(read.samples.count == samples.count)
      #expect(read.source.spec.sampleRate == rate)
      // Opus itself counts at 48 kHz.
      try fixture.run("opusdec", "--quiet", "--rate", "48000", "x.opus", "y.wav")
      #expect(try fixture.read("y.wav").source.frameCount == frames * 48000 / rate)
      #expect(
        try fixture.decodeWithFFmpeg("x.opus").count == channels * frames * 48000 / rate)
      let info = try fixture.run("opusinfo", "x.opus")
      #expect(!info.outputText.contains("WARNING") && !info.errorText.contains("WARNING"))
    }
  }

  /// The encoder's delay after the last frame: a tone that is cut is as exact at its end as inside, as in opusenc's file.
  @Test(arguments: [48_000, 99_000, 100_002, 100_400])
  func theEndIsAsExactAsTheInside(frames: Int) throws {
    let fixture = try AudioFixture()
    let tone = (0..<frames).map { Float(0.5 * sin(2 * Double.pi * 440 * Double($0) / 48000)) }
    try fixture.write(
      "own.opus", tone, as: "opus", layout: .mono, options: EncodingOptions(bitRate: 96_000))
    try fixture.write("x.wav", tone, as: "wav", layout: .mono)
    try fixture.run("opusenc", "--quiet", "--bitrate", "96", "x.wav", "other.opus")
    for name in ["own.opus", "other.opus"] {
      try fixture.run("opusdec", "--quiet", "--no-dither", name, "y.wav")
      let decoded = try fixture.read("y.wav").samples
      try #require(decoded.count == frames)
      let errors = zip(decoded, tone).map { abs(Double($0) / 32768 - Double($1)) }
      let inside = try #require(errors[20_000..<(frames - 2000)].max())
      for last in [100, 312] {
        let end = try #require(errors.suffix(last).max())
        #expect(end <= 2 * inside, "\(name): \(end) in the last \(last) frames, \(inside) inside")
      }
    }
  }

  /// Comments that need no page of their own, one page, and several; a packet may end with a page.
  @Test(arguments: [0, 1, 253, 254, 255, 256, 65_024, 65_025, 65_026, 700_000])
  func commentsOfAnySizeAreWrittenOnce(count: Int) throws {
    let fixture = try AudioFixture()
    var metadata = Metadata()
    metadata.comments = [
      Metadata.Comment(name: "TITLE", value: "Ünï"),
      Metadata.Comment(name: "COMMENT", value: String(repeating: "c", count: count)),
    ]
    let samples = Signal.tones(frames: 60_000, channels: 2, rate: 48000)
    for name in ["a.opus", "b.opus"] {
      try fixture.write(
        name, samples, as: "opus", layout: .stereo, rate: 48000, metadata: metadata)
    }
    #expect(try fixture.bytes("a.opus") == fixture.bytes("b.opus"))
    let info = try fixture.run("opusinfo", "a.opus")
    #expect(!info.outputText.contains("WARNING") && !info.errorText.contains("WARNING"))
    let probed = try fixture.run(
      "ffprobe", "-v", "error", "-show_entries", "stream_tags=title,comment", "-of",
      "default=nw=1:nk=1", "a.opus")
    let lines = probed.outputText.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.contains("Ünï"))
    #expect(count == 0 || lines.contains { $0.count == count })
    try fixture.run("opusdec", "--quiet", "a.opus", "a.wav")
    #expect(try fixture.read("a.wav").source.frameCount == 60_000)
  }

  @Test func filesOfOpusencAreRead() throws {
    let fixture = try AudioFixture()
    try fixture.run(
      "sox", "-n", "-r", "48000", "-c", "2", "-b", "16", "x.wav", "synth", "0.7", "sine", "500")
    try fixture.run("opusenc", "--quiet", "--title", "Ünï", "--bitrate", "80", "x.wav", "x.opus")
    let read = try fixture.read("x.opus")
    #expect(read.source.frameCount == 33600)
    #expect(read.source.metadata.values("TITLE") == ["Ünï"])
    #expect(read.source.format.id == "opus")
    #expect(try #require(read.source.bitRate) > 20000)
    let info = try fixture.run("opusinfo", "x.opus")
    #expect(!info.outputText.contains("WARNING"))
  }

  /// Some encoders round the length up: the last position may exceed the packets by less than one.
  @Test func endPositionBeyondThePacketsIsNotTruncation() throws {
    let fixture = try AudioFixture()
    // Several pages: libsndfile refuses such a position on the first.
    try fixture.write(
      "x.opus", Signal.tones(frames: 200_000, channels: 1, rate: 48000), as: "opus",
      layout: .mono, rate: 48000)
    let whole = try Files.read(fixture.path("x.opus"))
    let last = try #require(OggBytes.pages(whole).last)
    let header = try #require(whole.firstRange(of: Array("OpusHead".utf8))).lowerBound
    let delay = Int(whole[header + 10]) | Int(whole[header + 11]) << 8
    // Packets have 20 ms.
    let packets = (200_000 + delay + 959) / 960 * 960
    for (excess, isWhole) in [(1, true), (10, true), (959, true), (960, false), (4800, false)] {
      var bytes = whole
      for index in 0..<8 {
        bytes[last.offset + 6 + index] = UInt8(
          truncatingIfNeeded: (packets + excess) >> (8 * index))
      }
      OggBytes.seal(&bytes, pageAt: last.offset)
      try Files.write(bytes, to: fixture.path("y.opus"))
      if isWhole {
        #expect(try fixture.read("y.opus").source.frameCount == packets - delay)
      } else {
        #expect(throws: AudioFileError.self) { try fixture.read("y.opus") }
      }
    }
  }

  /// With any attachments, conversions use the bit rate of the audio.
  @Test func picturesAreNotAudio() throws {
    let fixture = try AudioFixture()
    try fixture.run(
      "sox", "-n", "-r", "48000", "-c", "2", "-b", "16", "x.wav", "synth", "0.7", "pinknoise")
    try fixture.run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "nullsrc=s=300x300,geq=random(1)*255:128:128",
      "-frames:v", "1", "p.png")
    try fixture.run("opusenc", "--quiet", "x.wav", "x.opus")
    try fixture.run("opusenc", "--quiet", "--picture", "p.png", "x.wav", "y.opus")
    #expect(try fixture.bytes("y.opus").count > 3 * fixture.bytes("x.opus").count)
    let plain = try #require(try fixture.read("x.opus").source.bitRate)
    #expect(try fixture.read("y.opus").source.bitRate == plain)
    #expect((60_000...140_000).contains(plain))
  }

  @Test(arguments: [(1, 24000), (2, 96000), (6, 256_000)])
  func bitRateIsCloseToTheRequestedOne(channels: Int, bitRate: Int) throws {
    let fixture = try AudioFixture()
    let samples = Signal.noise(frames: 96000, channels: channels).map { $0 / 4 }
    let layout =
      channels == 6
      ? try #require(ChannelLayout(mask: 0x3F, channelCount: 6))
      : ChannelLayout.assumed(channelCount: channels)
    try fixture.write(
      "x.opus", samples, as: "opus", layout: layout, options: EncodingOptions(bitRate: bitRate))
    let size = try fixture.bytes("x.opus").count
    #expect(abs(Double(size * 8) / 2 / Double(bitRate) - 1) < 0.2)
  }

  @Test func aCutFileIsTruncated() throws {
    let fixture = try AudioFixture()
    let samples = Signal.noise(frames: 144_000, channels: 2).map { $0 / 4 }
    try fixture.write("x.opus", samples, as: "opus", layout: .stereo)
    let bytes = try fixture.bytes("x.opus")
    for count in [bytes.count / 2, bytes.count * 2 / 3, bytes.count - 1] {
      try fixture.put("cut.opus", bytes[..<count])
      #expect("at \(count)") { try fixture.read("cut.opus") } throws: {
        errorName($0) == "truncated"
      }
      let salvaged = try fixture.read("cut.opus", salvaging: true)
      #expect(salvaged.source.frameCount < 144_000)
      #expect(salvaged.samples.count == salvaged.source.frameCount * 2)
      #expect(salvaged.source.warnings.map(\.text).first?.hasPrefix("salvaged ") == true)
    }
  }

  @Test func ratesAndOptionsThatOpusLacksAreRefused() throws {
    let fixture = try AudioFixture()
    #expect { try fixture.write("x", [0], as: "opus", layout: .mono, rate: 44100) } throws: {
      errorName($0) == "cannotHold"
    }
    for options in [EncodingOptions(bitRate: 1000), EncodingOptions(quality: 5)] {
      #expect { try fixture.write("x", [0], as: "opus", layout: .mono, options: options) } throws: {
        errorName($0) == "cannotHold"
      }
    }
  }
}
