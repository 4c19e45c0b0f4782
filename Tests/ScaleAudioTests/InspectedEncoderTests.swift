import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Encoders in `info`: LAME by its own options, Opus by its rate, AAC by its profile.
@Suite("Inspected files: encoders")
struct InspectedEncoderTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
    try bench.shell("sox -R -n -r 44100 -c 2 -b 16 x.wav synth 2 pinknoise gain -3")
  }

  @Test(arguments: [
    ("-V 2", "V2"), ("-V 0", "V0"), ("-b 320", "CBR 320"), ("-b 128", "CBR 128"),
    ("--abr 192", "ABR 192"), ("--preset standard", "V2"),
  ])
  func settingsOfLAME(options: String, name: String) throws {
    try bench.shell("lame --quiet \(options) x.wav x.mp3")
    let version = try bench.shell("lame --version").outputText
    let number = try #require(
      version.split(separator: " ").first { $0.contains(".") && $0.first?.isNumber == true })
    #expect(try bench.inspect("x.mp3").source.storage.encoder == "LAME \(number), \(name)")
    #expect(try bench.inspect("x.mp3").source.storage.delay == 576)
  }

  /// libavcodec states its name only; what states nothing has none.
  @Test func otherEncodersHaveNoSetting() throws {
    try bench.shell("ffmpeg -v error -i x.wav -b:a 192k x.mp3")
    let encoder = try #require(try bench.inspect("x.mp3").source.storage.encoder)
    #expect(encoder.hasPrefix("Lavc") && !encoder.contains(","))
    try bench.shell("ffmpeg -v error -i x.wav -write_xing 0 y.mp3")
    #expect(try bench.inspect("y.mp3").source.storage.encoder == nil)
    #expect(try bench.inspect("x.wav").source.storage.encoder == nil)
  }

  @Test(arguments: [(16000, 48000), (48000, nil)] as [(Int, Int?)])
  func opusCodesAt48Kilohertz(rate: Int, codec: Int?) throws {
    try bench.shell("ffmpeg -v error -i x.wav -ar \(rate) -c:a libopus x.opus")
    let facts = try bench.inspect("x.opus")
    #expect(facts.source.spec.sampleRate == rate && facts.source.storage.codecSampleRate == codec)
  }

  #if FFmpeg
    @Test func profileOfAAC() throws {
      try bench.shell(
        "ffmpeg -v error -i x.wav -c:a aac x.m4a && ffmpeg -v error -i x.wav -c:a aac x.aac")
      for name in ["x.m4a", "x.aac"] {
        #expect(try bench.inspect(name).source.storage.profile == "LC")
      }
      #expect(try bench.inspect("x.wav").source.storage.profile == nil)
    }
  #endif
}
