import AudioPlayer
import ScaleAudio
import TestSupport
import Testing
import Waveforms

@testable import scaleaudio_cli

/// The window of `play` as characters, without a terminal.
@Suite("the picture of the player")
struct PlayPictureTests {
  private static let fine = PlayStyle(glyphs: .unicode, colors: .full)
  private static let styles = [
    fine, PlayStyle(glyphs: .unicode, colors: .basic), PlayStyle(glyphs: .unicode, colors: .none),
    PlayStyle(glyphs: .console, colors: .basic), PlayStyle(glyphs: .ascii, colors: .none),
  ]

  /// A file of two minutes with a loop.
  private static func scene(_ layout: PlayLayout, _ style: PlayStyle) -> PlayScene {
    var scene = PlayScene()
    (scene.title, scene.artist) = ("長い題名 of a Tune", "Ann")
    (scene.file, scene.fileCount) = (2, 18)
    (scene.position, scene.length) = (71.25, 120)
    (scene.speed, scene.isChanged, scene.semitones) = (0.75, true, 2)
    scene.loop = 70..<74
    scene.loopNotes = ["round 3", "trainer +2 %"]
    scene.sections = (0..<9).map {
      .init(start: Double($0) * 12, length: 12, title: "Chapter \($0)")
    }
    scene.files = (0..<18).map { .init(title: "file \($0)", length: 100) }
    scene.page = .init(start: 66, secondsPerColumn: 0.1)
    scene.meters = [.init(name: "FL", rms: -10, peak: -1), .init(name: "FR", rms: -20, peak: 0)]
    scene.overview = (0..<layout.columns).map { Float($0 % 7) / 7 }
    let levels = (0..<layout.waveColumns.count * 2).map { index -> PlayLevel? in
      index % 5 == 0 ? nil : PlayLevel(low: -Float(index % 9) / 9, high: 0.5, square: 0.04)
    }
    scene.wave = PlayWave(
      levels, scale: 1, columns: layout.waveColumns.count, rows: layout.wave.count, style: style)
    return scene
  }

  private static func picture(
    _ columns: Int, _ rows: Int, _ style: PlayStyle = fine,
    _ change: (inout PlayScene) -> Void = { _ in }
  ) -> PlayPicture {
    let layout = PlayLayout(columns: columns, rows: rows, listCount: 18, channels: 2)
    var scene = scene(layout, style)
    change(&scene)
    return PlayPicture(scene, layout, style)
  }

  @Test func everySizeIsDrawn() {
    for columns in [1, 2, 3, 7, 11, 19, 20, 21, 30, 40, 59, 60, 71, 72, 80, 99, 100, 120, 300] {
      for rows in 1...60 {
        for style in Self.styles {
          let picture = Self.picture(columns, rows, style)
          #expect(picture.grid.lines.count == rows)
          #expect(picture.layout.wave.upperBound <= rows && picture.layout.list.upperBound <= rows)
          for line in picture.grid.lines { #expect(DisplayWidth.columns(line) <= columns) }
          for state in 0..<4 {
            _ = Self.picture(columns, rows, style) { scene in
              if state == 0 { scene.help = 3 }
              if state == 1 { scene.search = .init(text: "a", rows: [.section(2), .file(3)]) }
              if state == 2 { (scene.loop, scene.loopStart) = (nil, 71) }
              if state == 3 { (scene.loop, scene.length, scene.wave) = (10..<20, 0, nil) }
            }
          }
        }
      }
    }
  }

  @Test func partsAtTheSizesOfTheDesign() {
    let (large, usual, small) = (
      Self.picture(120, 36).layout, Self.picture(80, 24).layout, Self.picture(40, 12).layout
    )
    #expect(large.wave == 7..<23 && large.list == 27..<34 && large.keys == 35)
    #expect(usual.wave == 6..<14 && usual.list == 17..<22 && usual.keys == 23)
    #expect(small.wave == 3..<9 && small.list.isEmpty && small.hasLoopLine)
  }

  @Test func textsOfTheLoop() throws {
    let lines = Self.picture(120, 36).grid.lines
    let band = try #require(lines.first { $0.contains("A 1:10.00") })
    #expect(band.contains("B 1:14.00"))
    #expect(Self.picture(40, 12).grid.lines.last == " A 1:10.00 – B 1:14.00          round 3")
    #expect(lines.contains { $0.contains("75 %  same pitch") || $0.contains("75 %  key +2") })
    #expect(lines.contains { $0.hasSuffix("in the result 1:35.0 of 2:40") })
  }

  /// In 20 columns, states, times, names and the help are whole.
  @Test func twentyColumns() {
    func lines(_ change: (inout PlayScene) -> Void) -> [String] {
      Self.picture(20, 10, Self.fine, change).grid.lines
    }
    #expect(lines { $0.state = .paused }[1] == " 1:11 paused")
    #expect(lines { $0.state = .playing }[1] == " 1:11 of 2:00  2/18")
    #expect(lines { _ in }.last == " 1:10.00–1:14.00")
    #expect(lines { $0.name = "warm up at bar 12" }.last == " name: … at bar 12▏")
    let rows: [PlayScene.Row] = [.section(2), .section(3)]
    let search = lines { $0.search = .init(text: "a chapter or a file", rows: rows) }
    #expect(search.last == " / …pter or a file▏")
    #expect(search.contains(" 3 0:24 Chapter 2") && search.contains(" 4 0:36 Chapter 3"))
    let help = PlayKeys.lines(columns: 18)
    #expect(help.allSatisfy { DisplayWidth.columns($0) <= 18 })
    let words = PlayKeys.help.joined(separator: " ").split(separator: " ")
    #expect(help.joined(separator: " ").split(separator: " ") == words)
  }

  /// Beside a narrow loop stand its ends, and as many notes as there is room for.
  @Test func aNarrowLoopHasItsTextBeside() {
    func band(_ loop: Range<Double>) -> String {
      let picture = Self.picture(60, 24) { scene in
        scene.loop = loop
        scene.sections = []
        scene.page = .init(start: 0, secondsPerColumn: 1)
      }
      return picture.grid.lines[5]
    }
    #expect(band(0..<4) == "  ▌  ▐ A 0:00.00 – B 0:04.00  round 3  trainer +2 %")
    #expect(band(20..<24).hasSuffix("▌  ▐ A 0:20.00 – B 0:24.00"))
    #expect(band(44..<48).hasSuffix("A 0:44.00 – B 0:48.00  round 3 ▌  ▐"))
  }

  /// Whole numbers reach farther below 0 than above; both ends are clipping.
  @Test(arguments: [SampleFormat.int8, .int16, .float32])
  func fullScaleIsThatOfTheFormat(_ format: SampleFormat) {
    let (full, less): (Double, Double) =
      switch format {
      case .int8: (0.9921875, 0.984375)
      case .int16: (0.999969482421875, 0.99993896484375)
      default: (1, 0.999969482421875)
      }
    for (peak, isClipping) in [(full, true), (1, true), (less, false)] {
      var meters = PlayMeters(.mono)
      meters.begin(format)
      var level = ChannelLevel()
      (level.peak, level.frameCount) = (peak, 1)
      meters.add([level], isPlaying: true)
      #expect(meters.readings.map(\.isClipping) == [isClipping], "\(peak)")
    }
  }

  /// Strokes over the waveform: the sentences that are done, the one that is looped, those to come.
  @Test(arguments: styles.indices) func sentencesAreStrokes(_ index: Int) throws {
    let style = Self.styles[index]
    let picture = Self.picture(120, 36, style) { scene in
      scene.phrases = [40..<67, 67.5..<69, 70..<74, 75..<80]
    }
    let row = try #require(picture.layout.marks)
    let line = Array(picture.grid.lines[row])
    // A column has 0.1 s, and the first is at 66 s.
    func stroke(_ second: Double) -> Character {
      line[picture.layout.waveColumns.lowerBound + Int((second - 66) * 10 + 0.5)]
    }
    let (thin, thick): (Character, Character) = style.isASCII ? ("-", "=") : ("─", "━")
    for second in [66, 66.5, 67.7, 68.5, 75, 76] { #expect(stroke(second) == thin, "\(second)") }
    for second in [70, 72, 73.9] { #expect(stroke(second) == thick, "\(second)") }
    for second in [67.2, 69.5, 74.5] { #expect(stroke(second) == " ", "\(second)") }
    #expect(picture.grid.lines.last?.contains("p n sentence") == true)
    // Names of chapters come back when another loop is heard.
    #expect(Self.picture(120, 36, style).grid.lines[row].contains("Chapter 6"))
  }

  /// Sentences are listed beside the chapters, or alone where there is no room for both, and can be clicked.
  @Test(arguments: [120, 60]) func sentencesAreListed(_ columns: Int) throws {
    let picture = Self.picture(columns, 36, Self.styles[2]) { scene in
      scene.phrases = [40..<67, 67.5..<69.25, 70..<74, 75..<80]
    }
    let lines = picture.layout.list.map { picture.grid.lines[$0] }
    #expect(lines.contains { $0.contains("  1:07.5  ") && $0.contains(" 1.8 s") })
    #expect(lines.contains { $0.contains("> 1:10.0  round 3  trainer +2 %") })
    #expect(lines.joined().contains("Chapter 6") == (columns == 120))
    let row = try #require(picture.shownRows.first { $0.target == .phrase(3) })
    #expect(picture.grid.lines[row.row].contains("  1:15.0  "))
  }

  @Test func onlyClippingIsRed() {
    let picture = Self.picture(120, 36)
    let red = picture.grid.cells.indices.filter { picture.grid.cells[$0].ink == .red }
    #expect(!red.isEmpty)
    #expect(red.allSatisfy { $0 % 120 == 117 })
    let quiet = Self.picture(120, 36) { $0.meters[1].peak = -0.1 }
    #expect(!quiet.grid.cells.contains { $0.ink == .red })
  }

  /// The bytes for a change make the same screen as the bytes for the whole.
  @Test(arguments: [TextColors.full, .palette, .basic, .none])
  func changesMakeTheSameScreen(_ colors: TextColors) {
    let first = Self.picture(80, 24).grid
    let second = Self.picture(80, 24) { scene in
      (scene.position, scene.title) = (73.9, "短い a 長い 題")
      scene.artist = "Zoë e\u{301}"
    }.grid
    var screen = Screen(columns: 80, rows: 24)
    screen.take(first.text(after: nil, colors))
    screen.take(second.text(after: first, colors))
    var whole = Screen(columns: 80, rows: 24)
    whole.take(second.text(after: nil, colors))
    #expect(screen.cells == whole.cells)
    #expect(second.text(after: second, colors) == "")
    #expect(second.text(after: first, colors).utf8.count < whole.count / 2)
  }

  /// A terminal that knows what the program sends.
  private struct Screen {
    let columns: Int
    var cells: [String]
    var count = 0

    init(columns: Int, rows: Int) {
      self.columns = columns
      cells = Array(repeating: " ", count: columns * rows)
    }

    mutating func take(_ text: String) {
      count = text.utf8.count
      var (place, look) = (0, "")
      var scalars = text.unicodeScalars[...]
      while let scalar = scalars.popFirst() {
        if scalar == "\u{1b}" {
          let end =
            scalars.dropFirst().firstIndex { (0x40...0x7E).contains($0.value) } ?? scalars.endIndex
          let sequence = String(scalars[scalars.startIndex...end])
          scalars = scalars[scalars.index(after: end)...]
          if sequence.last == "m" { look = sequence }
          if sequence.last == "H" {
            let numbers = sequence.dropFirst().dropLast().split(separator: ";").compactMap {
              Int($0)
            }
            place = (numbers[0] - 1) * columns + numbers[1] - 1
          }
          continue
        }
        let width = DisplayWidth.columns(String(scalar))
        if width == 0 {
          cells[place - 1] += String(scalar)
          continue
        }
        cells[place] = look + String(scalar)
        if width == 2 { cells[place + 1] = look }
        place += width
      }
    }
  }

  // MARK: - The waveform

  @Test func peaksAndRMSAreMirrored() {
    // One column at full scale above, half below, RMS a quarter; the other silent.
    let loud = PlayLevel(low: -0.5, high: 1, square: 0.0625)
    let wave = PlayWave(
      [loud, loud, PlayLevel(), PlayLevel()], scale: 1, columns: 2, rows: 4, style: Self.fine)
    // 16 levels above the middle: RMS 4, peak 16; below: RMS 4, peak 8.
    #expect(wave[0, 0] == .init(glyph: "█", ink: .peak, ground: .ground))
    #expect(wave[1, 0].glyph == "▀" || wave[1, 0].glyph == "▄")
    #expect(Set([wave[1, 0].ink, wave[1, 0].ground]) == [.peak, .rms])
    #expect(Set([wave[2, 0].ink, wave[2, 0].ground]) == [.peak, .rms])
    #expect(wave[3, 0] == .init())
    #expect(wave[1, 1] == .init(glyph: "▁", ink: .peak, ground: .ground))
    let halves = PlayWave(
      [loud, loud], scale: 1, columns: 1, rows: 4,
      style: PlayStyle(glyphs: .ascii, colors: .none))
    #expect((0..<4).map { halves[$0, 0].glyph } == [":", "#", "#", " "])
    // Samples of floating point have no limit.
    let most = Float.greatestFiniteMagnitude
    let endless = PlayWave(
      [PlayLevel(low: -most, high: most, square: .infinity)], scale: 1, columns: 1, rows: 4,
      style: Self.fine)
    #expect((0..<4).allSatisfy { endless[$0, 0].glyph != " " })
  }

  @Test func pagesTurnAndLoopsStay() {
    var zoom = PlayZoom()
    func start(_ position: Double, _ loop: Range<Double>? = nil) -> Double {
      zoom.page(at: position, length: 600, loop: loop, columns: 100).start
    }
    // 20 s in a page, which turns at 17.5 s, with 2.5 s before the position.
    #expect(start(0) == 0)
    #expect(start(17.4) == 0)
    #expect(start(17.5) == 15)
    #expect(start(599) == 580)
    // A loop of 16 s in the middle of its page.
    #expect(abs(start(110, 100..<116) - 98) < 1e-9)
    #expect(abs(start(115.9, 100..<116) - 98) < 1e-9)
    zoom.isStill = true
    #expect(abs(start(300) - 98) < 1e-9)
    zoom.isStill = false
    // The first step shows the loop in 70 % of the width.
    zoom.change(by: 1, at: 110, length: 600, loop: 100..<114, columns: 100)
    #expect(abs(zoom.each - 0.2) < 1e-9)
    zoom.change(by: 1, at: 110, length: 600, loop: 100..<114, columns: 100)
    #expect(zoom.each == 0.1)
    for _ in 0..<12 { zoom.change(by: -1, at: 110, length: 600, loop: nil, columns: 100) }
    #expect(zoom.showsWhole)
    #expect(zoom.page(at: 5, length: 600, loop: nil, columns: 100).secondsPerColumn == 6)
  }
}
