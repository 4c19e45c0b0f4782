import Foundation
import TestSupport
import Testing

/// What `info` reports about encoders: LAME by its own options, Opus by its rate, AAC by its profile.
@Suite("scaleaudio info: encoders")
struct InfoEncoderTests {
  let bench: InfoBench

  init() throws {
    bench = try InfoBench()
    try bench.run("sox -R -n -r 44100 -c 2 -b 16 x.wav synth 2 pinknoise gain -3")
  }

  @Test(arguments: [
    ("-V 2", "V2"), ("-V 0", "V0"), ("-b 320", "CBR 320"), ("-b 128", "CBR 128"),
    ("--abr 192", "ABR 192"), ("--preset standard", "V2"),
  ])
  func settingsOfLAME(options: String, name: String) throws {
    try bench.run("lame --quiet \(options) x.wav x.mp3")
    let version = try bench.run("lame --version").outputText
    let number = try #require(
      version.split(separator: " ").first { $0.contains(".") && $0.first?.isNumber == true })
    #expect(try bench.info("x.mp3")["encoder"] as? String == "LAME \(number), \(name)")
    let rows = try Program.run("info", "x.mp3", in: bench.folder.path)
    #expect(
      rows.outputText.contains("LAME \(number), \(name), 576 frames of delay"), "\(rows.outputText)"
    )
  }

  /// libavcodec states its name only; what states nothing has none.
  @Test func otherEncodersHaveNoSetting() throws {
    try bench.run("ffmpeg -v error -i x.wav -b:a 192k x.mp3")
    let encoder = try #require(try bench.info("x.mp3")["encoder"] as? String)
    #expect(encoder.hasPrefix("Lavc") && !encoder.contains(","))
    try bench.run("ffmpeg -v error -i x.wav -write_xing 0 y.mp3")
    #expect(try bench.info("y.mp3")["encoder"] == nil)
    #expect(try bench.info("x.wav")["encoder"] == nil)
  }

  @Test(arguments: [(16000, 48000), (48000, nil)] as [(Int, Int?)])
  func opusCodesAt48Kilohertz(rate: Int, codec: Int?) throws {
    try bench.run("ffmpeg -v error -i x.wav -ar \(rate) -c:a libopus x.opus")
    let facts = try bench.info("x.opus")
    #expect(facts["inputSampleRate"] as? Int == rate && facts["codecSampleRate"] as? Int == codec)
    let rows = try Program.run("info", "x.opus", in: bench.folder.path)
    #expect(rows.outputText.contains(", decoded from 48,000 Hz") == (codec != nil))
  }

  #if FFmpeg
    @Test func profileOfAAC() throws {
      try bench.run(
        "ffmpeg -v error -i x.wav -c:a aac x.m4a && ffmpeg -v error -i x.wav -c:a aac x.aac")
      for name in ["x.m4a", "x.aac"] { #expect(try bench.info(name)["profile"] as? String == "LC") }
      #expect(try bench.info("x.wav")["profile"] == nil)
    }
  #endif
}
