import AudioFiles
import AudioModel
import Foundation
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO

/// Lossy files that begin and end within a sound: their encoders get what is around them, and no player plays it.
@Suite("Pre-roll and post-roll")
struct RollTests {
  private static let formats = ["mp3"]

  /// A tone whose periods are no whole number of frames, the same in all channels.
  private func tone(_ frames: Int, _ channels: Int, rate: Int) -> [Float] {
    (0..<frames).flatMap { frame in
      let value = Float(0.5 * sin(2 * Double.pi * 441.7 * Double(frame) / Double(rate)))
      return [Float](repeating: value, count: channels)
    }
  }

  /// The samples of a file as ffmpeg decodes them, or oggdec, because ffmpeg 5.1 loses a block of Vorbis.
  private func decoded(_ fixture: AudioFixture, _ name: String) throws -> [Float] {
    var name = name
    if name.hasSuffix(".ogg") {
      try fixture.run("oggdec", "-Q", "-o", "oggdec.wav", name)
      name = "oggdec.wav"
    }
    return try Raw.float(
      fixture.run("ffmpeg", "-v", "error", "-i", name, "-f", "f32le", "-c:a", "pcm_f32le", "-")
        .output)
  }

  /// The error of the samples in a range, as a share of the energy of the tone, in dB.
  private func error(_ found: [Float], _ wanted: ArraySlice<Float>, _ range: Range<Int>) -> Double {
    let share = range.reduce(0.0) { (sum: Double, index: Int) -> Double in
      let error = Double(found[index] - wanted[wanted.startIndex + index])
      return sum + error * error
    }
    return 10 * log10(share / (Double(range.count) * 0.125) + 1e-12)
  }

  @Test(arguments: formats, [(44100, 1), (48000, 2), (24000, 2), (16000, 1)])
  func bothEndsSoundLikeTheMiddle(format: String, stream: (rate: Int, channels: Int)) throws {
    let rate = format == "opus" && stream.rate == 44100 ? 48000 : stream.rate
    let channels = stream.channels
    let fixture = try AudioFixture()
    let rolls = try #require(AudioFormat.named(format)).rolls(at: rate)
    let frames = 30_011
    let all = tone(rolls.before + frames + rolls.after, channels, rate: rate)
    let layout = ChannelLayout.assumed(channelCount: channels)
    let options = EncodingOptions(bitRate: rate < 32000 ? 48_000 * channels : 96_000 * channels)
    let wanted = all[rolls.before * channels..<(rolls.before + frames) * channels]
    try fixture.write(
      "x.\(format)", all, as: format, layout: layout, rate: rate, options: options,
      preRoll: rolls.before, postRoll: rolls.after)
    try fixture.write(
      "alone.\(format)", Array(wanted), as: format, layout: layout, rate: rate, options: options)
    // Other programs decode Opus at 48 kHz.
    let scale = format == "opus" ? 48000 / rate : 1
    let played = tone(
      scale * (rolls.before + frames), channels, rate: scale * rate
    ).dropFirst(scale * rolls.before * channels)
    func ends(_ name: String) throws -> (first: Double, middle: Double, last: Double) {
      let found = try decoded(fixture, name)
      let count = scale * frames * channels
      // ffmpeg 5.1 gives whole packets of AAC.
      #expect((0..<(format == "m4a" ? 1024 * channels : 1)).contains(found.count - count))
      try #require(found.count >= count)
      let part = 500 * channels
      return (
        error(found, played, 0..<part), error(found, played, count / 4..<count * 3 / 4),
        error(found, played, count - part..<count)
      )
    }
    let (within, alone) = (try ends("x.\(format)"), try ends("alone.\(format)"))
    #expect(within.first < within.middle + 3, "\(within)")
    #expect(within.last < within.middle + 3, "\(within)")
    if rate >= 44100 {
      #expect(alone.first > alone.middle + 6 || alone.last > alone.middle + 6, "\(alone)")
    }
    let read = try fixture.read("x.\(format)")
    #expect(read.source.frameCount == frames)
    #expect(read.samples.count == frames * channels)
  }

  /// Ends anywhere within a block, and rolls that an album's ends make shorter.
  @Test(arguments: formats)
  func lengthsAreExact(format: String) throws {
    let fixture = try AudioFixture()
    let most = try #require(AudioFormat.named(format)).rolls(at: 48000)
    for (before, frames, after) in [
      (most.before, 1, most.after), (most.before, 959, 0), (0, 960, most.after), (5, 1152, 7),
      (most.before, 2304, 1), (1, 20_001, most.after),
    ] {
      let samples = tone(before + frames + after, 2, rate: 48000)
      try fixture.write(
        "x.\(format)", samples, as: format, layout: .stereo, preRoll: before, postRoll: after)
      #expect(try fixture.read("x.\(format)").source.frameCount == frames)
      #expect(try fixture.read("x.\(format)").samples.count == 2 * frames)
      switch format {
      case "mp3":
        try fixture.run("mpg123", "-q", "-w", "y.wav", "x.mp3")
        #expect(try fixture.read("y.wav").source.frameCount == frames)
        #expect(try decoded(fixture, "x.mp3").count == 2 * frames)
      case "opus":
        try fixture.run("opusdec", "--quiet", "--rate", "48000", "x.opus", "y.wav")
        #expect(try fixture.read("y.wav").source.frameCount == frames)
        let info = try fixture.run("opusinfo", "x.opus")
        #expect(!info.outputText.contains("WARNING") && !info.errorText.contains("WARNING"))
        #expect(try decoded(fixture, "x.opus").count == 2 * frames)
      case "ogg":
        #expect(try decoded(fixture, "x.ogg").count == 2 * frames)
        let info = try fixture.run("ogginfo", "x.ogg")
        #expect(!info.outputText.lowercased().contains("warning"), "\(info.outputText)")
      default:
        #expect(try fixture.probe("x.m4a", "duration_ts") == "\(frames)")
      }
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
