import Glibc

/// Draws the window of `play`: what is shown, its size and its colors become characters. Nothing else matters.
struct PlayPicture {
  let scene: PlayScene
  let layout: PlayLayout
  let style: PlayStyle
  private(set) var grid: PlayGrid
  private let current: Int?
  /// The rows of the list that are shown, with their columns, so that a click finds them.
  private(set) var shownRows: [(row: Int, columns: Range<Int>, target: PlayScene.Row)] = []

  init(_ scene: PlayScene, _ layout: PlayLayout, _ style: PlayStyle) {
    (self.scene, self.layout, self.style) = (scene, layout, style)
    current = scene.currentSection
    grid = PlayGrid(columns: layout.columns, rows: layout.rows)
    drawHeader()
    if scene.help != nil {
      drawHelp()
    } else if scene.search != nil {
      drawSearch()
    } else {
      drawMarks()
      drawBand()
      drawWave()
      drawRuler()
      drawMeters()
      drawOverview()
      drawList()
    }
    drawLast()
  }

  private var left: Int { layout.margin }
  private var right: Int { layout.columns - layout.margin }
  private var isWide: Bool { layout.columns >= 60 }

  private func cut(_ text: String, _ columns: Int) -> String {
    DisplayWidth.cutEnd(of: style.glyphs.shown(text), to: max(0, columns), mark: style.ellipsis)
  }

  /// Puts text so that it ends before a column; returns the column where it starts.
  @discardableResult
  private mutating func putEnd(
    _ text: String, _ row: Int, _ end: Int, _ ink: PlayColor, bold: Bool = false
  ) -> Int {
    let start = max(0, end - DisplayWidth.columns(text))
    grid.put(text, row, start, ink, bold: bold)
    return start
  }

  // MARK: - The header

  /// The digits of the position: in wide windows tenths while it plays, and hundredths in a pause.
  private var digits: Int { !isWide ? 0 : scene.state == .playing ? 1 : 2 }

  private var of: String {
    let length = (scene.isEstimated ? "~" : "") + PlayScene.clock(scene.length, digits: 0)
    if !scene.showsRemaining { return "of " + length }
    let rest = max(0, scene.length - scene.position)
    return (scene.isEstimated ? "~" : "") + PlayScene.clock(rest.rounded(.up), digits: 0) + " left"
  }

  private var stateWord: String? {
    switch scene.state {
    case .playing: nil
    case .paused: "paused"
    case .waiting: "waiting"
    }
  }

  private var place: String? {
    guard scene.fileCount > 1 else { return nil }
    return isWide ? "\(scene.file) of \(scene.fileCount)" : "\(scene.file)/\(scene.fileCount)"
  }

  private mutating func drawHeader() {
    let row = layout.header
    guard layout.isTall else { return drawLowHeader() }
    let now = PlayScene.clock(scene.position, digits: digits)
    // As wide as the last moment, so that the title stays.
    let most = PlayScene.clock(max(scene.position, scene.length), digits: isWide ? 2 : 0)
    let width = PlayDigits.columns(most)
    let end = right - (scene.coverColumns > 0 ? scene.coverColumns + 2 : 0)
    let beside = left + width + 2
    let start = isWide ? beside + of.count + 4 : beside
    guard end - start >= 14 else { return drawPlainHeader() }
    PlayDigits.draw(now, &grid, row, left, style)
    grid.put(of, row + (isWide ? 2 : 1), beside, .dim)
    if let stateWord {
      let column = isWide ? beside : beside + of.count + 2
      grid.put(stateWord, row + 1, column, .text, bold: true)
    }
    let titleStart = start
    var titleEnd = end
    if let place { titleEnd = putEnd(place, row, end, .dim) - 2 }
    grid.put(cut(scene.title, titleEnd - titleStart), row, titleStart, .white, bold: true)
    if isWide { grid.put(cut(subtitle, end - titleStart), row + 1, titleStart, .dim) }
    drawSound(row + 2, from: titleStart, to: end)
  }

  /// The artist; without a list, the chapter.
  private var subtitle: String {
    if layout.list.isEmpty, let index = scene.currentSection {
      let title = scene.sections[index].title
      return scene.artist.isEmpty ? title : scene.artist + ", " + title
    }
    return scene.artist
  }

  /// Three rows without large digits.
  private mutating func drawPlainHeader() {
    let row = layout.header
    grid.put(cut(scene.title, right - left), row, left, .white, bold: true)
    let column = grid.put(
      PlayScene.clock(scene.position, digits: 0), row + 1, left, .white, bold: true)
    // Without room, the place in the list goes first, then the length.
    var words = [of, stateWord, place].compactMap { $0 }
    func text() -> String { words.joined(separator: "  ") }
    if place != nil, column + 1 + text().count > right { words.removeLast() }
    if stateWord != nil, column + 1 + text().count > right { words.removeFirst() }
    grid.put(text(), row + 1, column + 1, .dim)
    drawSound(row + 2, from: left, to: right)
  }

  /// One row: time, length and title.
  private mutating func drawLowHeader() {
    let row = layout.header
    var column = grid.put(
      PlayScene.clock(scene.position, digits: digits), row, left, .white, bold: true)
    column = grid.put(of, row, column + 1, .dim)
    if let stateWord { column = grid.put(stateWord, row, column + 2, .text, bold: true) }
    var end = right
    let words = sound.map(\.text)
    let text = words.joined(separator: "  ")
    if !text.isEmpty, end - column - 2 >= text.count + 12 {
      end = putEnd(text, row, end, scene.hearsSource ? .blue : .amberText) - 2
    }
    if end - column - 2 > 2 {
      grid.put(cut(scene.title, end - column - 2), row, column + 2, .text, bold: true)
    }
  }

  /// The settings that are heard, if they differ from the file: `75 %  same pitch  key +2`.
  private var sound: [(text: String, color: PlayColor)] {
    var words: [(String, PlayColor)] = []
    let heard: PlayColor = scene.hearsSource ? .blue : .amberText
    if scene.isChanged {
      if abs(scene.speed - 1) > 1e-9 {
        words.append((Self.percent(scene.speed), heard))
        if scene.isTape {
          let semitones = Quantities.decimal(Self.semitones(of: scene.speed), digits: 1)
          words.append(("like tape \(scene.speed > 1 ? "+" : "")\(semitones) st", .dim))
        } else if scene.semitones == 0 {
          words.append(("same pitch", .dim))
        }
      }
      if scene.semitones != 0 {
        let sign = scene.semitones > 0 ? "+" : ""
        words.append(("key \(sign)\(Quantities.significant(scene.semitones, 4))", heard))
      }
    }
    if scene.isMuted {
      words.append(("muted", .dim))
    } else if scene.volume != 1 {
      words.append(("volume \(Self.percent(scene.volume))", .dim))
    }
    return words + scene.order.map { ($0, .dim) }
  }

  /// `75 %`, `102.5 %`
  static func percent(_ value: Double) -> String { Quantities.significant(value * 100, 4) + " %" }

  private static func semitones(of speed: Double) -> Double { 12 * log2(max(speed, 1e-9)) }

  private mutating func drawSound(_ row: Int, from start: Int, to end: Int) {
    var column = start
    let room = end - start - sound.reduce(0) { $0 + $1.text.count + 2 }
    if scene.isChanged, room >= 8 || scene.hearsSource {
      for (word, isHeard, ink) in [
        ("original", scene.hearsSource, PlayColor.blue),
        ("result", !scene.hearsSource, PlayColor.amberText),
      ] {
        // A narrow window has room for the one that is heard.
        if !isHeard, !isWide || room < 18 { continue }
        if isHeard {
          let text = style.hasGrounds ? " \(word) " : "[\(word)]"
          column = grid.put(
            text, row, max(start, column > start ? column - 1 : column), ink, bold: true,
            on: scene.hearsSource ? .window : .band)
        } else {
          column = grid.put(word, row, column, .dim)
        }
        column += 2
      }
    }
    for (text, color) in sound {
      guard column + text.count <= end else { break }
      column = grid.put(text, row, column, color, bold: color != .dim) + 2
    }
    guard layout.columns >= 100, scene.isChanged, !scene.isTape, scene.speed != 1 else { return }
    let result =
      PlayScene.clock(scene.position / scene.speed, digits: 1) + " of "
      + PlayScene.clock(scene.length / scene.speed, digits: 0)
    let label = "in the result "
    guard end - column > label.count + result.count + 2 else { return }
    let resultStart = putEnd(result, row, end, .amberText)
    putEnd(label, row, resultStart, .dim)
  }

  // MARK: - Marks and the loop

  private var page: PlayScene.Page { scene.page }

  /// The column of a moment in the window, if the waveform shows it.
  private func column(_ second: Double) -> Int? {
    let column = page.column(of: second)
    guard column >= 0, column < layout.waveColumns.count else { return nil }
    return layout.waveColumns.lowerBound + column
  }

  /// The first and the last column of a loop in the waveform, which may be beyond it.
  private func columns(of loop: Range<Double>) -> ClosedRange<Int> {
    let first = page.column(of: loop.lowerBound)
    return first...max(first, page.column(of: loop.upperBound - page.secondsPerColumn * 1e-3))
  }

  private var stroke: String { style.isASCII ? "|" : "│" }

  /// Draws a stroke for each sentence: those before the one that is looped, that one, and those to come.
  private mutating func drawPhrases(_ row: Int) {
    let area = layout.waveColumns
    for phrase in scene.phrases {
      let shown = columns(of: phrase).clamped(to: 0...area.count - 1)
      guard columns(of: phrase).overlaps(0...area.count - 1) else { continue }
      let isLooped = scene.loop == phrase
      let isDone = phrase.upperBound <= scene.loop?.lowerBound ?? 0
      let (thin, thick) = style.isASCII ? ("-", "=") : ("─", "━")
      for column in shown {
        grid.put(
          isLooped ? thick : thin, row, area.lowerBound + column,
          isLooped ? .amberText : isDone ? .faint : .window)
      }
      // Neighbors have a gap between them.
      if shown.count > 1, !isLooped, shown.upperBound < area.count - 1 {
        grid.put(" ", row, area.lowerBound + shown.upperBound, .dim)
      }
    }
  }

  private mutating func drawMarks() {
    guard let row = layout.marks else { return }
    if !scene.phrases.isEmpty { return drawPhrases(row) }
    let shown = scene.sections.compactMap { section in
      column(section.start).map { (column: $0, section: section) }
    }
    for (index, mark) in shown.enumerated() where mark.section.kind != .loop {
      let next = index + 1 < shown.count ? shown[index + 1].column : layout.waveColumns.upperBound
      grid.put(stroke, row, mark.column, .dim)
      if let band = layout.band { grid.put(stroke, band, mark.column, .dim) }
      guard mark.section.start + 0.01 >= page.start, next - mark.column > 3 else { continue }
      grid.put(cut(mark.section.title, next - mark.column - 2), row, mark.column + 1, .text)
    }
  }

  /// The texts of the loop: A, B, and notes.
  private var loopTexts: (start: String, end: String)? {
    guard let start = scene.loop?.lowerBound ?? scene.loopStart else { return nil }
    let end = scene.loop.map { "B " + PlayScene.clock($0.upperBound, digits: 2) }
    return ("A " + PlayScene.clock(start, digits: 2), end ?? "")
  }

  private mutating func drawBand() {
    guard let row = layout.band, let texts = loopTexts else { return }
    guard let loop = scene.loop else {
      let start = scene.loopStart ?? 0
      guard let column = column(start) else { return putLoopLine(row) }
      let next = grid.put(style.hasGrounds ? "▌" : "|", row, column, .amberText, bold: true)
      grid.put(texts.start, row, next + 1, .amberText, bold: true)
      return
    }
    let area = layout.waveColumns
    let (first, last) = (columns(of: loop).lowerBound, columns(of: loop).upperBound)
    let from = max(0, first)
    let to = min(area.count - 1, last)
    guard from <= to else { return putLoopLine(row) }
    let shown = area.lowerBound + from..<area.lowerBound + to + 1
    if style.hasGrounds {
      for column in shown { grid.put(" ", row, column, .amberText, on: .band) }
      if let part = scene.pausePart {
        let width = Int((Double(shown.count) * min(1, max(0, part))).rounded())
        grid.fill(row, shown.lowerBound..<shown.lowerBound + width, .countdown)
      }
    } else {
      let dash = style.isASCII ? "-" : "─"
      for column in shown { grid.put(dash, row, column, .amberText) }
    }
    if first >= 0 {
      grid.put(style.hasGrounds ? "▌" : "|", row, shown.lowerBound, .amberText, bold: true)
    }
    if last < area.count {
      grid.put(style.hasGrounds ? "▐" : "|", row, shown.upperBound - 1, .amberText, bold: true)
    }
    func text(_ text: String) -> String { style.hasGrounds ? text : " \(text) " }
    var notes = scene.loopNotes
    if shown.count < 24 {
      let ends = texts.start + " \(dash) " + texts.end
      while true {
        let line = ([ends] + notes).joined(separator: "  ")
        let width = DisplayWidth.columns(line)
        // After it, or else before it.
        let places = [shown.upperBound + 1, shown.lowerBound - 1 - width]
        let fitting = places.first { $0 >= area.lowerBound && $0 + width <= area.upperBound }
        if let start = fitting {
          grid.put(line, row, start, .amberText, bold: true)
          return
        }
        if notes.popLast() == nil { return }
      }
    }
    let inset = style.hasGrounds ? 2 : 1
    let start = grid.put(text(texts.start), row, shown.lowerBound + inset, .amberText, bold: true)
    let end = putEnd(text(texts.end), row, shown.upperBound - inset, .amberText, bold: true)
    while !notes.isEmpty {
      let joined = text(notes.joined(separator: style.isASCII ? ", " : " · "))
      let width = DisplayWidth.columns(joined)
      let middle = (shown.lowerBound + shown.upperBound - width) / 2
      if middle > start + 1, middle + width < end - 1 {
        grid.put(joined, row, middle, .amberText)
        return
      }
      notes.removeLast()
    }
  }

  private var dash: String { style.isASCII ? "-" : "–" }

  /// The loop where it has no band: its ends and the notes in a row.
  private mutating func putLoopLine(_ row: Int) {
    guard let texts = loopTexts else { return }
    let area = left..<right
    if layout.hasLoopLine, style.hasGrounds { grid.fill(row, 0..<layout.columns, .band) }
    var line = texts.end.isEmpty ? texts.start : texts.start + " \(dash) " + texts.end
    if line.count > area.count, !texts.end.isEmpty {
      line = texts.start.dropFirst(2) + dash + texts.end.dropFirst(2)
    }
    let end = grid.put(cut(line, area.count), row, area.lowerBound, .amberText, bold: true)
    var notes = scene.loopNotes
    while !notes.isEmpty {
      let joined = notes.joined(separator: "  ")
      if end + 2 + joined.count <= area.upperBound {
        putEnd(joined, row, area.upperBound, .amberText)
        return
      }
      notes.removeLast()
    }
  }

  // MARK: - The waveform

  /// True if the sound that is heard is that of the file.
  private var hearsOriginal: Bool { scene.hearsSource || !scene.isChanged }

  private mutating func drawWave() {
    guard let wave = scene.wave, !layout.wave.isEmpty else { return }
    let head = page.column(of: scene.position)
    let loop = scene.loop.map { columns(of: $0) }
    for column in 0..<min(wave.columns, layout.waveColumns.count) {
      // As the band above it.
      let isInLoop = loop?.contains(column) ?? false
      let isHeard = scene.loop == nil || isInLoop
      let isPlayed = column < head && isHeard
      // A loop is amber, unless the original is compared with it.
      let isBlue = !isHeard || (scene.loop == nil ? hearsOriginal : scene.hearsSource)
      let (peak, rms) = colors(isBlue: isBlue, isPlayed: isPlayed)
      let ground: PlayColor = isInLoop ? .loopGround : .ground
      func color(_ part: PlayWave.Part) -> PlayColor {
        switch part {
        case .ground: ground
        case .peak: wave.isUnread[column] ? .unread : peak
        case .rms: rms
        }
      }
      let isEnd = !style.hasGrounds && (column == loop?.lowerBound || column == loop?.upperBound)
      for row in 0..<min(wave.rows, layout.wave.count) {
        let place = (layout.wave.lowerBound + row, layout.waveColumns.lowerBound + column)
        if column == head {
          grid.set(style.head, place.0, place.1, .white, bold: true, on: .ground)
        } else if isEnd {
          grid.put(stroke, place.0, place.1, .amberText)
        } else {
          let cell = wave[row, column]
          grid.set(
            cell.glyph, place.0, place.1, color(cell.ink),
            on: style.isFine ? color(cell.ground) : ground)
        }
      }
    }
  }

  private func colors(isBlue: Bool, isPlayed: Bool) -> (peak: PlayColor, rms: PlayColor) {
    switch (isBlue, isPlayed) {
    case (true, true): (.bluePeak, .blue)
    case (true, false): (.blueAheadPeak, .blueAhead)
    case (false, true): (.amberPeak, .amber)
    case (false, false): (.amberAheadPeak, .amberAhead)
    }
  }

  private mutating func drawRuler() {
    guard let row = layout.ruler else { return }
    let steps: [Double] = [
      0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 18000,
    ]
    guard let step = steps.first(where: { $0 >= 9 * page.secondsPerColumn }) else { return }
    let area = layout.waveColumns
    var number = Int((page.start / step).rounded(.up))
    while true {
      let second = Double(number) * step
      number += 1
      guard second <= scene.length + 1e-6, let column = column(second) else { break }
      let label = PlayScene.clock(second + 1e-6, digits: step < 1 ? 1 : 0)
      guard column + 1 + label.count <= area.upperBound else { break }
      grid.put(style.isASCII ? "'" : style.glyphs == .console ? "·" : "╵", row, column, .faint)
      grid.put(label, row, column + 1, .dim)
    }
  }

  private mutating func drawMeters() {
    guard let first = layout.meters, !layout.wave.isEmpty else { return }
    let rows = layout.wave.count
    let gap = scene.meters.count <= 2 ? 2 : 1
    for (index, reading) in scene.meters.enumerated() {
      let column = first + index * gap
      /// Levels from -42 to 0 dB, in eighths of a row.
      func height(_ decibels: Double) -> Int {
        max(0, min(rows * 8, Int(((decibels + 42) / 42 * Double(rows * 8)).rounded())))
      }
      // A sine of full scale has an RMS of -3 dB.
      let level = height(reading.rms + 3)
      let ink: PlayColor = reading.isClipping ? .red : .meter
      let steps = style.heights.count - 1
      for row in 0..<rows {
        let below = (rows - 1 - row) * 8
        let part = max(0, min(8, level - below)) * steps / 8
        let glyph: Character = style.isASCII ? (part > steps / 2 ? "=" : " ") : style.heights[part]
        grid.put(
          String(glyph), layout.wave.lowerBound + row, column, ink,
          on: style.hasGrounds ? .meterGround : nil)
      }
      if reading.peak > -42 {
        let row = layout.wave.upperBound - 1 - min(rows - 1, height(reading.peak) / 8)
        let isFree = grid[row, column].scalar == 0x20
        if isFree || reading.isClipping {
          let mark = style.isASCII ? "-" : style.glyphs == .console ? "▀" : "▔"
          grid.put(mark, row, column, reading.isClipping ? .red : .white, bold: true)
        }
      }
      guard let ruler = layout.ruler else { continue }
      let name = reading.name == "FL" ? "L" : reading.name == "FR" ? "R" : ""
      grid.put(name, ruler, column, .faint)
    }
  }

  // MARK: - The whole

  private mutating func drawOverview() {
    guard let row = layout.overview else { return }
    let area = left..<max(left + 1, right)
    let length = max(scene.length, 1e-9)
    func column(_ second: Double) -> Int {
      min(area.count - 1, max(0, Int(second / length * Double(area.count))))
    }
    let known = scene.overview.compactMap { $0 }.sorted()
    let high = known.isEmpty ? 0 : known[min(known.count - 1, known.count * 98 / 100)]
    // A sound that hardly changes is shown as that.
    let low = known.isEmpty ? 0 : min(known[known.count * 8 / 100], high * 0.7)
    let steps = style.heights.count - 1
    let head = column(scene.position)
    let window =
      layout.wave.isEmpty
      ? nil
      : column(page.start)..<column(
        page.start + page.secondsPerColumn * Double(layout.waveColumns.count)) + 1
    let showsWindow = window.map { $0.count < area.count } ?? false
    let loop = scene.loop.map { loop in
      column(loop.lowerBound)..<max(column(loop.lowerBound), column(loop.upperBound - 1e-3)) + 1
    }
    for place in area.indices.map({ $0 - area.lowerBound }) {
      let level = place < scene.overview.count ? scene.overview[place] : nil
      var height = 1
      if let level, high > low {
        let part = Double(level - low) / Double(high - low)
        height =
          part.isFinite ? Int(max(1, min(Double(steps), (part * Double(steps)).rounded()))) : steps
      }
      let isShown = showsWindow && window?.contains(place) == true
      var ink: PlayColor = level == nil ? .unread : place < head ? .blue : .blueAhead
      if level != nil, isShown { ink = .pale }
      if loop?.contains(place) == true { ink = .amber }
      grid.put(
        String(style.heights[height]), row, area.lowerBound + place, ink,
        on: isShown && style.hasGrounds ? .window : nil)
    }
    for section in scene.sections where section.kind != .loop && section.start > 0 {
      grid.put(stroke, row, area.lowerBound + column(section.start), .dim)
    }
    if !style.hasGrounds, showsWindow, let window {
      grid.put("[", row, area.lowerBound + window.lowerBound, .white, bold: true)
      grid.put("]", row, area.lowerBound + window.upperBound - 1, .white, bold: true)
    }
    grid.put(String(style.head), row, area.lowerBound + head, .white, bold: true)
  }

  // MARK: - The list

  /// A line of the list: number, time, title, length.
  private func entry(_ target: PlayScene.Row)
    -> (number: String, time: String, title: String, length: String, isCurrent: Bool)
  {
    switch target {
    case .section(let index):
      let section = scene.sections[index]
      let length = section.length > 0 ? PlayScene.clock(section.length, digits: 0) : ""
      let time = PlayScene.clock(section.start, digits: section.kind == .loop ? 2 : 0)
      return (
        section.kind == .loop ? "A-B" : section.isKept ? "" : "\(number(of: index))", time,
        section.title, length,
        index == current
      )
    case .phrase(let index):
      let phrase = scene.phrases[index]
      let isCurrent = phrase == scene.loop
      let length = Quantities.decimal(phrase.upperBound - phrase.lowerBound, digits: 1)
      return (
        "", PlayScene.clock(phrase.lowerBound, digits: 1),
        isCurrent ? scene.loopNotes.joined(separator: "  ") : "", length + " s", isCurrent
      )
    case .file(let index):
      let file = scene.files[index]
      let length = file.length.map { PlayScene.clock($0, digits: 0) } ?? ""
      return ("\(index + 1)", "", file.title, length, index + 1 == scene.file)
    }
  }

  /// The number of a chapter or mark among those of the file.
  private func number(of index: Int) -> Int {
    scene.sections[...index].count { $0.kind != .loop && !$0.isKept }
  }

  private func isCurrent(_ target: PlayScene.Row) -> Bool {
    switch target {
    case .section(let index): index == current
    case .file(let index): index + 1 == scene.file
    case .phrase(let index): scene.phrases[index] == scene.loop
    }
  }

  private mutating func drawList() {
    guard !layout.list.isEmpty else { return }
    let sections = scene.sections.indices.map { PlayScene.Row.section($0) }
    let files = scene.fileCount > 1 ? scene.files.indices.map { PlayScene.Row.file($0) } : []
    let phrases = scene.phrases.indices.map { PlayScene.Row.phrase($0) }
    // The first two of these that there are.
    let lists = [phrases, sections, files].filter { !$0.isEmpty }
    if lists.count > 1, let halves = layout.halves {
      drawRows(lists[0], layout.list, halves.left)
      drawRows(lists[1], layout.list, halves.right)
    } else if let list = lists.first {
      let width = min(right - left, phrases.isEmpty ? 76 : 40)
      drawRows(list, layout.list, left..<left + width)
    }
  }

  /// Rows around the current one, or around the one that is chosen.
  private mutating func drawRows(
    _ targets: [PlayScene.Row], _ rows: Range<Int>, _ columns: Range<Int>, chosen: Int? = nil
  ) {
    let middle = chosen ?? targets.firstIndex { isCurrent($0) } ?? 0
    let first = max(0, min(middle - rows.count / 2, targets.count - rows.count))
    let shown = first..<min(targets.count, first + rows.count)
    let entries = targets[shown].map(entry)
    let numberWidth = entries.map { $0.number.count }.max() ?? 0
    let timeWidth = entries.map { $0.time.count }.max() ?? 0
    let isNarrow = columns.count < 30
    let gap = isNarrow ? 1 : 2
    for (index, entry) in zip(shown, entries) {
      let row = rows.lowerBound + index - first
      let isLoop = if case .phrase = targets[index] { true } else { false }
      let isMarked = chosen.map { $0 == index } ?? entry.isCurrent
      if isMarked {
        if style.hasGrounds {
          grid.fill(row, max(0, columns.lowerBound - 1)..<columns.upperBound + 1, .row)
        } else if columns.lowerBound >= 2 {
          grid.put(">", row, columns.lowerBound - 2, .text, bold: true)
        } else {
          grid.put(">", row, 0, .text, bold: true)
        }
      }
      var column = columns.lowerBound
      putEnd(entry.number, row, column + numberWidth, .faint)
      column += numberWidth > 0 ? numberWidth + gap : 0
      if timeWidth > 0 {
        putEnd(
          entry.time, row, column + timeWidth, isMarked ? .white : .dim, bold: isMarked)
        column += timeWidth + gap
      }
      // In a narrow list, names take the room of lengths.
      let length = isNarrow && !isLoop ? "" : entry.length
      let end = putEnd(length, row, columns.upperBound, isMarked ? .white : .dim, bold: isMarked)
      grid.put(
        cut(entry.title, (length.isEmpty ? columns.upperBound : end - 2) - column), row,
        column, isLoop ? .amberText : isMarked ? .white : .text, bold: isMarked)
      shownRows.append((row, columns, targets[index]))
    }
  }

  private mutating func drawSearch() {
    guard let search = scene.search else { return }
    let rows = layout.below
    if search.rows.isEmpty, !rows.isEmpty {
      grid.put(cut("nothing has that name", right - left), rows.lowerBound, left, .dim)
    }
    drawRows(search.rows, rows, left..<right, chosen: search.chosen)
  }

  private mutating func drawHelp() {
    let lines = PlayKeys.lines(columns: right - left)
    let rows = layout.below
    let first = max(0, min(scene.help ?? 0, lines.count - rows.count))
    for (index, line) in lines.dropFirst(first).prefix(rows.count).enumerated() {
      grid.put(cut(line, right - left), rows.lowerBound + index, left, .text)
    }
  }

  // MARK: - The last row

  private mutating func drawLast() {
    guard let row = layout.keys else { return }
    if let search = scene.search {
      return putTyped(search.text, after: "/ ", row)
    }
    if let name = scene.name {
      return putTyped(name, after: right - left >= 40 ? "name of the loop: " : "name: ", row)
    }
    if let message = scene.message {
      grid.put(cut(message, right - left), row, left, .white, bold: true)
      return
    }
    if scene.help != nil {
      return putKeys([(style.isASCII ? "up down" : "↑ ↓", "scroll"), ("?", "back")], row)
    }
    if layout.hasLoopLine, scene.loop != nil || scene.loopStart != nil { return putLoopLine(row) }
    if !scene.phrases.isEmpty {
      return putKeys(
        [
          ("space", scene.state == .paused ? "play" : "pause"), ("p n", "sentence"),
          ("r", "pause after it"), ("l", "end"), ("[ ]", "speed"), ("?", "all keys"),
        ], row)
    }
    putKeys(
      [
        ("space", scene.state == .paused ? "play" : "pause"),
        (style.isASCII || style.glyphs == .console ? "<- ->" : "← →", "10 s"), ("l", "loop"),
        ("[ ]", "speed"), ("c", scene.hearsSource ? "result" : "original"), ("?", "all keys"),
      ], row)
  }

  /// A text that is typed; where it is too long, its end is shown.
  private mutating func putTyped(_ text: String, after prompt: String, _ row: Int) {
    let end = right - 1
    var column = grid.put(cut(prompt, end - left), row, left, .white, bold: true)
    let shown = DisplayWidth.cutStart(
      of: style.glyphs.shown(text), to: max(0, end - column), mark: style.ellipsis)
    column = grid.put(shown, row, column, .white, bold: true)
    grid.put(style.isASCII ? "_" : "▏", row, column, .white)
  }

  /// As many keys as fit; the last one always.
  private mutating func putKeys(_ keys: [(key: String, does: String)], _ row: Int) {
    var keys = keys
    func width() -> Int {
      keys.reduce(0) { $0 + DisplayWidth.columns($1.key) + 1 + $1.does.count } + (keys.count - 1)
        * 3
    }
    while keys.count > 1, width() > right - left { keys.remove(at: keys.count - 2) }
    var column = left
    for (key, does) in keys {
      column = grid.put(key, row, column, .text)
      column = grid.put(does, row, column + 1, .faint) + 3
    }
  }
}

/// Digits three rows high.
enum PlayDigits {
  private static let unicode: [Character: [String]] = [
    "0": ["┏━┓", "┃ ┃", "┗━┛"], "1": ["╺┓ ", " ┃ ", "╺┻╸"], "2": ["╺━┓", "┏━┛", "┗━╸"],
    "3": ["╺━┓", "╺━┫", "╺━┛"], "4": ["╻ ╻", "┗━┫", "  ╹"], "5": ["┏━╸", "┗━┓", "╺━┛"],
    "6": ["┏━╸", "┣━┓", "┗━┛"], "7": ["╺━┓", "  ┃", "  ╹"], "8": ["┏━┓", "┣━┫", "┗━┛"],
    "9": ["┏━┓", "┗━┫", "╺━┛"], ":": [" ", "╏", " "], ".": [" ", " ", "•"],
  ]
  private static let console: [Character: [String]] = [
    "0": ["╔═╗", "║ ║", "╚═╝"], "1": ["═╗ ", " ║ ", "═╩═"], "2": ["══╗", "╔═╝", "╚══"],
    "3": ["══╗", " ═╣", "══╝"], "4": ["║ ║", "╚═╣", "  ║"], "5": ["╔══", "╚═╗", "══╝"],
    "6": ["╔══", "╠═╗", "╚═╝"], "7": ["══╗", "  ║", "  ║"], "8": ["╔═╗", "╠═╣", "╚═╝"],
    "9": ["╔═╗", "╚═╣", "══╝"], ":": [" ", ":", " "], ".": [" ", " ", "."],
  ]
  private static let ascii: [Character: [String]] = [
    "0": [" _ ", "| |", "|_|"], "1": ["   ", " | ", " | "], "2": [" _ ", " _|", "|_ "],
    "3": [" _ ", " _|", " _|"], "4": ["   ", "|_|", "  |"], "5": [" _ ", "|_ ", " _|"],
    "6": [" _ ", "|_ ", "|_|"], "7": [" _ ", "  |", "  |"], "8": [" _ ", "|_|", "|_|"],
    "9": [" _ ", "|_|", " _|"], ":": [" ", ".", "."], ".": [" ", " ", "."],
  ]

  /// The columns that a clock time takes.
  static func columns(_ text: String) -> Int {
    text.reduce(-1) { $0 + (unicode[$1]?[0].count ?? 1) + 1 }
  }

  static func draw(
    _ text: String, _ grid: inout PlayGrid, _ row: Int, _ column: Int, _ style: PlayStyle
  ) {
    let font = style.isASCII ? ascii : style.glyphs == .console ? console : unicode
    var column = column
    for character in text {
      guard let shape = font[character] else { continue }
      for (index, part) in shape.enumerated() {
        grid.put(part, row + index, column, .white, bold: style.isASCII)
      }
      column += shape[0].count + 1
    }
  }
}
