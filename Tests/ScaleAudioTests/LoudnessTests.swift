import Foundation
import ScaleAudio
import TestSupport
import Testing

/// A requested loudness, as ffmpeg's filter ebur128 measures the outputs.
@Suite("Loudness")
struct LoudnessTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  /// Six seconds of noise and a tone in stereo, the second half quieter.
  private func makeMusic() throws {
    try bench.shell(
      """
      sox -R -n -r 44100 -c 2 -b 24 in.wav synth 3 pinknoise synth sine mix 440 vol 0.4 && \
        sox -R in.wav quiet.wav vol 0.2 && sox in.wav quiet.wav both.wav && mv both.wav in.wav
      """)
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

  @Test(arguments: [ScalingMethod.linear, .sinc(), .stretch()], [-16.0, -30, -23])
  func becomesTheRequestedValue(method: ScalingMethod, target: Double) throws {
    try makeMusic()
    let report = try bench.convert("in.wav", to: "out.wav", .by(1.1), method) {
      $0.level = .loudness(target: target, truePeak: -1)
    }
    let found = try measured("out.wav")
    #expect(abs(found.loudness - target) <= 0.11, "\(found)")
    let loudness = try #require(report.loudness)
    let truePeak = try #require(report.truePeakDecibels)
    #expect(abs(loudness - target) < 1e-6)
    #expect(abs(truePeak - found.truePeak) < 0.3, "\(truePeak) \(found)")
  }

  /// The true peak limits the gain, and the shortfall is reported.
  @Test(arguments: [-1.0, -6])
  func truePeaksStayWithinTheLimit(limit: Double) throws {
    try makeMusic()
    let report = try bench.convert("in.wav", to: "out.wav", .by(1.1), .sinc()) {
      $0.level = .loudness(target: -3, truePeak: limit)
    }
    let found = try measured("out.wav")
    #expect(abs(found.truePeak - limit) <= 0.2, "\(found)")
    #expect(abs(try #require(report.loudness) - found.loudness) <= 0.11)
    #expect(report.warningText.contains("dB quieter than -3 LUFS"), "\(report.warningText)")
    #expect(report.clippedSamples == 0)
  }

  /// By gain only: every sample is that of the output at its own level, times the gain.
  @Test func isOneGainForTheWholeFile() throws {
    try makeMusic()
    func convert(_ output: String, _ level: LevelChange) throws -> ConversionReport {
      try bench.convert("in.wav", to: output, .by(0.9), .sinc()) {
        $0.sampleFormat = .float64
        $0.level = level
      }
    }
    _ = try convert("plain.wav", .unchanged)
    let report = try convert("out.wav", .loudness(target: -20, truePeak: -1))
    let gain = pow(10, try #require(report.gainDecibels) / 20)
    let (plain, output) = try (bench.samples("plain.wav"), bench.samples("out.wav"))
    #expect(plain.count == output.count && plain.count > 100_000)
    #expect(zip(plain, output).allSatisfy { abs($0 * gain - $1) < 1e-12 })
  }

  @Test func unmeasurableAudioStays() throws {
    try bench.make("in.wav", Array(repeating: 0, count: 44_100), codec: "pcm_s16le")
    let report = try bench.convert("in.wav", to: "out.wav", .by(2)) {
      $0.level = .loudness(target: -16, truePeak: -1)
    }
    #expect(report.warningText.contains("its loudness cannot be measured"))
    #expect(report.gainDecibels == 0 && report.loudness == nil)
  }
}
