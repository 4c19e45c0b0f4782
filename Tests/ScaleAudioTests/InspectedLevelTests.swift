import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Measurements, compared with ffmpeg's filters, sox and independent arithmetic.
@Suite("Inspected files: levels")
struct InspectedLevelTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  private func levels(_ name: String) throws -> AudioLevels {
    let report = try bench.inspect(name, .init(measuresLevels: true))
    #expect(report.source.lengthBasis == .counted)
    return try #require(report.levels)
  }

  /// The last number that ffmpeg's log gives after a name.
  private func reported(_ name: String, in log: String) throws -> Double {
    let line = try #require(log.split(separator: "\n").last { $0.contains(name) }, "\(name)")
    let rest = try #require(line.range(of: name)).upperBound
    let text = line[rest...].drop { $0 == ":" || $0 == " " }.prefix { $0 != " " }
    return try #require(Double(text), "\(line)")
  }

  private func makeProgram() throws {
    // Loud and soft parts, apart in level, with a tail of silence, and an offset.
    try bench.shell(
      "sox -R -n -r 48000 -c 2 -b 16 a.wav synth 6 pinknoise gain -6 && "
        + "sox -R -n -r 48000 -c 2 -b 16 b.wav synth 6 pinknoise gain -22 dcshift 0.01 && "
        + "sox a.wav b.wav x.wav pad 0.25 0.5")
  }

  @Test func loudness() throws {
    try makeProgram()
    let levels = try levels("x.wav")
    let log = try bench.shell(
      "ffmpeg -nostats -i x.wav -filter_complex ebur128=peak=true -f null - 2>&1 | tail -20"
    ).outputText
    #expect(abs(try #require(levels.integratedLoudness) - reported("I:", in: log)) <= 0.11)
    #expect(abs(try #require(levels.loudnessRange) - reported("LRA:", in: log)) <= 0.2)
    let peak = AudioLevels.decibels(try #require(levels.overall.truePeak))
    #expect(abs(peak - (try reported("Peak:", in: log))) <= 0.25)
    #expect(peak >= AudioLevels.decibels(levels.overall.peak) - 0.01)
  }

  /// 5.1: the surrounds count for more, the low frequencies not at all.
  @Test func loudnessOfSurround() throws {
    try bench.shell(
      "sox -R -n -r 48000 -c 6 -b 16 y.wav synth 4 pinknoise gain -20 && "
        + "ffmpeg -v error -channel_layout 5.1 -i y.wav -c:a pcm_s16le x.wav")
    let measured = try #require(try levels("x.wav").integratedLoudness)
    let log = try bench.shell(
      "ffmpeg -nostats -i x.wav -filter_complex ebur128 -f null - 2>&1 | tail -20"
    ).outputText
    #expect(abs(measured - (try reported("I:", in: log))) <= 0.11)
  }

  @Test func amplitudes() throws {
    try makeProgram()
    let levels = try levels("x.wav")
    let samples = try bench.int16("x.wav")
    let frames = samples.count / 2
    for channel in 0..<2 {
      let own = (0..<frames).map { Double(samples[2 * $0 + channel]) / 32768 }
      let peak = own.map(abs).max() ?? 0
      let square = own.reduce(0) { $0 + $1 * $1 } / Double(frames)
      let mean = own.reduce(0, +) / Double(frames)
      #expect(levels.channels[channel].peak == peak)
      #expect(abs(AudioLevels.decibels(levels.channels[channel].peak) - 20 * log10(peak)) < 1e-9)
      #expect(abs(levels.channels[channel].rms - square.squareRoot()) < 1e-9)
      #expect(
        abs(levels.channels[channel].averagePower - 10 * log10(square)) < 1e-6)
      #expect(abs(levels.channels[channel].dcOffset - mean) < 1e-9)
    }
    let log = try bench.shell("sox x.wav -n stats 2>&1").outputText
    #expect(
      abs(try AudioLevels.decibels(levels.overall.peak) - reported("Pk lev dB", in: log)) < 0.01)
    #expect(
      abs(try AudioLevels.decibels(levels.overall.rms) - reported("RMS lev dB", in: log)) < 0.01)
    let volume = try bench.shell(
      "ffmpeg -nostats -i x.wav -af volumedetect -f null - 2>&1"
    ).outputText
    #expect(
      abs(
        try levels.overall.averagePower - reported("mean_volume", in: volume))
        < 0.06)
    #expect(
      abs(try AudioLevels.decibels(levels.overall.peak) - reported("max_volume", in: volume)) < 0.06
    )
  }

  /// Silence is below -80 dB: in 16 bits, 3 and less.
  @Test func silence() throws {
    let quiet = [Int16](repeating: 3, count: 1000) + [Int16](repeating: -3, count: 234)
    let loud: [Int16] = [4, 0, 0, -5000, 7, -4]
    try write("x.wav", quiet + loud + quiet.dropLast(34))
    let levels = try levels("x.wav")
    #expect(levels.leadingSilence == 1234)
    #expect(levels.trailingSilence == 1200)
    try write("y.wav", quiet)
    let silent = try self.levels("y.wav")
    #expect(silent.leadingSilence == 1234)
    #expect(silent.trailingSilence == 1234)
    #expect(silent.integratedLoudness == nil)
    #expect(AudioLevels.decibels(silent.overall.peak) == -80)
    #expect(silent.overall.averagePower == -80)
  }

  @Test func clippedRuns() throws {
    // Runs of 2 (a peak), 3, 5 of both signs, and one up to the end; between blocks of any size.
    let rest = [Int16](repeating: 100, count: 50_000)
    let runs: [Int16] = [
      32767, 32767, 0, 32767, 32767, 32767, 1, -32768, -32767, 32767, -32768, 32767,
    ]
    try write("x.wav", rest + runs + rest + [Int16](repeating: -32768, count: 4))
    let overall = try levels("x.wav").overall
    #expect(overall.clippedRuns == 3)
    #expect(overall.clippedSamples == 12)
    #expect(overall.longestClippedRun == 5)
    #expect(AudioLevels.decibels(overall.peak) == 0)
  }

  /// MD5 of the samples, as FLAC stores it, as ffmpeg reports it, and as `md5sum` computes it from raw ones.
  @Test(arguments: [("pcm_s16le", "s16le", "int16"), ("pcm_s24le", "s24le", "int24")])
  func checksumOfIntegers(codec: String, raw: String, format: String) throws {
    try bench.shell(
      "sox -R -n -r 44100 -c 2 -b 24 y.wav synth 1 pinknoise gain -3 && "
        + "ffmpeg -v error -i y.wav -c:a \(codec) x.wav && flac -s x.wav -o x.flac")
    let ffmpeg = try bench.shell("ffmpeg -v error -i x.wav -c:a \(codec) -f md5 -").outputText
    let sum = try bench.shell("ffmpeg -v error -i x.wav -c:a \(codec) -f \(raw) - | md5sum")
      .outputText
    let stored = try bench.shell("metaflac --show-md5sum x.flac").outputText
    for name in ["x.wav", "x.flac"] {
      let levels = try levels(name)
      let md5 = levels.md5
      #expect(levels.checksumFormat.rawValue == format)
      #expect(ffmpeg == "MD5=\(md5)\n")
      #expect(sum.hasPrefix(md5))
      #expect(stored == "\(md5)\n")
    }
  }

  @Test(
    arguments: [
      ("pcm_u8", "s8", "int8"), ("pcm_s32le", "s32le", "int32"),
      ("pcm_f32le", "f32le", "float32"), ("pcm_f64le", "f64le", "float64"),
    ])
  func checksumOfOtherSamples(codec: String, raw: String, format: String) throws {
    try bench.shell(
      "sox -R -n -r 44100 -c 2 -b 24 y.wav synth 1 pinknoise gain -3 && "
        + "ffmpeg -v error -i y.wav -c:a \(codec) x.wav")
    let sum = try bench.shell(
      "ffmpeg -v error -i x.wav -c:a pcm_\(raw) -f \(raw) - | md5sum"
    ).outputText
    let levels = try levels("x.wav")
    #expect(levels.checksumFormat.rawValue == format)
    #expect(sum.hasPrefix(levels.md5))
  }

  /// Floating point above full scale counts as clipped; values that are not finite, as silence.
  @Test func floatingPoint() throws {
    let samples: [Float] = [0.5, 1.5, 1.5, 1.5, -2, .nan, .infinity, 0.25]
    let raw = samples.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
    try bench.folder.write("x.f32", raw)
    try bench.shell("ffmpeg -v error -f f32le -ar 44100 -ac 1 -i x.f32 -c:a copy x.wav")
    let levels = try levels("x.wav")
    #expect(levels.overall.peak == 2)
    #expect(levels.overall.clippedRuns == 1)
    #expect(levels.overall.clippedSamples == 4)
    #expect(levels.nonFiniteSamples == 2)
  }

  @Test func noFrames() throws {
    try write("x.wav", [])
    let levels = try levels("x.wav")
    #expect(levels.overall.rms == 0)
    #expect(levels.md5 == "d41d8cd98f00b204e9800998ecf8427e")
  }

  private func write(_ name: String, _ samples: [Int16]) throws {
    try bench.folder.write("raw", Raw.bytes(samples))
    try bench.shell("sox -t raw -e signed -b 16 -L -r 44100 -c 1 raw \(name)")
  }
}
