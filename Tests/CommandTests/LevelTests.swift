import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Clipping, `--guard`, `--normalize` and `--dither auto` on real files, decoded by ffmpeg.
@Suite("Levels")
struct LevelTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  static let methods = ["smoothstep", "linear", "sinc"]
  static let depths = ["8", "16", "24", "32", "f32", "f64"]

  /// A square wave at full scale, at which band-limited interpolation overshoots by about 2 dB.
  private static let square = (0..<3000).map { $0 / 50 % 2 == 0 ? 1.0 : -1 }

  /// Noise between `-amplitude` and `amplitude`, the same every time.
  private static func noise(_ amplitude: Double, _ count: Int = 3000) -> [Double] {
    var state: UInt64 = 88_172_645_463_325_252
    return (0..<count).map { _ in
      // Marsaglia, "Xorshift RNGs" (2003).
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Double(Int64(bitPattern: state) >> 12) / 0x1p51 * amplitude
    }
  }

  private func magnitude(_ values: [Double]) -> Double { values.map(abs).max() ?? 0 }

  private func steps(_ values: [Double], bits: Int) -> [Double] {
    values.map { $0 * exp2(Double(bits - 1)) }
  }

  @Test(arguments: [8, 16, 24, 32])
  func overshootIsClampedCountedAndReported(bits: Int) throws {
    try bench.make("in.wav", Self.square, codec: "pcm_s16le")
    let options = ["-f", "1.5", "--method", "sinc", "in.wav", "-o"]
    _ = try bench.convert(["--bits", "f64"] + options + ["f64.wav"])
    let values = try bench.samples("f64.wav")
    let beyond = values.count { $0 >= 1 || $0 < -1 }
    let run = try bench.convert(["--bits", "\(bits)"] + options + ["out.wav"])
    #expect(beyond > 1000)
    #expect(run.record["clippedSamples"] as? Int == beyond)
    let decibels = 20 * log10(magnitude(values))
    #expect(decibels > 1.5 && decibels < 2.5)
    #expect(abs(try #require(run.record["clippedDecibels"] as? Double) - decibels) < 1e-9)
    #expect(run.record["gainDecibels"] == nil)
    #expect(
      run.reported.contains("in.wav: \(beyond) samples clipped by up to 1.9 dB; --guard lowers"),
      "\(run.reported)")
    #expect(
      try steps(bench.samples("out.wav"), bits: bits)
        == ReferenceQuantization.integers(values, bits: bits, dithers: bits <= 16))
  }

  /// The output is that without --guard, times the reported gain, and just fits.
  @Test(arguments: methods, depths)
  func guardLowersJustEnough(method: String, depth: String) throws {
    try bench.make("in.wav", Self.noise(1.7), codec: "pcm_f32le", channels: 2)
    let options = ["-f", "1.5", "--method", method, "in.wav", "-o"]
    _ = try bench.convert(["--bits", "f64"] + options + ["f64.wav"])
    let values = try bench.samples("f64.wav")
    let run = try bench.convert(["--guard", "--bits", depth] + options + ["out.wav"])
    let gain = try #require(run.record["gainDecibels"] as? Double)
    #expect(gain < -3)
    #expect(run.reported.contains("lowered by \(String(format: "%.2f", -gain)) dB"))
    #expect(run.record["clippedSamples"] as? Int == 0)
    #expect(run.record["clippedDecibels"] == nil)
    let lowered = values.map { $0 * pow(10, gain / 20) }
    let output = try bench.samples("out.wav")
    guard let bits = Int(depth) else {
      #expect(magnitude(output) <= 1 && magnitude(output) > 1 - 1e-7)
      #expect(zip(output, lowered).allSatisfy { abs($0 - $1) < (depth == "f32" ? 1e-7 : 1e-14) })
      return
    }
    let stored = steps(output, bits: bits)
    let expected = ReferenceQuantization.integers(lowered, bits: bits, dithers: bits <= 16)
    // The gain in dB does not have 32 exact bits.
    #expect(zip(stored, expected).allSatisfy { abs($0 - $1) <= (bits > 16 ? 1 : 0) })
    let full = exp2(Double(bits - 1))
    // A step or two below, and as much again where there is noise.
    #expect(magnitude(stored) >= full - (bits <= 16 ? 4 : 2))
    // The gain in dB is not exact to the last bit.
    let slack = full * 0x1p-48
    #expect(lowered.allSatisfy { $0 * full <= full - 1 + slack && $0 * full >= -full - slack })
  }

  @Test(
    arguments: methods, [("in.wav", "pcm_s16le"), ("f.wav", "pcm_f32le"), ("in.ogg", "libvorbis")])
  func guardChangesNothingThatFits(
    method: String, source: (name: String, codec: String)
  ) throws {
    try bench.make(source.name, Self.noise(0.4), codec: source.codec)
    let options = ["-f", "1.5", "--method", method, "--format", "wav", "--bits", "16", source.name]
    let plain = try bench.convert(options + ["-o", "a.wav"])
    let guarded = try bench.convert(["--guard"] + options + ["-o", "b.wav"])
    #expect(plain.record["gainDecibels"] == nil)
    #expect(guarded.record["gainDecibels"] as? Double == 0)
    #expect(guarded.reported.contains("level not changed"))
    #expect(try bench.folder.bytes("a.wav") == bench.folder.bytes("b.wav"))
  }

  /// Lossy sources are decoded to 16 bits and clamped there, unless the level is guarded.
  @Test(arguments: methods)
  func guardReadsLossySourcesWhole(method: String) throws {
    try bench.make("in.ogg", Self.noise(1.6, 9000), codec: "libvorbis")
    let options = ["-f", "0.7", "--method", method, "--format", "wav", "in.ogg", "-o"]
    let plain = try bench.convert(options + ["plain.wav"])
    #expect(try #require(plain.record["clippedSamples"] as? Int) > 0)
    #expect(try #require(plain.record["clippedDecibels"] as? Double) > 1)
    let run = try bench.convert(["--guard"] + options + ["out.wav"])
    #expect(run.record["clippedSamples"] as? Int == 0)
    let gain = try #require(run.record["gainDecibels"] as? Double)
    #expect(gain < -1)
    let output = try steps(bench.samples("out.wav"), bits: 16)
    #expect(magnitude(output) > 32760 && output.allSatisfy { $0 < 32767.5 })
    if method == "sinc" { return }
    // ffmpeg 5.1 gives some frames too many or too few at the end, and its decoder is another.
    let source = Array(try bench.samples("in.ogg").prefix(9000))
    let values = ReferenceArithmetic.scale(
      interleaved: source + Array(repeating: 0, count: 9000 - source.count), channels: 1,
      factor: 0.7, smoothstep: method == "smoothstep")
    let expected = ReferenceQuantization.integers(
      values.map { $0 * pow(10, gain / 20) }, bits: 16, dithers: true)
    #expect(output.count == 6300)
    #expect(zip(output, expected).prefix(6200).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test(.slow, arguments: methods, depths)
  func normalizeSetsThePeak(method: String, depth: String) throws {
    let options = ["-f", "1.5", "--method", method, "--bits", depth, "--normalize"]
    for (codec, amplitude, asked) in [("pcm_s16le", 0.05, "-6"), ("pcm_f32le", 2, "0")] {
      try bench.make("in.wav", Self.noise(amplitude), codec: codec, channels: 2)
      let run = try bench.convert(options + [asked, "in.wav", "-o", "out.wav"])
      #expect(run.record["clippedSamples"] as? Int == 0)
      #expect(((run.record["gainDecibels"] as? Double ?? 0) > 0) == (amplitude < 1))
      #expect(run.reported.contains(amplitude < 1 ? "raised by" : "lowered by"))
      let peak = magnitude(try bench.samples("out.wav"))
      let wanted = pow(10, (Double(asked) ?? 0) / 20)
      // Rounding is half a step, noise one, and at 0 dB integers lack a step and leave room for noise.
      let bits = Int(depth) ?? 0
      let tolerance =
        switch depth {
        case "f64": 1e-14
        case "f32": 0x1p-24
        default: exp2(Double(1 - bits)) * (bits > 16 ? 1 : asked == "0" ? 4 : 2)
        }
      #expect(abs(peak - wanted) <= tolerance, "\(asked): \(peak)")
    }
  }

  @Test(arguments: methods, ["--guard", "--normalize=-1"])
  func silenceStaysSilence(method: String, option: String) throws {
    try bench.make("in.wav", Array(repeating: 0, count: 3000), codec: "pcm_f32le")
    for depth in ["16", "f32"] {
      let run = try bench.convert(
        [option, "-f", "1.5", "--method", method, "--bits", depth, "in.wav", "-o", "out.wav"])
      #expect(run.record["gainDecibels"] as? Double == 0)
      #expect(try bench.samples("out.wav") == Array(repeating: 0, count: 4500))
    }
  }

  /// What the encoder is given stays below full scale; the codec may overshoot by itself.
  @Test(arguments: methods)
  func levelsOfLossyOutputs(method: String) throws {
    try bench.make("in.wav", Self.noise(1.7, 20_000), codec: "pcm_f32le")
    let options = ["-f", "1.5", "--method", method]
    _ = try bench.convert(options + ["--bits", "f64", "in.wav", "-o", "f64.wav"])
    let peak = 20 * log10(magnitude(try bench.samples("f64.wav")))
    for (option, target) in [("--guard", 0.0), ("--normalize=-9", -9)] {
      let run = try bench.convert([option] + options + ["in.wav", "-o", "out.ogg"])
      #expect(abs(try #require(run.record["gainDecibels"] as? Double) - (target - peak)) < 0.001)
      // Noise comes out of Vorbis at about its level.
      let found = 20 * log10(magnitude(try bench.samples("out.ogg")))
      #expect(abs(found - target) < 3, "\(found)")
    }
  }

  @Test func ditherIsAddedFromFloatingPointTo16Bits() throws {
    try bench.make("16.wav", Self.noise(0.5), codec: "pcm_s16le")
    try bench.make("24.wav", Self.noise(0.5), codec: "pcm_s24le")
    try bench.make("f32.wav", Self.noise(0.5), codec: "pcm_f32le")
    for source in ["16", "24", "f32"] {
      for method in Self.methods {
        let options = ["-f", "0.8", "--method", method, "\(source).wav", "-o"]
        _ = try bench.convert(["--bits", "f64"] + options + ["f64.wav"])
        let values = try bench.samples("f64.wav")
        for bits in [8, 16, 24] {
          func check(_ dither: [String], dithers: Bool) throws {
            let run = try bench.convert(
              ["--bits", "\(bits)"] + dither + options + ["out.wav"])
            #expect(!run.reported.contains("dither is not applied"))
            #expect(
              try steps(bench.samples("out.wav"), bits: bits)
                == ReferenceQuantization.integers(values, bits: bits, dithers: dithers),
              "\(source) \(method) \(bits) \(dither)")
          }
          let isFloat = source == "f32" || method == "sinc"
          try check([], dithers: isFloat && bits <= 16)
          if bits == 16 { try check(["--dither", "none"], dithers: false) }
          if bits == 24, isFloat { try check(["--dither", "tpdf"], dithers: true) }
        }
      }
    }
  }

  /// A second of silence before and after sound, which filters spread by some milliseconds only.
  @Test(arguments: ["fast", "high", "best"])
  func silenceAroundSoundStaysSilence(quality: String) throws {
    let silence = [Double](repeating: 0, count: 22_050)
    try bench.make(
      "in.wav", silence + Self.noise(0.2, 4410) + silence, codec: "pcm_s16le")
    _ = try bench.convert(
      ["-f", "2", "--method", "sinc", "--quality", quality, "in.wav", "-o", "out.wav"])
    let output = try bench.samples("out.wav")
    #expect(output.prefix(40_000).allSatisfy { $0 == 0 })
    #expect(output.suffix(40_000).allSatisfy { $0 == 0 })
    // In the middle there is sound, with noise.
    #expect(output[44_100..<52_920].count { $0 == 0 } < 100)
  }

  @Test func nonFiniteSamplesBecomeSilence() throws {
    var values = Self.noise(0.4)
    values[1000] = .nan
    values[1500] = .infinity
    values[2000] = -.infinity
    for codec in ["pcm_f32le", "pcm_f64le"] {
      try bench.make("bad.wav", values, codec: codec)
      try bench.make("zero.wav", values.map { $0.isFinite ? $0 : 0 }, codec: codec)
      for method in Self.methods {
        let options = ["-f", "1.3", "--method", method, "--normalize", "-2"]
        let run = try bench.convert(options + ["bad.wav", "-o", "a.wav"])
        _ = try bench.convert(options + ["zero.wav", "-o", "b.wav"])
        #expect(
          run.reported.contains("3 samples are not finite (NaN or infinity): replaced by zero"))
        let output = try bench.samples("a.wav")
        #expect(try output == bench.samples("b.wav") && output.allSatisfy(\.isFinite))
      }
    }
  }

  @Test func aPipeIsScannedToo() throws {
    try bench.make("in.wav", Self.noise(0.1), codec: "pcm_s16le")
    let run = try Program.shell(
      "cat in.wav | $scaleaudio -f 2 --method sinc --normalize -3dB - -o - > out.wav",
      in: bench.folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    #expect(abs(magnitude(try bench.samples("out.wav")) - pow(10, -3.0 / 20)) < 2 / 32768)
  }

  /// What is kept of the first pass is what scaling again makes, to the last bit. Without a folder to keep it
  /// in, the source is scaled again.
  @Test(arguments: ["stretch", "stretch --pitch 3", "sinc", "sinc --quality fast"])
  func spooledSamplesEqualThoseScaledAgain(method: String) throws {
    try bench.make("in.wav", Self.noise(1.7, 600_000), codec: "pcm_f32le", channels: 2)
    let options = "-q --overwrite --no-sync -f 0.8 --method \(method) in.wav -o"
    for (level, kind) in [("--guard --bits 24", "wav"), ("--normalize -6", "flac")] {
      let run = try Program.shell(
        """
        TMPDIR=. $scaleaudio \(level) \(options) kept.\(kind) &&
          TMPDIR=nowhere $scaleaudio \(level) \(options) again.\(kind) && cmp kept.\(kind) again.\(kind)
        """, in: bench.folder.path)
      #expect(run.status == 0, "\(run.errorText)")
    }
  }

  @Test func theSummaryCountsClippedSamples() throws {
    for name in ["a.wav", "b.wav"] {
      try bench.make(name, Self.square, codec: "pcm_s16le")
    }
    let run = try Program.run(
      "-f", "1.5", "--method", "sinc", "a.wav", "b.wav", in: bench.folder.path)
    let lines = run.errorText.split(separator: "\n")
    let count = try #require(
      lines.first { $0.hasPrefix("warning: a.wav: ") }?.split(separator: " ").dropFirst(2).first
        .flatMap { Int($0) })
    #expect(lines.last == "  \(2 * count) samples clipped by up to 1.9 dB in 2 files")
  }

  @Test(arguments: [
    (["--normalize"], "--normalize"), (["--normalize", "loud"], "within -60 to 0 dB"),
    (["--normalize", "1"], "within -60 to 0 dB"), (["--normalize", "-61"], "within -60 to 0 dB"),
    (["--normalize", "nan"], "within -60 to 0 dB"), (["--normalize", "-1e1"], "within -60"),
    (["--normalize", ""], "within -60 to 0 dB"), (["--normalize", "--1"], "within -60 to 0 dB"),
    (["--dither", "loud"], "--dither"),
  ])
  func meaninglessLevelsAreRefused(options: [String], message: String) throws {
    let refusal = try #require(Program.refusal(of: ["-f", "2", "in.wav"] + options))
    #expect(refusal.status == 64)
    #expect(refusal.message.contains(message), "\(refusal.message)")
  }
}
