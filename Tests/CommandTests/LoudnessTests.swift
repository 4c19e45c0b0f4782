import Foundation
import TestSupport
import Testing

/// `--loudness`, as ffmpeg's filter ebur128 measures the outputs.
@Suite("Loudness")
struct LoudnessTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  /// Six seconds of noise and a tone in stereo, the second half quieter.
  private func makeMusic() throws {
    let made = try Program.shell(
      """
      sox -R -n -r 44100 -c 2 -b 24 in.wav synth 3 pinknoise synth sine mix 440 vol 0.4 && \
        sox -R in.wav quiet.wav vol 0.2 && sox in.wav quiet.wav both.wav && mv both.wav in.wav
      """, in: bench.folder.path)
    try #require(made.status == 0, "\(made.errorText)")
  }

  /// Integrated loudness in LUFS and the highest true peak in dB, by ffmpeg.
  private func measured(_ name: String) throws -> (loudness: Double, truePeak: Double) {
    let text = try Tool.run(
      "ffmpeg",
      ["-hide_banner", "-nostats", "-i", name, "-af", "ebur128=peak=true", "-f", "null", "-"],
      in: bench.folder.path
    ).errorText
    let summary = try #require(text.range(of: "Summary:", options: .backwards)?.upperBound)
    func number(_ label: String) throws -> Double {
      let line = try #require(
        text[summary...].split(separator: "\n").first {
          $0.trimmingCharacters(in: .whitespaces).hasPrefix(label)
        })
      return try #require(line.split(separator: " ").compactMap { Double($0) }.first)
    }
    return (try number("I:"), try number("Peak:"))
  }

  @Test(arguments: ["linear", "sinc", "stretch"], ["-16", "-30", "-23LUFS"])
  func becomesTheRequestedValue(method: String, target: String) throws {
    try makeMusic()
    let run = try bench.convert(
      ["-f", "1.1", "--method", method, "--loudness", target, "in.wav", "-o", "out.wav"])
    let wanted = try #require(Double(target.replacing("LUFS", with: "")))
    let found = try measured("out.wav")
    #expect(abs(found.loudness - wanted) <= 0.11, "\(found)")
    let loudness = try #require(run.record["outputIntegratedLUFS"] as? Double)
    let truePeak = try #require(run.record["outputTruePeakDecibels"] as? Double)
    #expect(abs(loudness - wanted) < 1e-6)
    #expect(abs(truePeak - found.truePeak) < 0.3, "\(truePeak) \(found)")
    #expect(run.reported.contains("to \(Int(wanted)).0 LUFS (true peak "), "\(run.reported)")
  }

  /// The true peak limits the gain, and the shortfall is reported.
  @Test(arguments: [([], -1.0), (["--true-peak", "-6"], -6.0)] as [([String], Double)])
  func truePeaksStayWithinTheLimit(options: [String], limit: Double) throws {
    try makeMusic()
    let run = try bench.convert(
      ["-f", "1.1", "--method", "sinc", "--loudness", "-3"] + options + ["in.wav", "-o", "out.wav"])
    let found = try measured("out.wav")
    #expect(abs(found.truePeak - limit) <= 0.2, "\(found)")
    #expect(
      abs(try #require(run.record["outputIntegratedLUFS"] as? Double) - found.loudness) <= 0.11)
    #expect(run.reported.contains("dB quieter than -3 LUFS"), "\(run.reported)")
    #expect(run.record["clippedSamples"] as? Int == 0)
  }

  /// By gain only: every sample is that of the output without `--loudness`, times the gain.
  @Test func isOneGainForTheWholeFile() throws {
    try makeMusic()
    let options = ["-f", "0.9", "--method", "sinc", "--bits", "f64", "in.wav", "-o"]
    _ = try bench.convert(options + ["plain.wav"])
    let run = try bench.convert(["--loudness", "-20"] + options + ["out.wav"])
    let gain = pow(10, try #require(run.record["gainDecibels"] as? Double) / 20)
    let (plain, output) = try (bench.samples("plain.wav"), bench.samples("out.wav"))
    #expect(plain.count == output.count && plain.count > 100_000)
    #expect(zip(plain, output).allSatisfy { abs($0 * gain - $1) < 1e-12 })
  }

  @Test func unmeasurableAudioStays() throws {
    try bench.make("in.wav", Array(repeating: 0, count: 44_100), codec: "pcm_s16le")
    let run = try bench.convert(["-f", "2", "--loudness", "-16", "in.wav", "-o", "out.wav"])
    #expect(run.reported.contains("its loudness cannot be measured"))
    #expect(run.record["gainDecibels"] as? Double == 0 && run.record["outputIntegratedLUFS"] == nil)
  }

  @Test(arguments: [
    (["--loudness", "3"], "within -60 to 0"), (["--loudness", "loud"], "within -60 to 0"),
    (["--true-peak", "-1"], "--true-peak needs --loudness"),
    (["--loudness", "-16", "--normalize", "-1"], "exclude each other"),
    (["--loudness", "-16", "--true-peak", "1"], "within -60 to 0 dB"),
  ])
  func meaninglessValuesAreRefused(options: [String], message: String) throws {
    let refusal = try #require(Program.refusal(of: ["-f", "2", "in.wav"] + options))
    #expect(refusal.status == 64 && refusal.message.contains(message), "\(refusal.message)")
  }
}
