import TestSupport
import Testing

/// Lines and records of conversions by option; `ScaleAudioTests` tests the audio.
@Suite("Options of conversions")
struct ConversionOptionTests {
  let bench: Workbench

  init() throws { bench = try Workbench(["in.wav": Sound.wav, "in.flac": Sound.flac]) }

  private func run(_ arguments: String...) throws -> Tool {
    try Tool.run(Program.path, arguments, in: bench.folder.path)
  }

  @Test func tagEncoding() throws {
    let title = Array("INAM".utf8) + [6, 0, 0, 0, 0xC0, 0xB6, 0xC1, 0xAB, 0xBB, 0xA8]
    let point =
      [1, 0, 0, 0, 7, 0, 0, 0] + [0, 16, 0, 0] + Array("data".utf8) + [0, 0, 0, 0, 0, 0, 0, 0]
    let cue = Array("cue ".utf8) + [28, 0, 0, 0] + point + [0, 16, 0, 0]
    let label = Array("labl".utf8) + [10, 0, 0, 0, 7, 0, 0, 0] + title.suffix(6)
    let list =
      Array("LIST".utf8) + [18, 0, 0, 0] + Array("INFO".utf8) + title + cue
      + Array("LIST".utf8) + [22, 0, 0, 0] + Array("adtl".utf8) + label
    let wav = try Sound.wav + list
    try bench.folder.write(
      "gbk.wav", wav[..<4] + (wav.count - 8).littleEndianBytes + wav[8...])
    let unknown = try run("-f", "1", "-o", "a.flac", "gbk.wav")
    #expect(unknown.errorText.contains("--tag-encoding NAME says which it is"))
    // The remedy works.
    let known = try run("-f", "1", "-o", "b.flac", "--tag-encoding", "GBK", "gbk.wav")
    #expect(known.status == 0 && !known.errorText.contains("tag-encoding"))
    #expect(try bench.flacTags("b.flac").contains("TITLE=蓝莲花"))
    #expect(try run("info", "--tag-encoding", "GBK", "gbk.wav").outputText.contains("蓝莲花"))
    let drawn = try run("plot", "--tag-encoding", "GBK", "gbk.wav", "-o", "gbk.svg")
    #expect(drawn.status == 0 && drawn.errorText.contains("gbk.svg"))
    #expect(String(decoding: try bench.bytes("gbk.svg"), as: UTF8.self).contains("蓝莲花"))
    let wrong = try run("-f", "1", "-o", "c.flac", "--tag-encoding", "nonsense", "gbk.wav")
    #expect(wrong.status == 64 && wrong.errorText.contains("iconv -l lists them"))
  }

  @Test func onlyTheFormat() throws {
    let run = try bench.convert(["--format", "aiff", "in.wav"])
    #expect(run.record["output"] as? String == "in.aiff")
    #expect(run.reported.contains(", same length\n") && !run.reported.contains("smoothstep"))
  }

  @Test(arguments: [
    ("8", 8, "int8"), ("16", 16, "int16"), ("24", 24, "int24"), ("32", 32, "int32"),
    ("f32", 32, "float32"), ("f64", 64, "float64"),
    ("24-bit", 24, "int24"), ("s16", 16, "int16"), ("32f", 32, "float32"), ("Float", 32, "float32"),
    ("double", 64, "float64"),
  ])
  func bits(option: String, bits: Int, format: String) throws {
    let record = try bench.convert(["-f", "1.5", "--bits", option, "in.wav"]).record
    #expect(record["outputBits"] as? Int == bits)
    #expect(record["outputSampleFormat"] as? String == format)
  }

  /// Abilities that a format lacks are errors with a remedy.
  @Test(arguments: [
    (
      ["-f", "2", "--bits", "f32", "in.flac"], "holds no 32-bit float samples; --format wav or caf"
    ),
    (["--rate", "44100", "-o", "x.opus", "in.wav"], "give --rate 48000 or 24000"),
    (["--rate", "44100", "--format", "opus", "in.wav"], "give --rate 48000 or 24000"),
    (["-f", "1.5", "in.wav", "--format", "aac", "--bitrate", "900k"], "529k"),
  ])
  func limitsOfFormats(arguments: [String], message: String) throws {
    let run = try Tool.run(Program.path, arguments, in: bench.folder.path)
    #expect(run.status != 0 && run.errorText.contains(message), "\(run.errorText)")
    #expect(try bench.folder.names() == ["in.flac", "in.wav"])
  }

  @Test func layoutLoss() throws {
    try bench.shell(
      "ffmpeg -v error -f lavfi -i anoisesrc=d=0.1:r=48000 -af 'aformat=channel_layouts=5.1(side)' "
        + "-c:a pcm_s16le 5.1.wav; sox -n -r 48000 -c 6 bare.au synth 0.1 noise")
    let refused = try run("-f", "1", "-o", "x.ogg", "5.1.wav")
    #expect(refused.status == 1 && refused.errorText.contains("--allow-layout-loss"))
    let allowed = try run("-f", "1", "--allow-layout-loss", "-o", "x.ogg", "5.1.wav").succeeded()
    #expect(allowed.errorText.contains("it is written as 5.1, with SL as BL, SR as BR"))
    let unknown = try run("-f", "1", "--mono", "--downmix", "itu", "-o", "x.au", "bare.au")
    #expect(unknown.status == 1)
    #expect(
      unknown.errorText.contains("are not known, so it has no ITU downmix; leave out --downmix"))
  }

  @Test func sidecars() throws {
    try bench.folder.write("in.lrc", Array("[00:00.10]one\n".utf8))
    try bench.folder.write("in.srt", [])
    let run = try bench.convert(["--sidecars", "-f", "2", "in.wav"])
    #expect(run.record["sidecars"] as? [String] == ["in-x2.lrc"])
    #expect(run.reported.contains("sidecar in.srt: "), "\(run.reported)")
    #expect(try bench.text("in-x2.lrc") == "[00:00.20]one\n")
  }

  @Test func tags() throws {
    try bench.run(
      "metaflac", "--remove-all-tags", "--set-tag=TITLE=song",
      "--set-tag=REPLAYGAIN_TRACK_GAIN=-3 dB", "in.flac")
    func convert(_ arguments: String...) throws -> (record: [String: Any], reported: String) {
      try bench.convert(["-f", "1.5", "in.flac", "-o"] + arguments)
    }
    let stale = try convert("out.flac", "-v")
    #expect(stale.record["staleTags"] as? [String] == ["REPLAYGAIN_TRACK_GAIN"])
    #expect(stale.record["notCarried"] as? [String] == [])
    #expect(stale.record["warnings"] as? [String] == [])
    #expect(stale.reported.contains("left out because no longer valid: REPLAYGAIN_TRACK_GAIN"))
    let kept = try convert("out.flac", "--keep-stale-tags", "--keep-mtime")
    #expect(kept.record["staleTags"] as? [String] == [])
    let times = try bench.run("stat", "-c", "%.3Y", "in.flac", "out.flac").outputText
    #expect(Set(times.split(separator: "\n")).count == 1)
    let lost = try convert("out.au")
    #expect(lost.record["notCarried"] as? [String] == ["tag TITLE"])
    #expect(lost.record["warnings"] as? [String] == ["not carried to the output: tag TITLE"])
    #expect(lost.reported.contains("not carried to the output: tag TITLE"))
    #expect(try !convert("out.au", "--metadata", "none").reported.contains("not carried"))
  }

  #if FFmpeg
    @Test func tracks() throws {
      try bench.shell(
        "ffmpeg -v error -i in.wav -f lavfi -i sine=d=0.25:r=48000 -map 0 -map 1 -c:a flac two.mka")
      let both = try bench.convert(["-f", "1", "--format", "wav", "two.mka"])
      #expect(both.reported.contains("2 audio tracks; track 1 is converted"), "\(both.reported)")
      let second = try bench.convert(["-f", "1", "--track", "2", "-o", "b.wav", "two.mka"])
      #expect(second.record["outputFrames"] as? Int == 12_000)
    }

    /// The name of a codec is that of a format too.
    @Test(arguments: ["aac", "alac"])
    func codecs(codec: String) throws {
      _ = try bench.convert(["-f", "1.5", "in.wav", "--format", codec])
      #expect(
        try bench.entries("stream=codec_name,duration_ts", of: "in-x1.5.m4a") == "\(codec),33075")
    }

    /// Containers that are written with seeks, and those that are read from their end, go through pipes whole.
    @Test func containersThroughPipes() throws {
      // Frames of AMR's highest rate, 31 bytes and one in front: any content is speech.
      var speech: [UInt8] = []
      for frame in 0..<50 { speech += [0x3C] + (0..<31).map { UInt8($0 * 6 + frame) } }
      try bench.folder.write("voice.amr", Array("#!AMR\n".utf8) + speech)
      try Program.shell(
        "$scaleaudio -f 1.5 --format m4a -o - - < in.wav > out.m4a", in: bench.folder.path
      ).succeeded()
      #expect(try bench.entries("stream=codec_name,duration_ts", of: "out.m4a") == "alac,33075")
      for (name, expected) in [("out.m4a", 2 * 33_075), ("voice.amr", 8000)] {
        try Program.shell(
          "$scaleaudio -f 1 --format wav -o out.wav --overwrite - < \(name)", in: bench.folder.path
        ).succeeded()
        #expect(try bench.int16("out.wav").count == expected)
      }
    }
  #endif
}

extension Int {
  /// The lowest four bytes, least significant first.
  fileprivate var littleEndianBytes: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}
