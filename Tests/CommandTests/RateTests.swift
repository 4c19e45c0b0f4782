import Foundation
import TestSupport
import Testing

/// `--rate`, and formats that support certain sample rates only, as ffmpeg and libsndfile read the outputs.
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

  private func probe(_ name: String) throws -> String {
    try Tool.run(
      "ffprobe", ["-v", "error", "-show_entries", "stream=sample_rate", "-of", "csv=p=0", name],
      in: bench.folder.path
    ).outputText.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A rate that a format does not support is answered with the nearest that it does.
  @Test(arguments: [["--format", "opus", "-o", "x.opus"], ["-o", "x.opus"]])
  func unsupportedRatesBecomeTheNearest(output: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write("in.wav", Sound.wav)
    let run = try Tool.run(
      Program.path, ["--rate", "44100"] + output + ["in.wav"], in: folder.path)
    #expect(run.status != 0)
    #expect(run.errorText.contains("give --rate 48000 or 24000"), "\(run.errorText)")
  }

  /// Frame `i` is at `i / rate / factor` seconds of the source: the tone's frequency, phase and level.
  @Test(arguments: [48_000, 96_000, 22_050, 44_101], ["1", "1.5", "0.75"])
  func sincChangesBothInOnePass(rate: Int, factor: String) throws {
    try makeTone()
    let run = try bench.convert(
      ["--method", "sinc", "-f", factor, "--rate", "\(rate)", "in.wav", "-o", "out.wav"])
    let output = try bench.samples("out.wav")
    let ratio = try #require(Double(factor)) * Double(rate) / 44_100
    #expect(output.count == Int(60_000 * ratio) && run.record["outputSampleRate"] as? Int == rate)
    #expect(try probe("out.wav") == "\(rate)")
    let length = output.count
    let fit = SineFit(output, step: Self.step / ratio, frames: length / 4..<length - length / 4)
    #expect(fit.signalToNoise > 120, "\(fit.signalToNoise)")
    #expect(abs(fit.phase) < 1e-5 && abs(fit.amplitude - 0.5) < 1e-3)
  }

  /// The other methods work at the rate of the source, and what they made is resampled.
  @Test(arguments: ["linear", "smoothstep", "stretch"], ["high", "fast"])
  func otherMethodsAreResampled(method: String, quality: String) throws {
    try makeTone()
    let length = ["--method", method, "-f", "1.25"]
    let asked = method == "stretch" ? ["--quality", quality] : []
    _ = try bench.convert(length + asked + ["in.wav", "-o", "scaled.wav"])
    _ = try bench.convert(
      [
        "--method", "sinc", "--quality", quality, "-f", "1", "--rate", "32k", "scaled.wav", "-o",
        "a.wav",
      ])
    _ = try bench.convert(
      length + ["--quality", quality, "--rate", "32k", "in.wav", "-o", "b.wav"])
    #expect(try bench.samples("a.wav") == bench.samples("b.wav"))
    #expect(try bench.samples("b.wav").count == 60_000 * 5 / 4 * 320 / 441)
  }

  /// Opus has neither 44.1 nor 96 kHz: the nearest that holds the band, or the highest.
  @Test(arguments: [
    ("44100", "opus", "48000"), ("22050", "opus", "24000"), ("96000", "opus", "48000"),
    ("96000", "mp3", "48000"), ("44100", "mp3", "44100"),
  ])
  func formatsGetARateThatTheySupport(rate: String, format: String, written: String) throws {
    _ = try Tool.run(
      "sox", ["-R", "-n", "-r", rate, "-b", "16", "x.wav", "synth", "1", "sine", "440"],
      in: bench.folder.path)
    let run = try bench.convert(["-f", "1.5", "x.wav", "-o", "x.\(format)"])
    #expect(run.record["outputSampleRate"] as? Int == Int(written))
    #expect(run.record["outputFrames"] as? Int == Int(written).map { $0 * 3 / 2 })
    #expect(
      run.reported.contains("has no sample rate of \(rate) Hz: resampled to \(written) Hz")
        == (rate != written), "\(run.reported)")
  }

  @Test func sidecarsAndTagsFollow() throws {
    try makeTone(44_100 * 4)
    try bench.folder.write(
      "in.cue",
      Array("FILE \"in.wav\" WAVE\r\n  TRACK 02 AUDIO\r\n    INDEX 01 00:02:00\r\n".utf8))
    _ = try bench.convert(
      ["--sidecars", "-f", "1.5", "--rate", "22050", "in.wav", "-o", "out.wav"])
    let sheet = String(decoding: try bench.folder.bytes("out.cue"), as: UTF8.self)
    #expect(sheet.contains("INDEX 01 00:03:00"), "\(sheet)")
  }

  @Test(arguments: [
    (["--rate", "12"], "1000 to 768000"), (["--rate", "fast"], "such as 48000 or 44.1k"),
    (["--rate", "44.1k", "--format", "opus"], "supports only 8000"),
    (["--quality", "best"], "--quality best does not apply to smoothstep"),
  ])
  func meaninglessRatesAreRefused(options: [String], message: String) throws {
    let refusal = try #require(Program.refusal(of: ["-f", "2", "in.wav"] + options))
    #expect(refusal.status == 64 && refusal.message.contains(message), "\(refusal.message)")
  }

  @Test func qualityAppliesToTheRate() {
    #expect(
      Program.refusal(of: ["-f", "2", "in.wav", "--rate", "48k", "--quality", "best"]) == nil)
  }
}
