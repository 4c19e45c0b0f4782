import Foundation
import ScaleAudio
import TestSupport
import Testing

/// The program on files of every depth; other programs make the sources and decode the outputs.
@Suite("Depth")
struct DepthTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Names of FFmpeg's encodings, and the bits of an integer sample; 0 for floating point.
  static let depths: [(codec: String, bits: Int)] = [
    ("pcm_u8", 8), ("pcm_s16le", 16), ("pcm_s24le", 24), ("pcm_s32le", 32), ("pcm_f32le", 0),
    ("pcm_f64le", 0),
  ]

  private func run(_ name: String, _ arguments: String...) throws {
    let done = try Tool.run(name, arguments, in: folder.path)
    try #require(done.status == 0, "\(name) \(arguments): \(done.errorText)")
  }

  private func scale(_ arguments: String...) throws -> Tool {
    try Tool.run(Program.path, arguments, in: folder.path)
  }

  /// Stereo noise; `volume` 2 goes beyond full scale where the codec can.
  private func make(_ codec: String, volume: Double = 1) throws {
    try run(
      "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
      "aevalsrc=\(volume)*(2*random(0)-1)|\(volume)*(2*random(1)-1):s=44100:d=0.05", "-c:a", codec,
      "in.wav")
  }

  /// The samples of a file, whose full scale is 1, as ffmpeg decodes them.
  private func samples(_ name: String) throws -> [Double] {
    try Workbench(folder: folder).samples(name)
  }

  private func codec(_ name: String) throws -> String {
    try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", name],
      in: folder.path
    ).outputText.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Values to integers of so many bits, as numbers whose full scale is 1.
  private func rounded(_ values: [Double], bits: Int) -> [Double] {
    let scale = exp2(Double(bits - 1))
    return values.map {
      min(max(($0 * scale).rounded(.toNearestOrEven), -scale), scale - 1) / scale
    }
  }

  /// What a lossy codec decodes to is not rounded to 16 bits where more are requested.
  @Test(arguments: ["libmp3lame", "libvorbis"], ["f32", "24"])
  func moreBitsOfLossySourcesAreKept(codec: String, bits: String) throws {
    try make("pcm_s16le", volume: 0.5)
    let extensions = ["libmp3lame": "mp3", "libvorbis": "ogg"]
    let name = "lossy." + (extensions[codec] ?? "")
    try run("ffmpeg", "-v", "error", "-i", "in.wav", "-c:a", codec, name)
    let run = try scale("-f", "1", "--bits", bits, "-o", "out.wav", name)
    #expect(run.status == 0, "\(run.errorText)")
    let (output, expected) = (try samples("out.wav"), try samples(name))
    // FFmpeg does not end Ogg at the position of its last page.
    try #require(output.count == 4410 && output.count <= expected.count)
    let most = zip(output, expected).map { abs($0 - $1) }.max() ?? 1
    // 16 bits are off by up to 1.5e-5; the decoders of MP3 differ by 3e-6.
    #expect(most < 4e-6)
  }

  @Test(arguments: depths)
  func depthIsKept(depth: (codec: String, bits: Int)) throws {
    try make(depth.codec)
    let run = try scale("-f", "1.5", "-o", "out.wav", "in.wav")
    #expect(run.status == 0 && !run.errorText.contains("in.wav:"), "\(run.errorText)")
    let values = ReferenceArithmetic.scale(
      interleaved: try samples("in.wav"), channels: 2, factor: 1.5)
    let expected =
      switch depth.codec {
      case "pcm_f64le": values
      case "pcm_f32le": values.map { Double(Float($0)) }
      default: rounded(values, bits: depth.bits)
      }
    #expect(try samples("out.wav") == expected)
    #expect(try codec("out.wav") == depth.codec)
  }

  /// Scaled in Double, rounded once; `scripts/depths` takes every crossing.
  @Test(arguments: [depths[2], depths[4]], depths)
  func bitsChoosesTheStoredDepth(
    from: (codec: String, bits: Int), to: (codec: String, bits: Int)
  ) throws {
    try make(from.codec, volume: 1.5)
    let option = to.bits > 0 ? "\(to.bits)" : to.codec == "pcm_f32le" ? "f32" : "f64"
    let run = try scale(
      "-f", "1.5", "--bits", option, "--dither", "none", "--json", "-o", "out.wav", "in.wav")
    #expect(run.status == 0, "\(run.errorText)")
    let source = try samples("in.wav")
    let values = ReferenceArithmetic.scale(interleaved: source, channels: 2, factor: 1.5)
    let expected =
      switch to.codec {
      case "pcm_f64le": values
      case "pcm_f32le": values.map { Double(Float($0)) }
      default: rounded(values, bits: to.bits)
      }
    #expect(try samples("out.wav") == expected)
    #expect(try codec("out.wav") == to.codec)
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
    let beyond = to.bits > 0 ? values.count { $0 >= 1 || $0 < -1 } : 0
    #expect(record["clippedSamples"] as? Int == beyond)
    #expect((beyond > 0) == run.errorText.contains("clipped by up to 3.5 dB"))
    #expect(record["outputBits"] as? Int == (to.bits > 0 ? to.bits : Int(option.dropFirst())))
    let format =
      (to.bits > 0 ? "int" : "float") + (to.bits > 0 ? option : String(option.dropFirst()))
    #expect(record["outputSampleFormat"] as? String == format)
  }

  @Test(arguments: [("pcm_f32le", "32-bit float", 24), ("pcm_f64le", "64-bit float", 32)])
  func floatsBecomeTheNearestThatFLACHolds(codec: String, name: String, bits: Int) throws {
    try make(codec)
    let run = try scale("-f", "1.5", "--format", "flac", "-o", "out.flac", "in.wav")
    #expect(run.status == 0)
    #expect(run.errorText.contains("FLAC holds no \(name) samples: stored as \(bits)-bit"))
    // ffmpeg 5.1 decodes no FLAC of 32 bits.
    try self.run("flac", "-s", "-d", "out.flac")
    let values = ReferenceArithmetic.scale(
      interleaved: try samples("in.wav"), channels: 2, factor: 1.5)
    #expect(try samples("out.wav") == rounded(values, bits: bits))
  }

  @Test func int16RoundsEverySource() throws {
    try make("pcm_f32le", volume: 1.5)
    let run = try scale("-f", "1.5", "--sample-format", "int16", "-o", "out.wav", "in.wav")
    #expect(run.status == 0)
    // Rounded first, scaled after: the arithmetic of 16-bit sources.
    let source = try samples("in.wav")
    let shorts = source.map {
      Int16(min(max(($0 * 32768).rounded(.toNearestOrEven), -32768), 32767))
    }
    let expected = ReferenceArithmetic.scale(interleaved: shorts, channels: 2, factor: 1.5)
    #expect(try samples("out.wav") == expected.map { Double($0) / 32768 })
    #expect(try codec("out.wav") == "pcm_s16le")
    #expect(run.errorText.contains("clipped by up to 3.5 dB"))
  }

  @Test func floatsKeepSamplesAboveFullScale() throws {
    try make("pcm_f32le", volume: 3)
    let run = try scale("-f", "1.5", "-o", "out.wav", "in.wav")
    #expect(run.status == 0 && !run.errorText.contains("clipped"))
    #expect((try samples("out.wav").max() ?? 0) > 2)
  }

  @Test func nonFiniteSamplesAreReported() throws {
    let values: [Float] = [0.5, .nan, .infinity, -.infinity, 0.25]
    let bytes = values.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
    }
    try folder.write("in.raw", bytes)
    try run(
      "sox", "-t", "raw", "-r", "8000", "-e", "float", "-b", "32", "-c", "1", "in.raw", "s.wav")
    // sox would clamp them; the bytes go into the file that it laid out.
    var wave = try folder.bytes("s.wav")
    wave.replaceSubrange(wave.count - bytes.count..<wave.count, with: bytes)
    try folder.write("in.wav", wave)
    let run = try scale("-f", "1", "-o", "out.wav", "in.wav")
    #expect(run.status == 0)
    #expect(run.errorText.contains("in.wav: 3 samples are not finite"))
    #expect(try samples("out.wav") == [0.5, 0, 0, 0, 0.25])
    for dither in Dither.allCases {
      let short = try scale(
        "-f", "1", "--bits", "16", "--dither", dither.rawValue, "--overwrite", "-o", "16.wav",
        "in.wav")
      #expect(short.status == 0)
      let steps = try samples("16.wav").map { $0 * 32768 }
      // Noise reaches a step, and what was replaced is silence.
      let noise = dither == .none ? 0.0 : 1
      #expect(zip(steps, [16384, 0, 0, 0, 8192]).allSatisfy { abs($0 - $1) <= noise })
      #expect(steps[1...3] == [0, 0, 0])
    }
  }

  @Test func noiseIsAddedWhereBitsAreLost() throws {
    try make("pcm_s24le", volume: 0.5)
    let dithered = ["-f", "1.5", "--bits", "16", "--dither", "tpdf", "in.wav", "-o"]
    for name in ["a.wav", "b.wav"] {
      let run = try Tool.run(Program.path, dithered + [name], in: folder.path)
      #expect(run.status == 0 && !run.errorText.contains("--dither"))
    }
    #expect(try folder.bytes("a.wav") == folder.bytes("b.wav"))
    let values = ReferenceArithmetic.scale(
      interleaved: try samples("in.wav"), channels: 2, factor: 1.5)
    let steps = zip(try samples("a.wav"), values).map { ($0 - $1) * 32768 }
    #expect(steps.allSatisfy { abs($0) <= 1.5 })
    let n = Double(steps.count)
    let variance = steps.reduce(0) { $0 + $1 * $1 } / n
    // A quarter of a squared step, give or take five deviations; 1/12 would be rounding without noise.
    #expect(abs(variance - 0.25) < 5 * (0.25 * 2.25 / n).squareRoot())
  }

  @Test func uselessDitherIsReported() throws {
    try make("pcm_s16le")
    let run = try scale("-f", "1", "--dither", "tpdf", "-o", "out.wav", "in.wav")
    #expect(run.status == 0)
    #expect(run.errorText.contains("dither is not applied: 16-bit samples are stored as 16-bit"))
    #expect(try samples("out.wav") == samples("in.wav"))
  }

  @Test(arguments: [
    (
      ["--bits", "f32", "--format", "flac"],
      "FLAC holds no 32-bit float samples; --format wav or caf keeps it."
    ),
    (
      ["--bits", "24", "--format", "mp3"],
      "MP3 has no bit depth; leave out --bits, or use --format flac or wav."
    ),
    (["--bits", "24", "--sample-format", "int16"], "exclude each other"),
    (["--dither", "tpdf", "--bits", "f32"], "--dither does not apply to floating point"),
    (["--dither", "tpdf", "--format", "ogg"], "--dither does not apply to Ogg Vorbis"),
    (["--dither", "tpdf", "--sample-format", "int16"], "use --bits 16"),
    (["--bits", "20"], "--bits"),
  ])
  func meaninglessDepthsAreRefused(options: [String], message: String) throws {
    let refusal = try #require(Program.refusal(of: ["-f", "2"] + options + ["in.wav"]))
    #expect(refusal.status == 64)
    #expect(refusal.message.contains(message), "\(refusal.message)")
  }

  /// Without --format each file keeps its own: what its format lacks is an error where it would lose
  /// what was asked, and a warning where there is nothing to lose.
  @Test func bitsBesideTheSourcesFormat() throws {
    try make("pcm_s24le")
    try run("ffmpeg", "-v", "error", "-i", "in.wav", "in.flac")
    try run("ffmpeg", "-v", "error", "-i", "in.wav", "in.mp3")
    let flac = try scale("-f", "2", "--bits", "f32", "in.flac")
    #expect(flac.status == 1)
    #expect(
      flac.errorText.contains(
        "FLAC holds no 32-bit float samples; --format wav or caf keeps it"))
    let mp3 = try scale("-f", "2", "--bits", "24", "in.mp3")
    #expect(mp3.status == 0)
    #expect(mp3.errorText.contains("MP3 has no bit depth; the one given is ignored"))
    // A lossy source becomes 16 bits, unless more are asked for.
    #expect(try scale("-f", "1", "--format", "wav", "-o", "16.wav", "in.mp3").status == 0)
    #expect(
      try scale("-f", "1", "--format", "wav", "--bits", "24", "-o", "24.wav", "in.mp3").status == 0)
    #expect(try codec("16.wav") == "pcm_s16le")
    #expect(try codec("24.wav") == "pcm_s24le")
    let (few, more) = (try samples("16.wav"), try samples("24.wav"))
    #expect(few.count == more.count)
    #expect(zip(few, more).allSatisfy { abs($0 - $1) <= 0x1p-15 })
  }
}
