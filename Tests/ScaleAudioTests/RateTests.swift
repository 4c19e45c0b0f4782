import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Changed rates, and formats that support certain sample rates only, as ffmpeg and libsndfile read the outputs.
@Suite("Sample rates")
struct RateTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  /// A tone of 3 kHz at 44.1 kHz.
  private static let step = 2 * Double.pi * 3000 / 44_100

  private func makeTone(_ frames: Int = 60_000) throws {
    let tone = (0..<frames).map { 0.5 * sin(Self.step * Double($0)) }
    try bench.make("in.wav", tone, codec: "pcm_f64le")
  }

  /// Frame `i` is at `i / rate / factor` seconds of the source: the tone's frequency, phase and level.
  @Test(arguments: [48_000, 96_000, 22_050, 44_101], [1, 1.5, 0.75])
  func sincChangesBothInOnePass(rate: Int, factor: Double) throws {
    try makeTone()
    let report = try bench.convert("in.wav", to: "out.wav", .by(factor), .sinc()) {
      $0.sampleRate = rate
    }
    let output = try bench.samples("out.wav")
    let ratio = factor * Double(rate) / 44_100
    #expect(output.count == Int(60_000 * ratio) && report.spec.sampleRate == rate)
    #expect(try bench.entries("stream=sample_rate", of: "out.wav") == "\(rate)")
    let length = output.count
    let fit = SineFit(output, step: Self.step / ratio, frames: length / 4..<length - length / 4)
    #expect(fit.signalToNoise > 120, "\(fit.signalToNoise)")
    #expect(abs(fit.phase) < 1e-5 && abs(fit.amplitude - 0.5) < 1e-3)
  }

  /// The other methods work at the rate of the source, and what they made is resampled.
  @Test(
    arguments: [ScalingMethod.Kind.linear, .smoothstep, .stretch], [ScalingQuality.high, .fast])
  func otherMethodsAreResampled(kind: ScalingMethod.Kind, quality: ScalingQuality) throws {
    let method: ScalingMethod =
      switch kind {
      case .linear: .linear
      case .stretch: .stretch()
      default: .smoothstep
      }
    try makeTone()
    try bench.convert("in.wav", to: "scaled.wav", .by(1.25), method)
    try bench.convert("scaled.wav", to: "a.wav", .by(1), .sinc(quality: quality)) {
      $0.sampleRate = 32_000
    }
    try bench.convert("in.wav", to: "b.wav", .by(1.25), method) {
      $0.sampleRate = 32_000
      $0.rateQuality = quality
    }
    #expect(try bench.samples("a.wav") == bench.samples("b.wav"))
    #expect(try bench.samples("b.wav").count == 60_000 * 5 / 4 * 320 / 441)
  }

  /// Opus has neither 44.1 nor 96 kHz: the nearest that holds the band, or the highest.
  @Test(arguments: [
    (44100, "opus", 48000), (22050, "opus", 24000), (96000, "opus", 48000), (96000, "mp3", 48000),
    (44100, "mp3", 44100),
  ])
  func formatsGetARateThatTheySupport(rate: Int, format: String, written: Int) throws {
    try bench.run(
      "sox", "-R", "-n", "-r", "\(rate)", "-b", "16", "x.wav", "synth", "1", "sine", "440")
    let report = try bench.convert("x.wav", to: "x.\(format)", .by(1.5))
    #expect(report.spec.sampleRate == written)
    #expect(report.outputFrames == written * 3 / 2)
    #expect(
      report.warningText.contains("has no sample rate of \(rate) Hz: resampled to \(written) Hz")
        == (rate != written), "\(report.warningText)")
  }

  @Test func sidecarsAndTagsFollow() throws {
    try makeTone(44_100 * 4)
    try bench.folder.write(
      "in.cue",
      Array("FILE \"in.wav\" WAVE\r\n  TRACK 02 AUDIO\r\n    INDEX 01 00:02:00\r\n".utf8))
    try bench.convert(
      "in.wav", to: "out.wav", .by(1.5), files: FilePolicy(scalesSidecars: true)
    ) { $0.sampleRate = 22_050 }
    #expect(try bench.text("out.cue").contains("INDEX 01 00:03:00"))
  }
}
