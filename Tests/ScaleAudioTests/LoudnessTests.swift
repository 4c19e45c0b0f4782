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

  /// LAME lowers what it encodes, by less at higher bit rates; the level that was requested arrives all the same.
  @Test(arguments: [64, 128, 192, 224, 320])
  func arrivesInMP3(kilobits: Int) throws {
    try makeMusic()
    func make(_ level: LevelChange) throws -> Double {
      _ = try bench.convert("in.wav", to: "out.mp3", .by(1.1), .linear) {
        ($0.level, $0.encoding.bitRate) = (level, kilobits * 1000)
      }
      return try measured("out.mp3").loudness
    }
    for level in [-16.0, -23] {
      #expect(abs(try make(.loudness(target: level, truePeak: -1)) - level) <= 0.2)
    }
    let whole = try bench.convert("in.wav", to: "out.wav", .by(1.1), .linear) {
      $0.level = .normalized(peak: -6)
    }
    #expect(whole.gainDecibels != nil)
    #expect(abs(try make(.normalized(peak: -6)) - (try measured("out.wav").loudness)) <= 0.15)
  }

  /// Four seconds of quiet sound with short loud peaks in it, in mono.
  private func makePeaks(_ rate: Int, every seconds: Double = 0.5) throws {
    try bench.shell(
      """
      sox -R -n -r \(rate) -c 1 -b 24 bed.wav synth 4 pinknoise vol 0.5 tremolo 3 60 && \
        sox -R -n -r \(rate) -c 1 -b 24 hit.wav synth 0.004 sine 700 vol 0.6 pad 0 \(seconds - 0.004) \
          repeat \(Int(4 / seconds) - 1) && sox -m -v 1 bed.wav -v 1 hit.wav in.wav
      """)
  }

  /// Where gain alone cannot reach the loudness, peaks are limited, and both arrive.
  @Test(
    arguments: [
      (ScalingMethod.smoothstep, 44_100), (.linear, 8000), (.sinc(), 44_100), (.sinc(), 96_000),
      (.stretch(StretchSettings()), 22_050),
    ])
  func peaksAreLimitedToReachIt(method: ScalingMethod, rate: Int) throws {
    try makePeaks(rate)
    for (target, ceiling) in [(-16.0, -1.0), (-15, -3)] {
      let report = try bench.convert("in.wav", to: "out.wav", .by(1.1), method) {
        $0.level = .loudness(target: target, truePeak: ceiling)
      }
      let found = try measured("out.wav")
      #expect(abs(found.loudness - target) <= 0.2, "\(found)")
      #expect(found.truePeak <= ceiling + 0.15 && found.truePeak > ceiling - 0.3, "\(found)")
      #expect(abs(try #require(report.loudness) - found.loudness) <= 0.11)
      #expect(abs(try #require(report.truePeakDecibels) - found.truePeak) < 0.3)
      let limiting = try #require(report.limiting)
      #expect(limiting.decibels > 1 && limiting.decibels < 20)
      #expect(limiting.seconds > 0.1 && limiting.seconds < 4.5)
      #expect(report.warningText == "" && report.clippedSamples == 0)
    }
  }

  /// What no limiter reaches is reported.
  @Test func aTargetBeyondReachIsReported() throws {
    try makePeaks(22_050)
    let report = try bench.convert("in.wav", to: "out.wav", .by(1), .linear) {
      $0.level = .loudness(target: -1, truePeak: -6)
    }
    let found = try measured("out.wav")
    #expect(found.truePeak <= -5.85)
    #expect(abs(try #require(report.loudness) - found.loudness) <= 0.11)
    #expect(report.warningText.contains("quieter than -1 LUFS, although true peaks were limited"))
  }

  /// A limiter alone: outside of the peaks, the samples of the source.
  @Test func aLimiterLeavesTheRest() throws {
    try makePeaks(44_100, every: 2)
    for (ceiling, isLimited) in [(0.0, false), (-6, true)] {
      let report = try bench.convert("in.wav", to: "out.wav", .unchanged, .linear) {
        $0.level = .limited(truePeak: ceiling)
      }
      let (source, output) = try (bench.samples("in.wav"), bench.samples("out.wav"))
      let changed = zip(source, output).count { $0 != $1 }
      #expect(source.count == output.count)
      #expect((report.limiting != nil) == isLimited && (changed > 0) == isLimited)
      // Two peaks, 5 ms before each, and half a second of release.
      #expect(changed < source.count / 2)
      if isLimited { #expect(try measured("out.wav").truePeak <= ceiling + 0.15) }
      let limited = Int((try #require(report.limiting?.seconds ?? 0) * 44_100).rounded())
      #expect(changed <= limited, "\(changed) \(limited)")
    }
  }

  /// The true peak limits the gain, and the shortfall is reported.
  @Test(arguments: [-1.0, -6])
  func truePeaksStayWithinTheLimit(limit: Double) throws {
    try makeMusic()
    let report = try bench.convert("in.wav", to: "out.wav", .by(1.1), .sinc()) {
      $0.level = .loudness(target: -3, truePeak: limit, limits: false)
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
