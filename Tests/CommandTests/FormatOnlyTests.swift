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
    let run = try bench.convert(["--format", format, "in.wav"])
    #expect(run.record["output"] as? String == "in.\(format)")
    #expect(run.reported.contains(", same length, ") && !run.reported.contains("smoothstep"))
    #expect(try bench.samples("in.\(format)") == bench.samples("in.wav"))
  }

  @Test func tagsStay() throws {
    let folder = bench.folder
    try folder.write("in.flac", Sound.flac)
    let tagged = try Tool.run(
      "metaflac",
      [
        "--set-tag=TITLE=A", "--set-tag=REPLAYGAIN_TRACK_GAIN=-3.00 dB", "--set-tag=BPM=120",
        "in.flac",
      ],
      in: folder.path)
    #expect(tagged.status == 0)
    func tags(_ options: String...) throws -> String {
      _ = try bench.convert(options + ["in.flac", "-o", "out.flac"])
      return try Tool.run("metaflac", ["--export-tags-to=-", "out.flac"], in: folder.path)
        .outputText
    }
    let kept = try tags("--compression-level", "8")
    for tag in ["TITLE=A", "BPM=120", "REPLAYGAIN_TRACK_GAIN=-3.00 dB"] {
      #expect(kept.contains(tag + "\n"), "\(kept)")
    }
    // A gain that was measured on another level, or before a mix, is not true.
    #expect(try !tags("--normalize", "-1").contains("REPLAYGAIN"))
    #expect(try !tags("--mono").contains("REPLAYGAIN"))
  }

  @Test func bitsChannelsAndLevel() throws {
    try bench.make(
      "in.wav", (0..<2000).map { Double($0 % 200 - 100) / 400 }, codec: "pcm_s24le", channels: 2)
    #expect(try bench.convert(["--bits", "16", "in.wav"]).record["outputBits"] as? Int == 16)
    #expect(try bench.convert(["--mono", "in.wav"]).record["outputChannels"] as? Int == 1)
    let level = try bench.convert(["--normalize", "-6", "in.wav", "-o", "out.wav"]).record
    #expect(level["outputFrames"] as? Int == 1000)
    let peak = try #require(try bench.samples("out.wav").map(\.magnitude).max())
    #expect((peak - 0.501187).magnitude < 1e-5)
  }

  @Test(arguments: [
    [], ["--guard", "--method", "sinc"], ["--method", "sinc"], ["--preset", "tape"], ["--salvage"],
  ])
  func otherOptionsNeedALength(options: [String]) throws {
    let refusal = try #require(Program.refusal(of: ["in.wav"] + options))
    #expect(refusal.status == 64 && refusal.message.contains("--factor, --speed or --duration"))
  }
}
