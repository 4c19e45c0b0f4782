import AudioModel
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioIO

/// Lossy outputs at a rate like their source's.
@Suite("Bit rates like the source's")
struct LikeBitRateTests {
  private func source(_ id: String, codec: String, rate: Int?, channels: Int = 2) throws
    -> SourceDescription
  {
    SourceDescription(
      spec: AudioSpec(sampleRate: 48000, layout: .assumed(channelCount: channels)),
      frameCount: 48000, format: try #require(AudioFormat.named(id)), codec: codec,
      sampleFormat: nil, bitRate: rate)
  }

  private func rate(_ target: String, like source: SourceDescription, channels: Int = 2) throws
    -> Int?
  {
    try #require(AudioFormat.named(target)).bitRate(like: source, channelCount: channels)
  }

  @Test func theSameCodecKeepsTheRate() throws {
    for (id, codec) in [("mp3", "MP3"), ("ogg", "Vorbis"), ("opus", "Opus")] {
      #expect(try rate(id, like: source(id, codec: codec, rate: 131_072)) == 131_072)
    }
  }

  @Test func codecsThatNeedMoreGetMore() throws {
    let opus = try source("opus", codec: "Opus", rate: 64_000)
    #expect(try #require(try rate("mp3", like: opus)) == 98_462)
    let mp3 = try source("mp3", codec: "MP3", rate: 128_000)
    #expect(try #require(try rate("opus", like: mp3)) == 83_200)
    #expect(try #require(try rate("ogg", like: mp3)) == 102_400)
    let old = try source("mp2", codec: "MPEG layer II", rate: 192_000)
    #expect(try #require(try rate("mp3", like: old)) == 137_143)
  }

  /// 0.75 bits a sample at the least, because the other codec has to encode the whole spectrum.
  @Test func highEfficiencyAACNeedsMoreInOtherCodecs() throws {
    let low = try source("m4a", codec: "HE-AAC (Advanced Audio Coding)", rate: 32_000)
    #expect(try rate("m4a", like: low) == 72_000)
    #expect(try rate("m4a", like: low, channels: 1) == 36_000)
    #expect(try rate("opus", like: low) == 41_600)
    let high = try source("m4a", codec: "HE-AAC (Advanced Audio Coding)", rate: 64_000)
    #expect(try rate("m4a", like: high) == 102_400)
    let m4a = try #require(AudioFormat.named("m4a"))
    #expect(
      m4a.bitRateWarning(like: low, channelCount: 2)
        == "its HE-AAC has 32 kb/s; M4A needs more for the same quality, so it is written at about "
        + "72 kb/s")
    // Parametric stereo: a third of what MP3 needs.
    let stereo = try source("m4a", codec: "HE-AAC v2 (Advanced Audio Coding)", rate: 35_000)
    #expect(try rate("m4a", like: stereo) == 80_000)
    #expect(try rate("mp3", like: stereo) == 100_000)
    #expect(m4a.bitRateWarning(like: stereo, channelCount: 2) != nil)
    let plain = try source("m4a", codec: "AAC (Advanced Audio Coding)", rate: 32_000)
    #expect(try rate("m4a", like: plain) == 32_000)
    #expect(m4a.bitRateWarning(like: plain, channelCount: 2) == nil)
  }

  @Test func fewerChannelsGetProportionallyFewerBits() throws {
    let mp3 = try source("mp3", codec: "MP3", rate: 128_000)
    #expect(try rate("mp3", like: mp3, channels: 1) == 64_000)
  }

  @Test func missingAndLosslessRatesAreNotUsed() throws {
    #expect(try rate("mp3", like: source("mp3", codec: "MP3", rate: nil)) == nil)
    #expect(try rate("wav", like: source("mp3", codec: "MP3", rate: 128_000)) == nil)
    var pcm = try source("wav", codec: "PCM 16-bit", rate: 1_536_000)
    pcm.sampleFormat = .int16
    #expect(try rate("mp3", like: pcm) == nil)
  }

  /// The written rate is measured; pink noise needs about as much as music.
  @Test(arguments: ["mp3", "ogg", "opus"], ["mp3", "ogg", "opus"])
  func measuredRates(from: String, to: String) throws {
    let fixture = try AudioFixture()
    try fixture.run(
      "sox", "-R", "-n", "-r", "48000", "-c", "2", "-b", "16", "x.wav", "synth", "5", "pinknoise",
      "vol", "0.4")
    switch from {
    case "mp3": try fixture.run("lame", "--quiet", "-V4", "x.wav", "x.mp3")
    case "ogg": try fixture.run("oggenc", "-Q", "-q", "4", "-o", "x.ogg", "x.wav")
    default: try fixture.run("opusenc", "--quiet", "--bitrate", "96", "x.wav", "x.opus")
    }
    let read = try fixture.read("x.\(from)")
    let wanted = try #require(try rate(to, like: read.source))
    try fixture.write(
      "y.\(to)", read.samples, as: to, layout: .stereo, sourceBitRate: wanted)
    let seconds = Double(read.source.frameCount) / 48000
    func measured(_ name: String) throws -> Double {
      Double(try fixture.bytes(name).count) * 8 / seconds
    }
    // Vorbis aims at a quality; noise takes a third more than the rate that goes by its name.
    let expected = from == to ? try measured("x.\(from)") : Double(wanted)
    let written = try measured("y.\(to)")
    #expect(
      abs(written / expected - 1) < (from == to ? 0.15 : 0.4), "\(written) for \(expected)")
  }

  /// A rate for which libvorbis has no setup gets the nearest that has one, not the usual quality.
  @Test(arguments: [(8_000, "-1"), (900_000, "10")])
  func vorbisUsesTheNearestRate(wanted: Int, quality: String) throws {
    let fixture = try AudioFixture()
    try fixture.run(
      "sox", "-R", "-r", "48000", "-n", "-c", "2", "-b", "16", "x.wav", "synth", "3", "pinknoise",
      "vol", "0.4")
    try fixture.run("oggenc", "-Q", "-q", quality, "-o", "x.ogg", "x.wav")
    try fixture.write(
      "y.ogg", try fixture.read("x.wav").samples, as: "ogg", layout: .stereo, rate: 48000,
      sourceBitRate: wanted)
    let ratio =
      Double(try fixture.bytes("y.ogg").count) / Double(try fixture.bytes("x.ogg").count)
    #expect(abs(ratio - 1) < 0.25, "\(ratio)")
  }
}
