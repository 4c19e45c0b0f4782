import Foundation
import TestSupport
import Testing
import Waveforms

/// Pictures of small scenes, compared with drawings by hand and with recorded ones.
@Suite("Pictures", .serialized)
struct PictureTests {
  private static let blue = "0072b2"
  private static let white = "ffffff"

  /// The rows of a PNG as Pillow decodes it, each pixel as six digits.
  private func rows(_ png: [UInt8]) throws -> [[String]] {
    let script = """
      import sys
      from PIL import Image
      image = Image.open(sys.stdin.buffer).convert("RGB")
      for y in range(image.height):
          print(*("%02x%02x%02x" % image.getpixel((x, y)) for x in range(image.width)))
      """
    let run = try Tool.run("python3", ["-c", script], input: png)
    try #require(run.status == 0, "\(run.errorText)")
    return run.outputText.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  }

  /// A picture of the one lane of a source of 8 Hz.
  private func render(
    _ content: LaneContent, frames: Int, _ settings: PictureSettings,
    as format: PictureFormat = .png, markers: [TimeMarker] = [], name: String = "in.flac"
  ) throws -> [UInt8] {
    let outline = TrackOutline(
      name: name, facts: "1 s", sampleRate: 8, frames: 0..<frames, laneNames: [""],
      markers: markers)
    let plan = try WaveformPicture(settings: settings, outlines: [outline])
    return try plan.render(
      WaveformScene(tracks: [WaveformTrack(outline: outline, lanes: [content])]), as: format)
  }

  private func bare(
    _ style: WaveformStyle, width: Int = 16, scale: Int = 1
  ) -> PictureSettings {
    PictureSettings(
      style: style, width: width, height: 16, scale: scale, barWidth: 2, barSpacing: 2,
      fitsLoudest: true, isBare: true)
  }

  /// Pixels as a drawing: `#` for the wave, `.` for the background.
  private func drawing(_ rows: [[String]]) -> [String] {
    rows.map { row in
      row.map { $0 == Self.blue ? "#" : $0 == Self.white ? "." : "?" }.joined()
    }
  }

  @Test func barsEqualADrawingByHand() throws {
    // Heights of 0, 1/2 and 1 of half the picture, and 0 again.
    let levels = Levels(values: [-70, -40, -10, -70], noiseFloor: -70, framesPerValue: 2)
    let png = try render(.levels(levels), frames: 8, bare(.bars))
    let expected =
      Array(repeating: "........##......", count: 4)
      + Array(repeating: "....##..##......", count: 3)
      + Array(repeating: "##..##..##..##..", count: 2)
      + Array(repeating: "....##..##......", count: 3)
      + Array(
        repeating: "........##......", count: 4)
    #expect(drawing(try rows(png)) == expected)
  }

  /// Red at the upper edge where a sample reaches full scale, and at the lower one; nowhere else.
  @Test func clippingIsRed() throws {
    var (low, high) = ([Int16](repeating: -9000, count: 16), [Int16](repeating: 9000, count: 16))
    (high[4], low[10]) = (.max, .min)
    (high[13], low[13]) = (.max - 1, .min + 1)
    let settings = PictureSettings(style: .envelope, width: 16, height: 16, isBare: true)
    let peaks = Peaks(minimums: low, maximums: high, frameCount: 1600)
    let rows = try rows(try render(.peaks(peaks), frames: 1600, settings))
    func red(_ row: Int) -> [Int] { rows[row].indices.filter { rows[row][$0] == "d6252e" } }
    for row in 0..<16 {
      #expect(red(row) == (row < 4 ? [4, 5] : row >= 12 ? [10, 11] : []), "\(row)")
    }
  }

  /// Samples of 8 bits reach full scale at 127, which is 32,512 with 16.
  @Test func clippingOfFewerBitsIsRedOnBothSides() throws {
    var reducer = PeakReducer(frameCount: 3, count: 3, fullScale: 32_512)
    let samples: [Int16] = [127 << 8, 126 << 8, -128 << 8]
    reducer.append(samples.span)
    #expect(reducer.peaks.fullScale == 32_512)
    let settings = PictureSettings(style: .envelope, width: 16, height: 16, isBare: true)
    let peaks = Peaks(
      minimums: Array(repeating: -9000, count: 16),
      maximums: (0..<16).map { $0 == 4 ? 32_512 : $0 == 9 ? 32_256 : 9000 }, frameCount: 1600,
      fullScale: 32_512)
    let rows = try rows(try render(.peaks(peaks), frames: 1600, settings))
    #expect(rows[0].indices.filter { rows[0][$0] == "d6252e" } == [4, 5])
  }

  /// A lane without sound says so.
  @Test func silenceIsNamed() throws {
    let settings = PictureSettings(style: .envelope, width: 300, height: 160)
    func text(_ sample: Int16, _ frames: Int = 400) throws -> String {
      let peaks = Peaks(
        minimums: Array(repeating: -sample, count: 300),
        maximums: Array(repeating: sample, count: 300), frameCount: frames)
      return String(
        decoding: try render(.peaks(peaks), frames: frames, settings, as: .svg), as: UTF8.self)
    }
    #expect(try text(0).contains(">silence<"))
    #expect(try !text(4).contains("silence"))
    #expect(try text(0, 0).contains(">no audio<"))
    func loudness(_ frames: Int, _ value: Double) throws -> String {
      let values = Array(repeating: value, count: 300)
      let curve = LoudnessCurve(momentary: values, shortTerm: values, integrated: nil)
      let settings = PictureSettings(style: .loudness, width: 300, height: 160)
      return String(
        decoding: try render(.loudness(curve), frames: frames, settings, as: .svg), as: UTF8.self)
    }
    // At 8 Hz, 0.4 s are 3.2 frames.
    #expect(try loudness(3, -.infinity).contains("shorter than 0.4 s"))
    #expect(try loudness(400, -.infinity).contains(">silence<"))
    #expect(try !loudness(400, -20).contains("silence"))
  }

  /// Both lines of a low picture of loudness have their labels.
  @Test(arguments: [60, 80, 100, 300]) func loudnessLinesAreLabeled(_ height: Int) throws {
    let values = Array(repeating: -20.0, count: 300)
    let curve = LoudnessCurve(momentary: values, shortTerm: values, integrated: nil)
    let settings = PictureSettings(style: .loudness, width: 300, height: height)
    let text = String(
      decoding: try render(.loudness(curve), frames: 400, settings, as: .svg), as: UTF8.self)
    for label in ["\u{2212}16", "\u{2212}23"] { #expect(text.contains(">\(label)<"), "\(label)") }
  }

  @Test("a lone sample is a whole dot, even at the edge")
  func loneSample() throws {
    let peaks = Peaks(minimums: [0], maximums: [0], frameCount: 1)
    var settings = PictureSettings(style: .envelope, width: 400, height: 200)
    settings.colors = [RGBColor(red: 255, green: 0, blue: 0)]
    let png = try render(.peaks(peaks), frames: 1, settings)
    let red = try rows(png).map { row in row.filter { $0 == "ff0000" }.count }.filter { $0 > 0 }
    // Within a circle of two points there are two whole pixels across, one on either side of the edge.
    #expect(red.max() == 2, "\(red)")
  }

  @Test func denseScreensGetTwiceThePixels() throws {
    let levels = Levels(values: [-70, -40, -10, -70], noiseFloor: -70, framesPerValue: 2)
    let drawn = drawing(try rows(render(.levels(levels), frames: 8, bare(.bars, scale: 2))))
    #expect(drawn.count == 32 && drawn.allSatisfy { $0.count == 32 })
    // Silence is a pixel on either side of the middle, however small a pixel is.
    #expect(drawn[14] == "........####....####............")
    #expect(drawn[15] == "####....####....####....####....")
    #expect(drawn[0] == "................####............")
  }

  @Test func envelopesEqualADrawingByHand() throws {
    // Full scale, half of it, silence, and one column that its neighbors must be joined to.
    let peaks = Peaks(
      minimums: [-32768, -16384, 0, 16384] + Array(repeating: 0, count: 12),
      maximums: [32767, 16384, 0, 16384] + Array(repeating: 0, count: 12), frameCount: 32)
    let drawn = drawing(try rows(render(.peaks(peaks), frames: 32, bare(.envelope))))
    let columns = (0..<16).map { x in drawn.map { Array($0)[x] } }
    #expect(columns[0].count { $0 != "." } == 16)
    #expect(columns[1].map { $0 == "#" } == (0..<16).map { (4..<12).contains($0) })
    // From silence to a quarter below the top, without a gap.
    #expect(columns[3].map { $0 == "#" } == (0..<16).map { (4..<8).contains($0) })
    #expect(columns[9].count { $0 == "#" } == 1)
  }

  @Test func fewSamplesAreALine() throws {
    let peaks = Peaks(minimums: [0, 32767], maximums: [0, 32767], frameCount: 2)
    let drawn = drawing(try rows(render(.peaks(peaks), frames: 2, bare(.envelope, width: 64))))
    // From the middle of the left edge to the top of the middle, and no further.
    #expect(drawn[8].first != "." && drawn[0].prefix(33).last != ".")
    #expect(drawn.allSatisfy { $0.suffix(28).allSatisfy { $0 == "." } })
  }

  @Test(arguments: [WaveformStyle.bars, .envelope]) func emptyAudioIsAFlatLine(style: WaveformStyle)
    throws
  {
    let content: LaneContent =
      style == .bars
      ? .levels(Levels(values: [], noiseFloor: -70, framesPerValue: 1))
      : .peaks(Peaks(minimums: [], maximums: [], frameCount: 0))
    let drawn = drawing(try rows(render(content, frames: 0, bare(style))))
    #expect(drawn[7].hasPrefix("##############") && drawn[8].hasPrefix("##############"))
    #expect(drawn.enumerated().allSatisfy { $0 == 7 || $0 == 8 || !$1.contains("#") })
  }

  @Test("loudness is where a drawing by hand has it: momentary below the line of short-term")
  func loudness() throws {
    let curve = LoudnessCurve(
      momentary: Array(repeating: -30, count: 16),
      shortTerm: Array(repeating: -.infinity, count: 8) + Array(repeating: -15, count: 8),
      integrated: -15)
    let drawn = try rows(render(.loudness(curve), frames: 16, bare(.loudness)))
    // -30 LUFS are half of 60 LU.
    for row in 0..<16 {
      let isEmpty = row < 8 && row != 4 && row != 6
      #expect((drawn[row][2] == Self.white) == isEmpty, "\(row)")
    }
    // The dashes of -16 and -23 LUFS, and the line at a quarter from the top.
    #expect(drawn[4][1] == "17202b" && drawn[6][1] == "17202b")
    #expect(drawn[3][12] == Self.blue || drawn[4][12] == Self.blue)
  }

  @Test("both styles share a picture: the envelope above, the spectrogram 1.5 times as high below")
  func both() throws {
    let outline = TrackOutline(
      name: "", facts: "", sampleRate: 8000, frames: 0..<8000, laneNames: ["FL", "FR"])
    let settings = PictureSettings(style: .both, width: 64, height: 3 * 28 + 200, isBare: true)
    let plan = try WaveformPicture(settings: settings, outlines: [outline])
    let reducers = plan.reducers(forTrack: 0)
    #expect(reducers.map { $0 is PeakReducer } == [true, false, true, false])
    let contents = reducers.map(\.content)
    guard case .spectrum(let spectrogram) = contents[1] else {
      Issue.record("no spectrogram")
      return
    }
    // 200 points for lanes of weights 1, 1.5, 1 and 1.5.
    #expect(spectrogram.rowCount == 60)
  }

  @Test("markers stand out from bars: the background is on either side")
  func markersOverBars() throws {
    let levels = Levels(
      values: Array(repeating: 0, count: 16), noiseFloor: -70, framesPerValue: 1)
    var settings = PictureSettings(style: .bars, width: 16, height: 16, barWidth: 1, barSpacing: 0)
    settings.isBare = true
    let png = try render(
      .levels(levels), frames: 16, settings,
      markers: [TimeMarker(kind: .chapter, seconds: 1, label: "One")])
    let row = try rows(png)[8]
    #expect(row[6] == Self.blue && row[8] == "3b1f5b" && row[10] == Self.blue)
    #expect(row[7] == "f5f7f9" && row[9] == "f5f7f9")
  }

  @Test("lanes that would be lower than 8 points are refused with the height that works")
  func tooManyLanes() throws {
    func outline(_ lanes: Int) -> TrackOutline {
      TrackOutline(
        name: "", facts: "", sampleRate: 1, frames: 0..<1,
        laneNames: Array(repeating: "", count: lanes))
    }
    let error = #expect(throws: RenderingError.self) {
      try WaveformPicture(settings: PictureSettings(height: 80), outlines: [outline(8)])
    }
    let text = try #require(error).cause
    let least = try #require(text.firstMatch(of: /at least (\d+) points/).flatMap { Int($0.1) })
    _ = try WaveformPicture(settings: PictureSettings(height: least), outlines: [outline(8)])
    #expect(throws: RenderingError.self) {
      try WaveformPicture(settings: PictureSettings(height: least - 1), outlines: [outline(8)])
    }
    _ = try WaveformPicture(settings: PictureSettings(height: 16), outlines: [outline(1)])
  }

  // MARK: - Recorded pictures

  /// Scenes that show everything that a picture can have.
  private func scene(of count: Int, _ settings: PictureSettings) throws -> String {
    let samples = (0..<4000).map { index -> Int16 in
      Int16(20_000 * sin(Double(index) / 9) * abs(sin(Double(index) / 700)))
    }
    let outlines = ["in.flac", "in-x1.5, a name that is too long to be shown as a whole.flac"]
      .prefix(count).map {
        TrackOutline(
          name: $0, facts: "4 s  ·  1 kHz  ·  stereo", sampleRate: 1000, frames: 0..<4000,
          laneNames: ["FL", "FR"],
          markers: [
            TimeMarker(kind: .chapter, seconds: 0, label: "Begin"),
            TimeMarker(kind: .chapter, seconds: 1.9, label: "A chapter with no room"),
            TimeMarker(kind: .mark, seconds: 2.5, label: "mark"),
          ])
      }
    let plan = try WaveformPicture(settings: settings, outlines: outlines)
    let tracks = outlines.indices.map { track in
      WaveformTrack(
        outline: outlines[track],
        lanes: plan.reducers(forTrack: track).map { made in
          var reducer = made
          reducer.append(samples.span)
          return reducer.content
        })
    }
    let svg = try plan.render(WaveformScene(tracks: tracks), as: .svg)
    // Cairo numbers the surfaces of a process.
    return String(decoding: svg, as: UTF8.self)
      .replacing(try Regex("id=\"surface[0-9]+\""), with: "id=\"surface\"")
  }

  /// SCALEAUDIO_RECORD writes the pictures instead of comparing them.
  @Test(arguments: [
    ("bars-light", 2, PictureSettings(style: .bars, width: 480, barWidth: 4, barSpacing: 4)),
    (
      "bars-dark", 1,
      PictureSettings(
        style: .bars, width: 480, height: 140, barWidth: 4, barSpacing: 4, theme: .dark)
    ), ("envelope-light", 1, PictureSettings(style: .envelope, width: 320)),
  ]) func lookAsRecorded(name: String, count: Int, settings: PictureSettings) throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Snapshots/\(name).svg")
    let drawn = try scene(of: count, settings)
    if ProcessInfo.processInfo.environment["SCALEAUDIO_RECORD"] != nil {
      try drawn.write(to: path, atomically: true, encoding: .utf8)
    }
    #expect(drawn == (try String(contentsOf: path, encoding: .utf8)))
  }

  @Test func svgTextIsEscaped() throws {
    let levels = Levels(values: [-70, -40], noiseFloor: -70, framesPerValue: 4)
    let svg = try render(
      .levels(levels), frames: 8, PictureSettings(style: .bars), as: .svg,
      name: "a<b> & \u{1}c.flac")
    let text = String(decoding: svg, as: UTF8.self)
    #expect(text.contains("<title>a&lt;b&gt; &amp; \u{FFFD}c.flac</title>"))
    #expect(text.contains(">a&lt;b&gt; &amp; \u{FFFD}c.flac</text>") && !text.contains("glyph"))
  }

  @Test func pdfsAreTheSameEachTime() throws {
    let levels = Levels(values: [-70, -40], noiseFloor: -70, framesPerValue: 4)
    let made = try (0..<2).map { _ in
      try render(.levels(levels), frames: 8, PictureSettings(), as: .pdf, name: "ä (1).flac")
    }
    #expect(made[0] == made[1] && made[0].starts(with: "%PDF-1.".utf8))
  }

  /// No picture fails at any size, and labels stay within it.
  @Test(arguments: [16, 99, 100, 281]) func anySizeCanBeDrawn(size: Int) throws {
    let levels = Levels(values: [-70, -40], noiseFloor: -70, framesPerValue: 4)
    for height in [16, 60, 130] {
      let png = try render(
        .levels(levels), frames: 8, PictureSettings(width: size, height: height),
        markers: [TimeMarker(kind: .mark, seconds: 0.5, label: "mark")])
      let drawn = try rows(png)
      #expect(drawn.count == height && drawn.allSatisfy { $0.count == size })
      #expect(drawn.contains { $0.contains(Self.blue) })
    }
  }

  @Test func sizesOutOfRange() {
    for (width, height, scale) in [
      (0, 100, 1), (1_000_000, 100, 1), (100, 0, 1), (100, 1_000_000, 1), (100, 100, 0),
      (100, 100, 5), (20_000, 20_000, 1), (20_000, 16, 2), (-5, 10, 1),
    ] {
      let settings = PictureSettings(width: width, height: height, scale: scale)
      #expect(throws: RenderingError.self) {
        try WaveformPicture(settings: settings, outlines: [])
      }
    }
    let outline = TrackOutline(
      name: "", facts: "", sampleRate: 1, frames: 0..<1,
      laneNames: Array(repeating: "", count: 4000))
    #expect(throws: RenderingError.self) {
      try WaveformPicture(settings: PictureSettings(), outlines: [outline])
    }
  }
}
