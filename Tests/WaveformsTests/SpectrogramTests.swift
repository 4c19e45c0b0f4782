import Foundation
import TestSupport
import Testing

@testable import Waveforms

@Suite("Spectrograms")
struct SpectrogramTests {
  private static let (rate, length) = (8000, 512)

  /// Sines, each with its frequency in bins of the window and its level in dB.
  private func tones(_ parts: [(bin: Double, level: Double)], frames: Int) -> [Int16] {
    (0..<frames).map { frame in
      let value = parts.reduce(0.0) { sum, part in
        sum + pow(10, part.level / 20)
          * sin(2 * Double.pi * part.bin * Double(frame) / Double(Self.length))
      }
      return Int16((value * 32767).rounded())
    }
  }

  private func spectrogram(
    _ samples: [Int16], columns: Int, rows: Int = length / 2, cut: Int = .max, floor: Double = -100
  ) -> Spectrogram {
    var reducer = SpectrogramReducer(
      frameCount: samples.count, columnCount: columns, rowCount: rows, sampleRate: Self.rate,
      noiseFloor: floor, windowLength: Self.length)
    var rest = samples[...]
    while !rest.isEmpty {
      reducer.append(Array(rest.prefix(cut)).span)
      rest = rest.dropFirst(cut)
    }
    return reducer.spectrogram
  }

  @Test("a tone is at its frequency with its level")
  func tone() {
    let shown = spectrogram(tones([(40, -6), (100, -40)], frames: 20_000), columns: 10)
    #expect(shown.columnCount == 10 && shown.rowCount == 256 && shown.highestFrequency == 4000)
    for column in 0..<10 {
      #expect(abs(shown.level(column: column, row: 40) + 6) < 0.01)
      #expect(abs(shown.level(column: column, row: 100) + 40) < 0.05)
      // Hann's window has half the amplitude one bin aside, and none two aside.
      #expect(abs(shown.level(column: column, row: 41) + 12.02) < 0.05)
      #expect(shown.level(column: column, row: 43) < -90)
      #expect(shown.level(column: column, row: 200) < -90)
    }
  }

  @Test("on other scales a tone is at its height", arguments: FrequencyScale.allCases)
  func scales(scale: FrequencyScale) {
    let frequencies = [125.0, 1000, 3000]
    let samples = tones(frequencies.map { ($0 * 512 / 8000, -20) }, frames: 8000)
    for highest in [4000.0, 3200] {
      var reducer = SpectrogramReducer(
        frameCount: 8000, columnCount: 1, rowCount: 300, sampleRate: 8000, windowLength: 512,
        scale: scale, highest: highest)
      reducer.append(samples.span)
      let shown = reducer.spectrogram
      for frequency in frequencies {
        // By the definitions of the scales.
        let height =
          switch scale {
          case .linear: frequency / highest
          case .log: log(frequency / 20) / log(highest / 20)
          case .mel: log10(1 + frequency / 700) / log10(1 + highest / 700)
          }
        let row = Int(height * 300)
        let loudest = (max(0, row - 2)...min(299, row + 2)).map { shown.level(column: 0, row: $0) }
        #expect(abs(loudest.max()! + 20) < 0.2, "\(scale) \(frequency)")
      }
      #expect(shown.highestFrequency == highest && shown.scale == scale)
    }
  }

  @Test("pictures leave out high frequencies with nothing in them")
  func closeUps() {
    func needed(_ bin: Double) -> Double {
      let samples = tones([(bin, -20)], frames: 48_000)
      var reducer = SpectrogramReducer(
        frameCount: samples.count, columnCount: 10, rowCount: 100, sampleRate: 48_000,
        windowLength: 512, makesCloseUps: true)
      reducer.append(samples.span)
      return reducer.spectrogram.neededFrequency
    }
    // Bins are 93.75 Hz wide.
    #expect(needed(20) == 4000 && needed(50) == 6000 && needed(120) == 12_000)
    #expect(needed(250) == 24_000)
    let lanes = [20.0, 120].map { bin -> LaneContent in
      let samples = tones([(bin, -20)], frames: 48_000)
      var reducer = SpectrogramReducer(
        frameCount: samples.count, columnCount: 10, rowCount: 100, sampleRate: 48_000,
        windowLength: 512, makesCloseUps: true)
      reducer.append(samples.span)
      return reducer.content
    }
    let outline = TrackOutline(
      name: "", facts: "", sampleRate: 48_000, frames: 0..<48_000, laneNames: ["", ""])
    let scene = WaveformScene(tracks: [WaveformTrack(outline: outline, lanes: lanes)])
    // All lanes have one axis.
    for case .spectrum(let shown) in scene.fittingFrequencies.tracks[0].lanes {
      #expect(shown.highestFrequency == 12_000 && shown.closeUps.isEmpty)
    }
  }

  @Test("ticks of logarithmic and mel axes are round and far enough apart")
  func otherTicks() {
    let log = FrequencyTicks(highest: 22_050, gap: 0.05, scale: .log)
    #expect(
      log.ticks.map(\.label)
        == [
          "20", "50", "100", "200", "500", "1k", "2k", "5k", "10k", "20k",
        ].filter { label in log.ticks.contains { $0.label == label } })
    #expect(log.ticks.count >= 8 && log.unit == "Hz")
    for scale in [FrequencyScale.log, .mel] {
      let heights = FrequencyTicks(highest: 8000, gap: 0.1, scale: scale).ticks.map(\.height)
      #expect(heights.count > 3 && zip(heights, heights.dropFirst()).allSatisfy { $1 - $0 >= 0.1 })
    }
  }

  @Test("audio that is shorter than a window is in its middle")
  func click() {
    // One sample has equal levels at all frequencies: 2 / (512 / 2) of a sine's magnitude, and half of that at 0 Hz.
    let shown = spectrogram([32767], columns: 1)
    #expect(shown.columnCount == 1)
    for row in 1..<255 { #expect(abs(shown.level(column: 0, row: row) + 42.14) < 0.01) }
  }

  @Test("values agree with numpy", arguments: [(30_011, 7), (5000, 40), (512, 3), (513, 1)])
  func numpy(frames: Int, columns: Int) throws {
    var samples = tones([(10.3, -9), (77.7, -30), (255, -50)], frames: frames)
    var state: UInt64 = 1
    for index in samples.indices {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      samples[index] += Int16(truncatingIfNeeded: Int(state >> 52) - 2048) / 4
    }
    let script = #"""
      import sys, numpy as np
      columns, length = int(sys.argv[1]), int(sys.argv[2])
      x = np.frombuffer(sys.stdin.buffer.read(), "<i2") / 32768
      each = max(1, (len(x) // columns + length // 4) // (length // 2))
      count = columns * each
      starts = [(2 * i + 1) * len(x) // (2 * count) - length // 2 for i in range(count)]
      starts = [max(0, min(start, len(x) - length)) for start in starts]
      w = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(length) / length)
      spectra = [np.abs(np.fft.rfft(x[s:s + length] * w)) / w.sum() for s in starts]
      power = (np.array(spectra) ** 2).reshape(columns, each, -1).mean(axis=1)
      power[:, 1:-1] *= 4
      power[:, -2] = np.maximum(power[:, -2], power[:, -1])
      for level in (10 * np.log10(power[:, :-1])).ravel(): print(level)
      """#
    let reported = try Tool.run(
      "python3", ["-c", script, "\(columns)", "\(Self.length)"],
      input: samples.withUnsafeBytes { Array($0) })
    try #require(reported.status == 0, "\(reported.errorText)")
    let expected = reported.outputText.split(separator: "\n").compactMap { Double($0) }
    let shown = spectrogram(samples, columns: columns, floor: -200)
    try #require(expected.count == shown.values.count)
    for (found, wanted) in zip(shown.values, expected) where wanted > -95 {
      #expect(abs(Double(found) - wanted) < 0.02)
    }
  }

  @Test(arguments: [1, 100, 511, 512, 513, 4096]) func blocksMayBeCutAnywhere(cut: Int) {
    let samples = tones([(20.5, -3)], frames: 6000)
    #expect(
      spectrogram(samples, columns: 9, cut: cut) == spectrogram(samples, columns: 9))
  }

  @Test func shortAndEmptyAudio() {
    let nothing = spectrogram([], columns: 10)
    #expect(nothing.columnCount == 0 && nothing.loudest == -100)
    let silent = spectrogram(Array(repeating: 0, count: 3000), columns: 4)
    #expect(silent.values == Array(repeating: -100, count: 4 * 256))
    let short = spectrogram(tones([(40, 0)], frames: 100), columns: 4)
    // The middle 100 of the window's 512 values sum up to 96.92 of 256.
    #expect(short.columnCount == 4 && abs(short.loudest + 8.44) < 0.05)
  }

  @Test("rows are bands of equal width that leave no bin out", arguments: [1, 3, 100, 256, 400])
  func rows(count: Int) {
    for bin in [1, 77, 128, 254] {
      let samples = tones([(Double(bin), -10)], frames: 4096)
      let shown = spectrogram(samples, columns: 1, rows: count)
      #expect(abs(shown.loudest + 10) < 0.01)
      let row = shown.values.firstIndex { abs(Double($0) + 10) < 0.01 } ?? -1
      #expect(abs(row - bin * count / 256) <= 1)
    }
  }

  /// With four rows for each bin, the rows whose middles are nearest to a bin show it.
  @Test(arguments: [1, 77, 128, 254]) func rowsBetweenBinsShowTheNearest(bin: Int) {
    let samples = tones([(Double(bin), -10)], frames: 4096)
    let shown = spectrogram(samples, columns: 1, rows: 4 * Self.length / 2)
    let loud = shown.values.indices.filter { abs(Double(shown.values[$0]) + 10) < 0.01 }
    let nearest = shown.values.indices.filter { abs((Double($0) + 0.5) / 4 - Double(bin)) < 0.5 }
    #expect(nearest.count == 4)
    #expect(loud == nearest)
  }

  @Test func colorsGrowLighterEvenly() {
    let map = ColorMap()
    let lightness = stride(from: 0.0, through: 1, by: 0.05).map {
      Self.lightness(map.color(at: $0))
    }
    let steps = zip(lightness.dropFirst(), lightness).map { $0 - $1 }
    #expect(steps.allSatisfy { $0 > 2 && $0 < 8 }, "\(steps)")
    #expect(map.color(at: -1) == map.color(at: 0) && map.color(at: .nan) == map.color(at: 0))
    #expect(ColorMap([RGBColor(0), RGBColor(0xFFFFFF)]).color(at: 0.5) == RGBColor(0x808080))
  }

  /// L* of CIELAB.
  private static func lightness(_ color: RGBColor) -> Double {
    let parts = [color.red, color.green, color.blue].map { part in
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    let luminance = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    return luminance > 0.008856 ? 116 * cbrt(luminance) - 16 : 903.3 * luminance
  }

  @Test("a picture has a pixel for each moment and band, low frequencies at the bottom")
  func picture() throws {
    var settings = PictureSettings(style: .spectrogram, width: 16, height: 16, isBare: true)
    settings.colors = [RGBColor(0), RGBColor(0xFFFFFF)]
    let outline = TrackOutline(
      name: "", facts: "", sampleRate: 100, frames: 0..<1000, laneNames: [""])
    let plan = try WaveformPicture(settings: settings, outlines: [outline])
    // Louder by the column and by the row, from -100 to 0 dB.
    let values = (0..<16).flatMap { column in (0..<16).map { Float(-100 + 3 * column + $0) } }
    var shown = values
    shown[255] = 0
    let content = Spectrogram(
      values: shown, columnCount: 16, rowCount: 16, highestFrequency: 50, noiseFloor: -100)
    let image = try plan.pixels(
      of: WaveformScene(tracks: [WaveformTrack(outline: outline, lanes: [.spectrum(content)])]))
    #expect(image.width == 16 && image.height == 16)
    for column in 0..<16 {
      for row in 0..<16 {
        let level = content.level(column: column, row: row)
        let gray = UInt8(((level + 100) / 100 * 255).rounded())
        let place = 3 * ((15 - row) * 16 + column)
        #expect(Array(image.bytes[place..<place + 3]) == [gray, gray, gray])
      }
    }
  }

  @Test func frequenciesAndLevelsAreLabeled() {
    let ticks = FrequencyTicks(highest: 22_050, gap: 0.1)
    #expect(ticks.unit == "kHz" && ticks.ticks.map(\.label) == ["0", "5", "10", "15", "20"])
    #expect(FrequencyTicks(highest: 500, gap: 0.3).ticks.map(\.label) == ["0", "200", "400"])
    #expect(FrequencyTicks(highest: 500, gap: 0.3).unit == "Hz")
    #expect(FrequencyTicks(highest: 4000, gap: 0.1).ticks.map(\.label).suffix(2) == ["3.5", "4"])
  }
}
