import AudioModel
import Foundation
import TestSupport
import Testing

@testable import AudioIO

/// Lossy files are as long as what was encoded: as they are read, and as other decoders read what is
/// written here.
@Suite("Exact lengths of lossy files")
struct LossyLengthTests {
  static let lengths = [1, 500, 1151, 1152, 1153, 44_100, 66_151]

  private func noise(_ fixture: AudioFixture, frames: Int, rate: Int, channels: Int = 2) throws {
    try fixture.run(
      "sox", "-R", "-r", "\(rate)", "-n", "-c", "\(channels)", "-b", "16", "x.wav", "synth",
      "\(frames)s", "pinknoise", "vol", "0.4")
  }

  private func frames(of name: String, _ fixture: AudioFixture) throws -> Int {
    try Int(
      fixture.run("soxi", "-s", name).outputText.trimmingCharacters(in: .whitespacesAndNewlines))
      ?? -1
  }

  // MARK: Written here, decoded by others

  @Test(arguments: lengths, ["mpg123", "lame", "ffmpeg"])
  func writtenMP3(frames: Int, decoder: String) throws {
    // These two give up on less than a frame.
    if frames == 1 && decoder != "mpg123" { return }
    let fixture = try AudioFixture()
    for (rate, options) in [
      (44100, EncodingOptions(bitRate: 128_000)), (44100, EncodingOptions(quality: 4)),
      (48000, EncodingOptions(bitRate: 320_000)), (22050, EncodingOptions()),
    ] {
      try fixture.write(
        "x.mp3", Signal.tones(frames: frames, channels: 2, rate: rate), as: "mp3", layout: .stereo,
        rate: rate, options: options)
      switch decoder {
      case "mpg123": try fixture.run("mpg123", "-q", "-w", "y.wav", "x.mp3")
      case "lame": try fixture.run("lame", "--quiet", "--decode", "x.mp3", "y.wav")
      default: try fixture.run("ffmpeg", "-v", "error", "-y", "-i", "x.mp3", "y.wav")
      }
      #expect(try self.frames(of: "y.wav", fixture) == frames, "\(rate) Hz, \(options)")
    }
  }

  @Test(arguments: lengths, ["oggdec", "ffmpeg"])
  func writtenVorbis(frames: Int, decoder: String) throws {
    // ffmpeg does not cut a stream's end on its only page of audio.
    if frames < 2000 && decoder == "ffmpeg" { return }
    let fixture = try AudioFixture()
    try fixture.write(
      "x.ogg", Signal.tones(frames: frames, channels: 2, rate: 44100), as: "ogg", layout: .stereo,
      rate: 44100)
    if decoder == "oggdec" {
      try fixture.run("oggdec", "-Q", "-o", "y.wav", "x.ogg")
    } else {
      try fixture.run("ffmpeg", "-v", "error", "-i", "x.ogg", "y.wav")
    }
    #expect(try self.frames(of: "y.wav", fixture) == frames)
  }

  @Test(arguments: lengths, ["opusdec", "ffmpeg"])
  func writtenOpus(frames: Int, decoder: String) throws {
    let fixture = try AudioFixture()
    try fixture.write(
      "x.opus", Signal.tones(frames: frames, channels: 2), as: "opus", layout: .stereo)
    if decoder == "opusdec" {
      try fixture.run("opusdec", "--quiet", "x.opus", "y.wav")
    } else {
      try fixture.run("ffmpeg", "-v", "error", "-i", "x.opus", "y.wav")
    }
    #expect(try self.frames(of: "y.wav", fixture) == frames)
  }

  // MARK: Written by others, read here

  @Test(arguments: lengths)
  func vorbisAndOpusOfOtherPrograms(frames: Int) throws {
    let fixture = try AudioFixture()
    try noise(fixture, frames: frames, rate: 48000)
    try fixture.run("oggenc", "-Q", "-o", "a.ogg", "x.wav")
    try fixture.run("opusenc", "--quiet", "x.wav", "a.opus")
    try fixture.run("ffmpeg", "-v", "error", "-i", "x.wav", "-c:a", "libopus", "b.opus")
    for name in ["a.ogg", "a.opus", "b.opus"] {
      let read = try fixture.read(name)
      #expect(read.source.frameCount == frames, "\(name)")
      #expect(read.samples.count == 2 * frames, "\(name)")
    }
  }

  /// A file cut by vcut begins at a position that is not 0.
  @Test(arguments: [1, 10_000, 100_001])
  func vorbisCutByVcut(at frame: Int) throws {
    let fixture = try AudioFixture()
    try noise(fixture, frames: 132_300, rate: 44100)
    try fixture.run("oggenc", "-Q", "-o", "x.ogg", "x.wav")
    try fixture.run("vcut", "x.ogg", "a.ogg", "b.ogg", "\(frame)")
    for (name, frames) in [("a.ogg", frame), ("b.ogg", 132_300 - frame)] {
      try fixture.run("oggdec", "-Q", "-o", "y.wav", name)
      #expect(try self.frames(of: "y.wav", fixture) == frames)
      #expect(try fixture.read(name).samples.count == 2 * frames)
    }
  }

  /// ffmpeg leaves packets before the cut, and a position that shows how many of their frames are dropped.
  @Test(arguments: [1, 2, 3])
  func vorbisCutByFFmpeg(seconds: Int) throws {
    let fixture = try AudioFixture()
    try noise(fixture, frames: 220_500, rate: 44100)
    try fixture.run("oggenc", "-Q", "-o", "x.ogg", "x.wav")
    try fixture.run(
      "ffmpeg", "-v", "error", "-ss", "\(seconds)", "-i", "x.ogg", "-c", "copy", "cut.ogg")
    let read = try fixture.read("cut.ogg")
    #expect(read.source.frameCount == 220_500 - 44_100 * seconds)
    let whole = try fixture.read("x.ogg").samples.suffix(read.samples.count)
    // The first packet has nothing to lap over.
    let differing = zip(read.samples, whole).enumerated().filter { abs(Int($1.0) - Int($1.1)) > 1 }
    #expect(differing.allSatisfy { $0.offset < 2 * 2048 }, "\(differing.last?.offset ?? 0)")
  }

  /// A file whose beginning was cut off keeps the positions of what is left.
  @Test func opusCutByFFmpeg() throws {
    let fixture = try AudioFixture()
    try noise(fixture, frames: 240_000, rate: 48000)
    try fixture.run("opusenc", "--quiet", "x.wav", "x.opus")
    try fixture.run("ffmpeg", "-v", "error", "-ss", "2", "-i", "x.opus", "-c", "copy", "cut.opus")
    try fixture.run("opusdec", "--quiet", "cut.opus", "y.wav")
    #expect(try fixture.read("cut.opus").source.frameCount == frames(of: "y.wav", fixture))
  }

  /// RFC 7845 section 5.1: the decoder applies the gain of the header.
  @Test func opusOutputGainIsApplied() throws {
    let fixture = try AudioFixture()
    try fixture.write(
      "x.opus", Signal.tones(frames: 24000, channels: 1), as: "opus", layout: .mono)
    var bytes = try fixture.bytes("x.opus")
    let loud = try fixture.read("x.opus").samples
    // -12 dB in 1/256 dB, in the first packet of the first page, whose checksum is recomputed.
    let packet = 27 + Int(bytes[26])
    bytes[packet + 16] = 0x00
    bytes[packet + 17] = 0xF4
    for index in 22..<26 { bytes[index] = 0 }
    let checksum = oggChecksum(bytes[0..<packet + Int(bytes[27])])
    for index in 0..<4 { bytes[22 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index)) }
    try fixture.put("x.opus", bytes)
    let quiet = try fixture.read("x.opus").samples
    #expect(quiet.count == loud.count)
    func power(_ samples: [Int16]) -> Double {
      samples.map { Double($0) * Double($0) }.reduce(0, +)
    }
    #expect(abs(10 * log10(power(quiet) / power(loud)) + 12) < 0.1)
    try fixture.run("opusdec", "--quiet", "x.opus", "y.wav")
    #expect(abs(power(try fixture.read("y.wav").samples) / power(quiet) - 1) < 0.02)
  }

  /// RFC 3533 section 6: the generator 0x04C11DB7, from 0, nothing reflected.
  private func oggChecksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { checksum, byte in
      (0..<8).reduce(checksum ^ UInt32(byte) << 24) { value, _ in
        value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1
      }
    }
  }

  // MARK: MP3 without LAME's header

  /// An ID3v2.3 tag with one comment, in Latin-1 or UTF-16.
  private func tag(comment text: String, wide: Bool) -> [UInt8] {
    func encoded(_ text: String) -> [UInt8] {
      if !wide { return Array(text.utf8) }
      return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
    let end: [UInt8] = wide ? [0, 0] : [0]
    let content = [wide ? 1 : 0] + Array("eng".utf8) + encoded("iTunSMPB") + end + encoded(text)
    let size = content.count
    let frame = Array("COMM".utf8) + [0, 0, UInt8(size >> 8), UInt8(size & 0xFF), 0, 0] + content
    return Array("ID3".utf8) + [3, 0, 0, 0, 0, UInt8(frame.count >> 7), UInt8(frame.count & 0x7F)]
      + frame
  }

  private func hex(_ number: Int, _ digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  @Test(arguments: [false, true])
  func iTunesCommentTrimsMP3(wide: Bool) throws {
    let fixture = try AudioFixture()
    try noise(fixture, frames: 66_150, rate: 44100)
    // The same audio with and without LAME's header, which has the values that the comment has later.
    try fixture.run("lame", "--quiet", "--cbr", "-b", "128", "x.wav", "header.mp3")
    try fixture.run("lame", "--quiet", "-t", "--cbr", "-b", "128", "x.wav", "bare.mp3")
    let bare = try fixture.bytes("bare.mp3")
    let all = try fixture.read("bare.mp3").source.frameCount
    func comment(_ delay: Int, _ frames: Int) -> String {
      let padding = all - delay - frames
      return " 00000000 \(hex(delay, 8)) \(hex(padding, 8)) \(hex(frames, 16)) 00000000 00012345"
    }
    try fixture.put("x.mp3", tag(comment: comment(576, 66_150), wide: wide) + bare)
    let read = try fixture.read("x.mp3")
    #expect(read.source.frameCount == 66_150)
    #expect(read.samples == (try fixture.read("header.mp3").samples))
    // Numbers that do not add up to what is there are not believed.
    for lie in [" 00000000 00000240 FFFFFFFF 0000000000000001", " 0 1", "", " x y z w"] {
      try fixture.put("lie.mp3", tag(comment: lie, wide: wide) + bare)
      #expect(try fixture.read("lie.mp3").source.frameCount == all)
    }
    let large = " 0 7FFFFFFFFFFFFFFF 7FFFFFFFFFFFFFFF 7FFFFFFFFFFFFFFF"
    try fixture.put("lie.mp3", tag(comment: large, wide: wide) + bare)
    #expect(try fixture.read("lie.mp3").source.frameCount == all)
  }

  @Test(arguments: [160, 330, 640], [true, false])
  func freeFormatMP3(kilobits: Int, hasHeader: Bool) throws {
    let fixture = try AudioFixture()
    try noise(fixture, frames: 50_000, rate: 44100)
    let header = hasHeader ? [] : ["-t"]
    let made = try Tool.run(
      "lame", ["--quiet", "--freeformat", "-b", "\(kilobits)"] + header + ["x.wav", "x.mp3"],
      in: fixture.folder.path)
    try #require(made.status == 0)
    try fixture.run("mpg123", "-q", "-w", "y.wav", "x.mp3")
    let read = try fixture.read("x.mp3")
    #expect(read.source.frameCount == (try frames(of: "y.wav", fixture)))
    if hasHeader { #expect(read.source.frameCount == 50_000) }
    let rate = try #require(read.source.bitRate)
    #expect(abs(rate - kilobits * 1000) < 2000)
    let bytes = try fixture.bytes("x.mp3")
    try fixture.put("cut.mp3", bytes[..<(bytes.count * 2 / 3 - 7)])
    #expect { try fixture.read("cut.mp3") } throws: { errorName($0) == "truncated" }
  }

  // MARK: CAF

  /// ALAC's last packet is padded; `pakt` gives the amount.
  @Test(arguments: [1, 4095, 4096, 4097, 12_345])
  func losslessCAF(frames: Int) throws {
    let fixture = try AudioFixture()
    try noise(fixture, frames: frames, rate: 44100)
    try fixture.run("ffmpeg", "-v", "error", "-i", "x.wav", "-c:a", "alac", "x.caf")
    let read = try fixture.read("x.caf")
    #expect(read.source.frameCount == frames)
    #expect(read.samples == (try fixture.decodeWithFFmpeg("x.wav")))
  }
}
