import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Conversions of files of every depth; other programs make the sources and decode the outputs.
@Suite("Stored depths")
struct StoredDepthTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  /// Names of FFmpeg's encodings, and the format of their samples.
  static let depths: [(codec: String, format: SampleFormat)] = [
    ("pcm_u8", .int8), ("pcm_s16le", .int16), ("pcm_s24le", .int24), ("pcm_s32le", .int32),
    ("pcm_f32le", .float32), ("pcm_f64le", .float64),
  ]

  /// Stereo noise; `volume` 2 goes beyond full scale where the codec can.
  private func make(_ codec: String, volume: Double = 1) throws {
    try bench.run(
      "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
      "aevalsrc=\(volume)*(2*random(0)-1)|\(volume)*(2*random(1)-1):s=44100:d=0.05", "-c:a", codec,
      "in.wav")
  }

  private func codec(_ name: String) throws -> String {
    try bench.entries("stream=codec_name", of: name)
  }

  /// Values as a format holds them, as numbers whose full scale is 1.
  private func stored(_ values: [Double], _ format: SampleFormat) -> [Double] {
    switch format {
    case .float64: return values
    case .float32: return values.map { Double(Float($0)) }
    default:
      let scale = exp2(Double(format.bitDepth - 1))
      return values.map {
        min(max(($0 * scale).rounded(.toNearestOrEven), -scale), scale - 1) / scale
      }
    }
  }

  /// The source, scaled by arithmetic of the tests.
  private func scaledSource() throws -> [Double] {
    ReferenceArithmetic.scale(
      interleaved: try bench.samples("in.wav"), channels: 2, factor: 1.5)
  }

  /// The output of a lossy codec is not rounded to 16 bits where more are requested.
  @Test(arguments: ["libmp3lame", "libvorbis"], [SampleFormat.float32, .int24])
  func moreBitsOfLossySourcesAreKept(codec: String, format: SampleFormat) throws {
    try make("pcm_s16le", volume: 0.5)
    let name = codec == "libvorbis" ? "lossy.ogg" : "lossy.mp3"
    try bench.run("ffmpeg", "-v", "error", "-i", "in.wav", "-c:a", codec, name)
    try bench.convert(name, to: "out.wav", .by(1)) { $0.sampleFormat = format }
    let (output, expected) = (try bench.samples("out.wav"), try bench.samples(name))
    // FFmpeg does not end Ogg at the position of its last page.
    try #require(output.count == 4410 && output.count <= expected.count)
    let most = zip(output, expected).map { abs($0 - $1) }.max() ?? 1
    // 16 bits are off by up to 1.5e-5; the decoders of MP3 differ by 3e-6.
    #expect(most < 4e-6)
  }

  @Test(arguments: depths)
  func depthIsKept(depth: (codec: String, format: SampleFormat)) throws {
    try make(depth.codec)
    let report = try bench.convert("in.wav", to: "out.wav", .by(1.5))
    #expect(report.warnings.isEmpty, "\(report.warningText)")
    #expect(try bench.samples("out.wav") == stored(scaledSource(), depth.format))
    #expect(try codec("out.wav") == depth.codec)
  }

  /// Scaled in Double, rounded once; `scripts/depths` takes every crossing.
  @Test(arguments: [depths[2], depths[4]], depths)
  func anyDepthIsStoredOnRequest(
    from: (codec: String, format: SampleFormat), to: (codec: String, format: SampleFormat)
  ) throws {
    try make(from.codec, volume: 1.5)
    let report = try bench.convert("in.wav", to: "out.wav", .by(1.5)) {
      $0.sampleFormat = to.format
      $0.dither = .none
    }
    let values = try scaledSource()
    #expect(try bench.samples("out.wav") == stored(values, to.format))
    #expect(try codec("out.wav") == to.codec)
    let beyond = to.format.isFloat ? 0 : values.count { $0 >= 1 || $0 < -1 }
    #expect(report.clippedSamples == beyond)
    // 20 * log10(1.5)
    let decibels = report.clippedDecibels
    #expect(beyond > 0 ? abs(try #require(decibels) - 3.5) < 0.05 : decibels == nil)
    #expect(report.sampleFormat == to.format)
  }

  @Test(arguments: [
    ("pcm_f32le", "32-bit float", SampleFormat.int24), ("pcm_f64le", "64-bit float", .int32),
  ])
  func floatsBecomeTheNearestThatFLACHolds(
    codec: String, name: String, format: SampleFormat
  ) throws {
    try make(codec)
    let report = try bench.convert("in.wav", to: "out.flac", .by(1.5))
    #expect(
      report.warningText.contains(
        "FLAC holds no \(name) samples: stored as \(format.bitDepth)-bit"))
    // ffmpeg 5.1 decodes no FLAC of 32 bits.
    try bench.run("flac", "-s", "-d", "out.flac")
    #expect(try bench.samples("out.wav") == stored(scaledSource(), format))
  }

  @Test func int16RoundsEverySource() throws {
    try make("pcm_f32le", volume: 1.5)
    let report = try bench.convert("in.wav", to: "out.wav", .by(1.5)) { $0.forcesInt16 = true }
    // Rounded first, scaled after: the arithmetic of 16-bit sources.
    let shorts = try bench.samples("in.wav").map {
      Int16(min(max(($0 * 32768).rounded(.toNearestOrEven), -32768), 32767))
    }
    let expected = ReferenceArithmetic.scale(interleaved: shorts, channels: 2, factor: 1.5)
    #expect(try bench.samples("out.wav") == expected.map { Double($0) / 32768 })
    #expect(try codec("out.wav") == "pcm_s16le")
    #expect(abs(try #require(report.clippedDecibels) - 3.5) < 0.05)
  }

  @Test func floatsKeepSamplesAboveFullScale() throws {
    try make("pcm_f32le", volume: 3)
    let report = try bench.convert("in.wav", to: "out.wav", .by(1.5))
    #expect(report.clippedSamples == 0)
    #expect((try bench.samples("out.wav").max() ?? 0) > 2)
  }

  @Test func nonFiniteSamplesAreReported() throws {
    let values: [Float] = [0.5, .nan, .infinity, -.infinity, 0.25]
    let bytes = values.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
    }
    try bench.folder.write("in.raw", bytes)
    try bench.shell("sox -t raw -r 8000 -e float -b 32 -c 1 in.raw s.wav")
    // sox would clamp them; the bytes go into the file that it laid out.
    var wave = try bench.bytes("s.wav")
    wave.replaceSubrange(wave.count - bytes.count..<wave.count, with: bytes)
    try bench.folder.write("in.wav", wave)
    let report = try bench.convert("in.wav", to: "out.wav", .by(1))
    #expect(report.warningText.contains("3 samples are not finite"))
    #expect(try bench.samples("out.wav") == [0.5, 0, 0, 0, 0.25])
    for dither in Dither.allCases {
      try bench.convert("in.wav", to: "16.wav", .by(1)) {
        $0.sampleFormat = .int16
        $0.dither = dither
      }
      let steps = try bench.samples("16.wav").map { $0 * 32768 }
      // Noise reaches a step, and what was replaced is silence.
      let noise = dither == .none ? 0.0 : 1
      #expect(zip(steps, [16384, 0, 0, 0, 8192]).allSatisfy { abs($0 - $1) <= noise })
      #expect(steps[1...3] == [0, 0, 0])
    }
  }

  @Test func noiseIsAddedWhereBitsAreLost() throws {
    try make("pcm_s24le", volume: 0.5)
    for name in ["a.wav", "b.wav"] {
      let report = try bench.convert("in.wav", to: name, .by(1.5)) {
        $0.sampleFormat = .int16
        $0.dither = .tpdf
      }
      #expect(report.warnings.isEmpty, "\(report.warningText)")
    }
    #expect(try bench.bytes("a.wav") == bench.bytes("b.wav"))
    let steps = zip(try bench.samples("a.wav"), try scaledSource()).map { ($0 - $1) * 32768 }
    #expect(steps.allSatisfy { abs($0) <= 1.5 })
    let n = Double(steps.count)
    let variance = steps.reduce(0) { $0 + $1 * $1 } / n
    // A quarter of a squared step, give or take five deviations; 1/12 would be rounding without noise.
    #expect(abs(variance - 0.25) < 5 * (0.25 * 2.25 / n).squareRoot())
  }

  @Test func uselessDitherIsReported() throws {
    try make("pcm_s16le")
    let report = try bench.convert("in.wav", to: "out.wav", .by(1)) { $0.dither = .tpdf }
    #expect(
      report.warningText.contains(
        "dither is not applied: 16-bit samples are stored as 16-bit"))
    #expect(try bench.samples("out.wav") == bench.samples("in.wav"))
  }

  /// Without a requested format each file keeps its own: what its format lacks is an error where it would lose
  /// what was asked, and a warning where there is nothing to lose.
  @Test func bitsBesideTheSourcesFormat() throws {
    try make("pcm_s24le")
    try bench.shell("ffmpeg -v error -i in.wav in.flac && ffmpeg -v error -i in.wav in.mp3")
    let refused = try bench.failure(of: "in.flac", .by(2)) { $0.sampleFormat = .float32 }
    #expect(refused.contains("FLAC holds no 32-bit float samples"))
    let lossy = try bench.convert("in.mp3", .by(2)) { $0.sampleFormat = .int24 }
    #expect(lossy.warningText.contains("MP3 has no bit depth; the one given is ignored"))
    // A lossy source becomes 16 bits, unless more are asked for.
    try bench.convert("in.mp3", to: "16.wav", .by(1))
    try bench.convert("in.mp3", to: "24.wav", .by(1)) { $0.sampleFormat = .int24 }
    #expect(try codec("16.wav") == "pcm_s16le")
    #expect(try codec("24.wav") == "pcm_s24le")
    let (few, more) = (try bench.samples("16.wav"), try bench.samples("24.wav"))
    #expect(few.count == more.count)
    #expect(zip(few, more).allSatisfy { abs($0 - $1) <= 0x1p-15 })
  }
}
