import AudioFiles
import TestSupport
import Testing

@testable import AudioIO

@Suite("Recognizing formats by content", .tags(.packageTraits))
struct ContentSnifferTests {
  private func sniff(_ fixture: AudioFixture, _ name: String) throws -> String? {
    let input = try InputFile(path: fixture.path(name))
    return try ContentSniffer.format(of: input)?.id
  }

  @Test func filesOfOtherProgramsAreRecognized() throws {
    let fixture = try AudioFixture()
    try fixture.run(
      "sox", "-n", "-r", "16000", "-c", "1", "-b", "16", "x.wav", "synth", "0.5", "sine", "300")
    let sox = [
      "aiff", "aifc", "au", "caf", "w64", "nist", "ircam", "paf", "mat4", "mat5", "pvf",
      "htk", "8svx", "flac", "ogg",
    ]
    for kind in sox {
      try fixture.run("sox", "x.wav", "x.\(kind)")
      let expected = kind == "8svx" ? "svx" : kind
      #expect(try sniff(fixture, "x.\(kind)") == expected)
    }
    for kind in ["avr", "xi", "sds", "svx"] {
      try fixture.run("sndfile-convert", "x.wav", "x.\(kind)")
      #expect(try sniff(fixture, "x.\(kind)") == kind)
    }
    try fixture.run("lame", "--quiet", "x.wav", "x.mp3")
    try fixture.run("lame", "--quiet", "--add-id3v2", "--tt", "T", "x.wav", "tagged.mp3")
    try fixture.run("ffmpeg", "-v", "error", "-i", "x.wav", "-c:a", "mp2", "x.mp2")
    try fixture.run("opusenc", "--quiet", "x.wav", "x.opus")
    try fixture.run("flac", "--silent", "--ogg", "-o", "x.oga", "x.wav")
    try fixture.run("ffmpeg", "-v", "error", "-i", "x.wav", "-rf64", "always", "rf64.wav")
    let names = [
      ("x.wav", "wav"), ("x.mp3", "mp3"), ("tagged.mp3", "mp3"), ("x.mp2", "mp2"),
      ("x.opus", "opus"),
      ("x.oga", "oga"), ("rf64.wav", "rf64"),
    ]
    for (name, id) in names { #expect(try sniff(fixture, name) == id) }
  }

  @Test func leadingTagsAreSkipped() throws {
    let fixture = try AudioFixture()
    try fixture.run("sox", "-n", "-r", "16000", "-b", "16", "x.flac", "synth", "0.1", "sine", "300")
    let tag: [UInt8] =
      Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 128)
    try fixture.put("tagged.flac", tag + tag + (try fixture.bytes("x.flac")))
    #expect(try sniff(fixture, "tagged.flac") == "flac")
    try fixture.put("tag", tag)
    #expect(try sniff(fixture, "tag") == nil)
  }

  @Test func formatsOfFFmpegAreRecognizedIfItIsInstalled() throws {
    let fixture = try AudioFixture()
    try fixture.run("sox", "-n", "-r", "44100", "-b", "16", "x.wav", "synth", "0.5", "sine", "300")
    let kinds = [
      ("m4a", "m4a"), ("mka", "mka"), ("wma", "wma"), ("wv", "wavpack"), ("tta", "tta"),
      ("ac3", "ac3"), ("aac", "aac"), ("voc", "voc"),
    ]
    for (kind, id) in kinds {
      try fixture.run("ffmpeg", "-v", "error", "-i", "x.wav", "x.\(kind)")
      #if FFmpeg
        #expect(try sniff(fixture, "x.\(kind)") == id)
      #else
        #expect(try sniff(fixture, "x.\(kind)") == nil, "\(id)")
      #endif
    }
  }

  @Test(arguments: 1...20)
  func noiseIsNotAudio(seed: UInt32) throws {
    let fixture = try AudioFixture()
    let noise = Signal.noise(frames: 100_000, channels: 1, seed: seed).map {
      UInt8(truncatingIfNeeded: $0 >> 8)
    }
    try fixture.put("x", noise)
    #expect(try sniff(fixture, "x") == nil)
    // Twelve set bits are all that an MPEG frame begins with.
    try fixture.put("x", [0xFF, 0xFB, 0x90, 0x64] + noise)
    #expect(try sniff(fixture, "x") == nil)
  }
}
