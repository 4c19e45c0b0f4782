import Foundation
import Testing

@testable import Waveforms

@Suite("Pictures made of text")
struct WaveformTextTests {
  private let measure = TextMeasure(
    columns: { text in
      text.reduce(0) { $0 + ($1.unicodeScalars.contains { $0.value > 0x2FFF } ? 2 : 1) }
    },
    shown: { $0.replacing("\u{1b}", with: "\\x1b") })

  private func outline(
    frames: Int = 400, lanes: [String] = [""], name: String = "a.wav", markers: [TimeMarker] = []
  ) -> TrackOutline {
    TrackOutline(
      name: name, facts: "4 s", sampleRate: 100, frames: 0..<frames, laneNames: lanes,
      markers: markers)
  }

  /// The picture of samples, the same in all lanes.
  private func lines(
    _ samples: [Int16], _ settings: TextSettings, lanes: [String] = [""], name: String = "a.wav",
    markers: [TimeMarker] = []
  ) throws -> [String] {
    let outline = outline(frames: samples.count, lanes: lanes, name: name, markers: markers)
    let plan = try WaveformText(settings: settings, outlines: [outline], measure: measure)
    var contents: [LaneContent] = plan.reducers(forTrack: 0).map {
      var reducer = $0
      reducer.append(samples.span)
      return reducer.content
    }
    if settings.picture.style == .loudness {
      let values = Array(repeating: -20.0, count: plan.columnCount(ofTrack: 0))
      contents = lanes.map { _ in
        .loudness(LoudnessCurve(momentary: values, shortTerm: values, integrated: nil))
      }
    }
    return plan.render(WaveformScene(tracks: [WaveformTrack(outline: outline, lanes: contents)]))
  }

  private static let bars = PictureSettings(style: .bars)

  /// From silence to full scale, evenly in dB.
  private static let rise = (0..<400).map { frame in
    Int16(
      nearest: 32767 * Double(decibels: -70 + 70 * Double(frame) / 399) * (frame % 2 == 0 ? 1 : -1))
  }

  @Test func bars() throws {
    let shown = try lines(
      Self.rise, TextSettings(picture: Self.bars, columns: 46, lines: 11),
      markers: [
        TimeMarker(kind: .chapter, seconds: 1, label: "One"),
        TimeMarker(kind: .mark, seconds: 3, label: "Far too long a name for this"),
      ])
    #expect(shown == Self.recordedBars, "\(Self.text(shown))")
  }

  @Test("fewer samples than bars are where the time axis has them")
  func fewBars() throws {
    // Four samples at 100 Hz: 40 ms.
    let shown = try lines(
      [32767, 32767, 32767, 32767], TextSettings(picture: Self.bars, columns: 46, lines: 9))
    #expect(shown[2] == "     │█         █         █         █")
    #expect(shown[7] == "  dB └┬─────────┬─────────┬─────────┬────────┬")
    #expect(
      shown[8].split(separator: " ") == ["0", "10", "ms", "20", "ms", "30", "ms", "40", "ms"])
  }

  @Test func envelope() throws {
    var settings = TextSettings(columns: 46, lines: 9)
    settings.picture.style = .envelope
    settings.glyphs = .braille
    let shown = try lines(Self.rise, settings, lanes: ["FL"])
    #expect(shown == Self.recordedEnvelope, "\(Self.text(shown))")
    // Fewer samples than dots are a line.
    settings.picture.isBare = true
    settings.lines = 4
    let line = try lines([0, 16384, 32767, 0, -32768], settings)
    #expect(line == Self.recordedLine, "\(Self.text(line))")
  }

  @Test func bothShowTheWaveAndItsSpectrogram() throws {
    var settings = TextSettings(columns: 46, lines: 16, glyphs: .braille)
    settings.picture.style = .both
    let shown = try lines(Self.rise, settings)
    #expect(shown.count <= 16)
    let dots = shown.indices.filter { line in
      shown[line].unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) }
    }
    let shades = shown.indices.filter { shown[$0].contains("▓") || shown[$0].contains("█") }
    #expect(dots.count > 3 && !shades.isEmpty, "\(Self.text(shown))")
    // The legend of shades is below.
    #expect(try #require(dots.last) < (try #require(shades.first)))
    #expect(shown.contains { $0.hasPrefix("   dB") } && shown.contains { $0.contains("Hz┤") })
    for lines in [4, 6, 9, 30] {
      settings.lines = lines
      let names = ["L", "R"]
      #expect(try self.lines(Self.rise, settings, lanes: names).allSatisfy { $0.count <= 46 })
    }
  }

  @Test func spectrogramsAreShadesWithoutColor() throws {
    var settings = TextSettings(columns: 46, lines: 10)
    settings.picture.style = .spectrogram
    let shown = try lines(Self.rise, settings)
    #expect(shown == Self.recordedSpectrogram, "\(Self.text(shown))")
    settings.colors = .full
    let colored = try lines(Self.rise, settings)
    #expect(colored[1].contains("▀") && colored[1].contains(";48;2;"))
  }

  /// Text to record after a review.
  private static func text(_ lines: [String]) -> String { "\n" + lines.joined(separator: "\n") }

  @Test("no line is wider than requested, and there are as many as requested")
  func sizes() throws {
    for columns in [16, 17, 39, 40, 41, 80, 300] {
      for style in WaveformStyle.allCases {
        for glyphs in TextGlyphs.allCases {
          var settings = TextSettings(columns: columns, lines: nil, glyphs: glyphs)
          settings.picture.style = style
          let shown = try lines(
            Self.rise, settings, lanes: ["FL", "LFE"], name: "日本語日本語日本語日本語の長い名前.flac",
            markers: [TimeMarker(kind: .mark, seconds: 3.9, label: "日本語")])
          #expect(shown.allSatisfy { measure.columns($0) <= columns }, "\(shown)")
        }
      }
    }
    for count in [6, 9, 30] {
      let shown = try lines(Self.rise, TextSettings(columns: 60, lines: count))
      #expect(shown.count <= count && shown.count >= count - 1)
    }
    var low = TextSettings(columns: 60)
    low.maximumLines = 9
    #expect(try lines(Self.rise, low).count <= 9)
  }

  @Test func colorsAreLimitedToThoseOfTheTerminal() throws {
    func first(_ colors: TextColors, _ change: (inout TextSettings) -> Void = { _ in }) throws
      -> String
    {
      var settings = TextSettings(picture: Self.bars, columns: 20, lines: 4, colors: colors)
      settings.picture.isBare = true
      change(&settings)
      return try lines(Array(repeating: 32767, count: 40), settings)[0]
    }
    #expect(try first(.none) == String(repeating: "█", count: 20))
    let bar = String(repeating: "█", count: 20) + "\u{1b}[0m"
    #expect(try first(.full) == "\u{1b}[0;38;2;0;114;178m" + bar)
    #expect(try first(.palette) == "\u{1b}[0;38;5;25m" + bar)
    #expect(try first(.basic) == "\u{1b}[0;36m" + bar)
    #expect(
      try first(.full) { $0.picture.colors = [RGBColor(0xFF0000)] } == "\u{1b}[0;38;2;255;0;0m"
        + bar)
  }

  @Test("bars below the middle are drawn as inverted blocks")
  func barsBelowTheMiddleAreInverted() throws {
    var settings = TextSettings(picture: Self.bars, columns: 16, lines: 4, colors: .full)
    settings.picture.isBare = true
    // Half as high as the loudest, in dB.
    let quiet = Array(repeating: Int16(nearest: 32767 * Double(decibels: -52.5)), count: 20)
    let shown = try lines(Array(repeating: 32767, count: 20) + quiet, settings)
    #expect(shown[1].contains("▄") && !shown[1].contains(";7;"))
    #expect(shown[2].contains("[0;7;38;2;0;114;178m▄"))
  }

  @Test func emptyAudioAndSilenceAreLines() throws {
    for samples in [[], Array(repeating: 0, count: 100)] as [[Int16]] {
      for style in WaveformStyle.allCases {
        var settings = TextSettings(columns: 60, lines: 8)
        settings.picture.style = style
        let shown = try lines(samples, settings)
        #expect(shown.count >= 7)
        if style == .bars { #expect(shown.contains { $0.contains("▁▁▁▁▁▁▁▁▁▁") }) }
      }
    }
  }

  @Test func sizesOutOfRangeAreErrors() {
    for settings in [
      TextSettings(columns: 0), TextSettings(columns: 1001), TextSettings(lines: 0),
      TextSettings(lines: 1_000_000),
    ] {
      #expect(throws: RenderingError.self) {
        try WaveformText(settings: settings, outlines: [outline()], measure: measure)
      }
    }
  }

  @Test func namesCannotControlTheTerminal() throws {
    let shown = try lines(Self.rise, TextSettings(columns: 60), name: "a\u{1b}[2Jb")
    #expect(shown[0].hasPrefix("a\\x1b[2Jb "))
  }

  @Test("colors for an unknown background stand out from white and from black")
  func contrast() {
    let palette = TextPalette.anyGround
    for (colors, least) in [
      ([palette.muted], 4.5), (palette.waves + [palette.marker], 3),
    ] {
      for color in colors {
        let luminance = Self.luminance(color)
        #expect(
          1.05 / (luminance + 0.05) >= least && (luminance + 0.05) / 0.05 >= least, "\(color)")
      }
    }
  }

  /// WCAG's relative luminance.
  private static func luminance(_ color: RGBColor) -> Double {
    let parts = [color.red, color.green, color.blue].map { part in
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
