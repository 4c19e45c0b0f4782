import ScaleAudio
import TestSupport
import Testing

@Suite("Only another format or level")
struct FormatOnlyTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  /// Sources of each depth, and a format that holds it; ffmpeg decodes the same from both.
  @Test(arguments: [
    ("pcm_s16le", "flac"), ("pcm_s24le", "flac"), ("pcm_s32le", "caf"), ("pcm_f32le", "caf"),
    ("pcm_f64le", "w64"), ("pcm_u8", "aiff"),
  ])
  func samplesStay(codec: String, format: String) throws {
    let samples = (0..<5000).map { Double(($0 * 7919) % 1999 - 999) / 1024 }
    try bench.make("in.wav", samples, codec: codec)
    try bench.convert("in.wav", .unchanged) { $0.format = .of(format) }
    #expect(try bench.samples("in.\(format)") == bench.samples("in.wav"))
  }

  @Test func tagsStay() throws {
    try bench.folder.write("in.flac", Sound.flac)
    try bench.run(
      "metaflac", "--set-tag=TITLE=A", "--set-tag=REPLAYGAIN_TRACK_GAIN=-3.00 dB",
      "--set-tag=BPM=120", "in.flac")
    func tags(_ change: (inout ConversionSettings) -> Void) throws -> String {
      try bench.convert("in.flac", to: "out.flac", .unchanged) { change(&$0) }
      return try bench.flacTags("out.flac")
    }
    let kept = try tags { $0.encoding.compressionLevel = 8 }
    for tag in ["TITLE=A", "BPM=120", "REPLAYGAIN_TRACK_GAIN=-3.00 dB"] {
      #expect(kept.contains(tag + "\n"), "\(kept)")
    }
    // A gain that was measured on another level, or before a mix, is not true.
    #expect(try !tags { $0.level = .normalized(peak: -1) }.contains("REPLAYGAIN"))
    #expect(try !tags { $0.channels = .mono(.mean) }.contains("REPLAYGAIN"))
  }

  @Test func bitsChannelsAndLevel() throws {
    try bench.make(
      "in.wav", (0..<2000).map { Double($0 % 200 - 100) / 400 }, codec: "pcm_s24le", channels: 2)
    let bits = try bench.convert("in.wav", .unchanged) { $0.sampleFormat = .int16 }
    #expect(bits.sampleFormat == .int16)
    let mono = try bench.convert("in.wav", .unchanged) { $0.channels = .mono(.mean) }
    #expect(mono.spec.channelCount == 1)
    let level = try bench.convert("in.wav", to: "out.wav", .unchanged) {
      $0.level = .normalized(peak: -6)
    }
    #expect(level.outputFrames == 1000)
    let peak = try #require(try bench.samples("out.wav").map(\.magnitude).max())
    #expect((peak - 0.501187).magnitude < 1e-5)
  }
}
