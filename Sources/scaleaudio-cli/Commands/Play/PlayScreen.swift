import AudioPlayer
import Glibc
import ScaleAudio

/// A rate and a pitch of the player.
private struct PlaySpeed: Equatable {
  var rate: Double
  var semitones: Double

  init(rate: Double, semitones: Double) { (self.rate, self.semitones) = (rate, semitones) }

  init(_ status: PlayerStatus) { self.init(rate: status.rate, semitones: status.semitones) }
}

/// The window of `play` in a terminal: keeps what it shows, and sends what has changed.
final class PlayScreen {
  private let terminal: Terminal
  private let abilities: TerminalAbilities
  private let style: PlayStyle
  private var drawn: PlayPicture?
  private var drawnSize: Terminal.Size?
  private var drawnCover: TerminalCover.Shown?
  private var isEntered = false
  private var nextDrawing = ContinuousClock.now
  private var track: Track?
  private var sections: [PlayScene.Section] = []
  private var files: [PlayScene.File]
  private var levels: PlayLevels?
  /// Those of a file that has grown, until they take the place of the ones shown.
  private var nextLevels: PlayLevels?
  private var wave: (key: WaveKey, shape: PlayWave, phrases: [Range<Double>])?
  private var cover: TerminalCover?
  private var meters = PlayMeters()
  private var zoom = PlayZoom()
  private var status = PlayerStatus()
  private var showsRemaining = false
  private var help: Int?
  private var search: PlayScene.Search?
  private var isDragging = false
  private var name: String?
  /// The loop, if it was made around a sentence.
  private var phraseLoop: Range<Double>?
  private var beat = PlayBeat()
  private var movesByBeats = false
  /// The notes about the file that is heard; `nil` until it is known, or if nothing is kept.
  let notes: PlayNotes?
  /// Requests of the notes to the player.
  private var commands: [Player.Command] = []
  /// The rate and the pitch of the options, and those with which the file began, or that its notes have set.
  private var usual: PlaySpeed?
  private var settled: PlaySpeed?
  /// True if the notes of a file have set them, and no key since.
  private var isSpeedKept = false
  /// Seconds from which on a file with chapters goes on where it was left.
  private static let bookSeconds = 1200.0
  /// When the place in a book is stored the next time, so that little is lost if the program is killed.
  private var nextPlace = ContinuousClock.now
  private static let placeInterval = Duration.seconds(30)
  private var message: (text: String, until: ContinuousClock.Instant)?
  /// Lines that were shown, which stay in the terminal when the window is gone.
  private var lines: [String] = []
  /// The file that is being written, for people.
  var writing: String?
  /// Sentence of the output while it accepts no sound.
  var stall: String?

  /// At most so many pictures are drawn in a second.
  private static let interval = Duration.milliseconds(100)
  private static let messageTime = Duration.seconds(4)
  private static let mostLines = 200

  /// The values that the shape of a waveform depends on.
  private struct WaveKey: Equatable {
    let page: PlayScene.Page
    let columns, rows, revision: Int
    let isOther: Bool
    let phrase: Range<Double>?
  }

  init(_ terminal: Terminal, _ items: [PlayItem], _ notes: PlayNotes?) {
    self.terminal = terminal
    self.notes = notes
    files = items.map { PlayScene.File(title: PlayText.name(of: $0), length: nil) }
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    abilities = TerminalAbilities(isTerminal: true, variable)
    style = PlayStyle(glyphs: TerminalGlyphs(variable), colors: abilities.colors)
  }

  /// Shows another file.
  func begin(_ track: Track) {
    keepPlace()
    if usual != nil { settled = PlaySpeed(status) }
    levels?.cancel()
    nextLevels?.cancel()
    (levels, nextLevels, wave) = (PlayLevels(track, identifies: notes != nil), nil, nil)
    beat = PlayBeat()
    meters.begin(track.source.sampleFormat)
    notes?.begin(track)
    nextPlace = .now + Self.placeInterval
    take(track)
    zoom = PlayZoom()
    cover = abilities.graphics.map { TerminalCover(track.source.metadata.pictures, $0) }
    nextDrawing = .now
  }

  private func take(_ track: Track) {
    let old = self.sections
    self.track = track
    let metadata = track.source.metadata
    let rate = Double(max(1, track.source.spec.sampleRate))
    let end = Double(track.source.frameCount)
    func sections(
      _ kind: PlayScene.Section.Kind, _ starts: [(start: Double, length: Double?, title: String)]
    ) -> [PlayScene.Section] {
      let sorted = starts.filter { $0.start.isFinite && $0.start >= 0 }
        .sorted { $0.start < $1.start }
      return sorted.enumerated().map { index, item in
        let next = index + 1 < sorted.count ? sorted[index + 1].start : end
        return PlayScene.Section(
          kind: kind, start: item.start / rate,
          length: max(0, item.length ?? next - item.start) / rate,
          title: escapedForTerminal(item.title))
      }
    }
    self.sections = sections(.chapter, metadata.chapters.map { ($0.start, nil, $0.title) })
    if metadata.chapters.isEmpty, metadata.marks.isEmpty, let sheet = metadata.cueSheet {
      self.sections = sections(
        .chapter,
        sheet.tracks.dropLast().enumerated().map { ($1.offset, nil, "track \($0 + 1)") })
    }
    self.sections += sections(.mark, metadata.marks.map { ($0.start, $0.length, $0.label) })
    // Moments of notes count from the start of the file; those of a part or a conversion do not.
    if track.item.conversion == nil { self.sections += notes?.sections ?? [] }
    self.sections.sort { $0.start < $1.start }
    if files.indices.contains(track.index) {
      files[track.index] = PlayScene.File(
        title: PlayText.title(of: track) ?? PlayText.name(of: track.item), length: length(of: track)
      )
    }
    // The rows of an open search are those of the file before.
    if var found = search {
      // Another program may have added rows above the chosen one.
      func section(_ row: PlayScene.Row?, of all: [PlayScene.Section]) -> PlayScene.Section? {
        guard case .section(let index)? = row, all.indices.contains(index) else { return nil }
        return all[index]
      }
      let isThere = found.rows.indices.contains(found.chosen)
      let chosen = isThere ? section(found.rows[found.chosen], of: old) : nil
      found.rows = rows(matching: found.text)
      let place = chosen.flatMap { chosen in
        found.rows.firstIndex { section($0, of: self.sections) == chosen }
      }
      found.chosen = place ?? max(0, min(found.chosen, found.rows.count - 1))
      search = found
    }
  }

  private func length(of track: Track) -> Double {
    track.source.spec.seconds(frames: track.source.frameCount)
  }

  /// Measures a file again that has become a tenth longer.
  private func measureAgain(_ track: Track) {
    if let next = nextLevels {
      guard next.isComplete else { return }
      levels?.cancel()
      (levels, nextLevels) = (next, nil)
    }
    if track.source.frameCount / 11 * 10 > levels?.frameCount ?? 0 {
      nextLevels = PlayLevels(track)
    }
  }

  /// Shows the channels of another output.
  func begin(_ output: AudioSpec) {
    meters = PlayMeters(output.layout)
    meters.begin(track?.source.sampleFormat)
  }

  /// True while keys are letters of a search.
  var takesText: Bool { search != nil || name != nil }

  // MARK: - Keys

  /// True if the sound is measured that a key needs.
  func isReady(for key: PlayKey) -> Bool {
    switch key {
    case .phrase, .phraseLoop:
      guard let levels, let drawn, track?.item.conversion == nil else { return true }
      return levels.isMeasured(near: drawn.scene.position)
    default: return true
    }
  }

  /// Does what a key asks of the window; returns what it asks of the player.
  func take(_ key: PlayKey) -> PlayKey? {
    nextDrawing = .now
    if search != nil { return takeInSearch(key) }
    if name != nil { return takeInName(key) }
    if let line = help, takeInHelp(key, line) { return nil }
    switch key {
    case .help: help = 0
    case .switchTime: showsRemaining.toggle()
    case .zoom(let steps):
      guard let drawn else { return nil }
      zoom.change(
        by: steps, at: drawn.scene.position, length: drawn.scene.length, loop: drawn.scene.loop,
        columns: drawn.layout.waveColumns.count)
    case .hold:
      zoom.isStill.toggle()
      show(zoom.isStill ? "the waveform stays; f follows again" : "the waveform follows")
    case .search: search = PlayScene.Search(rows: rows(matching: ""), chosen: currentRow)
    case .press(let column, let row): return press(column - 1, row - 1)
    case .drag(let column): if isDragging { return place(column - 1) }
    case .release: isDragging = false
    case .nudge(let start, let end):
      guard let length = movesByBeats ? beat.seconds : 0.01 else {
        show("no beat yet; y taps it")
        return nil
      }
      return .moveLoop(start: Double(start) * length, end: Double(end) * length)
    case .unit:
      movesByBeats.toggle()
      if movesByBeats, let track { beat.find(in: track) }
      show(movesByBeats ? "a A b B move by a beat\(beat.words)" : "a A b B move by 10 ms")
    case .tap:
      beat.tap(rate: status.hearsSource ? 1 : status.rate)
      show("beat\(beat.words)")
    case .countIn: return countIn()
    case .phrase(let direction): return phrase(direction)
    case .phraseLoop: return loopPhrase { $0.phrase(at: $1) }
    case .mark: keepMoment()
    case .keep:
      if status.loop == nil { show("no loop to keep; l sets its start and end") } else { name = "" }
    case .export: export()
    case .text, .enter, .erase, .escape, .remove: break
    default: return key
    }
    return nil
  }

  private func countIn() -> PlayKey? {
    if case .clicks = status.between { return .between(status.between) }
    guard let seconds = beat.seconds, let rate = track?.source.spec.sampleRate else {
      if let track { beat.find(in: track) }
      show("no beat yet; y taps it")
      return nil
    }
    return .between(.clicks(4, frames: max(1, Int(seconds * Double(rate)))))
  }

  /// The start of the sentence before or after what is heard.
  private func phrase(_ direction: Int) -> PlayKey? {
    if let loop = drawn?.scene.loop, loop == phraseLoop {
      return loopPhrase { levels, _ in
        direction < 0
          ? levels.phrase(before: loop.lowerBound + 0.05)
          : levels.phrase(at: loop.upperBound + 0.05)
      }
    }
    guard let levels, let drawn else { return nil }
    let second = drawn.scene.position
    let scale = scale(levels, drawn.scene.length)
    let found =
      direction < 0
      ? levels.phraseStart(before: second * scale, grace: 0.5)
      : levels.phraseStart(after: second * scale)
    if let found { return seek(found / scale) }
    if direction < 0, second < 60 { return seek(0) }
    let isMeasured = levels.levels(from: second * scale, each: 0.01, count: 1)[0] != nil
    show(isMeasured ? "no pause within a minute" : "the sound is not measured yet")
    return nil
  }

  /// Loops the sentence that is found.
  private func loopPhrase(_ find: (PlayLevels, Double) -> Range<Double>?) -> PlayKey? {
    guard let levels, let drawn, let track, track.item.conversion == nil else {
      show("sentences are found in whole files, at any rate")
      return nil
    }
    guard let found = find(levels, drawn.scene.position) else {
      show("no pause within a minute, or not measured yet")
      return nil
    }
    return loop(found, in: track)
  }

  /// Loops a sentence, with a pause as long after it, in which a person repeats or writes it.
  private func loop(_ found: Range<Double>, in track: Track) -> PlayKey? {
    let rate = Double(track.source.spec.sampleRate)
    let first = Int((found.lowerBound * rate).rounded())
    let last = min(track.source.frameCount, Int((found.upperBound * rate).rounded()))
    guard first < last else { return nil }
    phraseLoop = Double(first) / rate..<Double(last) / rate
    if status.between == .nothing { commands.append(.setBetween(.pause)) }
    return .loop(first..<last)
  }

  private func takeInName(_ key: PlayKey) -> PlayKey? {
    switch key {
    case .text(let text): name? += text
    case .erase: if name?.isEmpty == false { name?.removeLast() }
    case .enter:
      keepLoop(name ?? "")
      name = nil
    case .escape: name = nil
    default: break
    }
    return nil
  }

  // MARK: - What is kept

  /// Commands to the player since the last call.
  func takeCommands() -> [Player.Command] {
    defer { commands = [] }
    return commands
  }

  /// Goes on with the speed and the key that a file had, and a book where it was left.
  private func goOn(_ track: Track, _ notes: PracticeNotes) {
    guard track.item.conversion == nil, track.item.pace == nil, let usual, let settled else {
      return
    }
    let hasSpeed = notes.speed != nil || notes.semitones != nil
    func within(_ range: ClosedRange<Double>, _ value: Double) -> Double {
      min(max(value, range.lowerBound), range.upperBound)
    }
    // Pages of serve keep more than is played, which stays kept.
    let kept = PlaySpeed(
      rate: within(Player.rateRange, notes.speed ?? usual.rate),
      semitones: within(Player.semitoneRange, notes.semitones ?? usual.semitones))
    // Options have priority, and so have keys: a file without notes goes on as the one before.
    if usual == PlaySpeed(rate: 1, semitones: 0), PlaySpeed(status) == settled,
      hasSpeed || isSpeedKept
    {
      if kept != settled { commands += [.setRate(kept.rate), .setSemitones(kept.semitones)] }
      (self.settled, isSpeedKept) = (kept, hasSpeed)
      if hasSpeed { show("speed and key as last time; Backspace resets them") }
    }
    guard isBook(track), let position = notes.position,
      status.frame < 30 * Double(track.source.spec.sampleRate),
      case .seek(let frame)? = seek(position)
    else { return }
    commands.append(.seek(frame: frame))
    show("continued at \(PlayScene.clock(position, digits: 0)); Home goes to the start")
  }

  private func isBook(_ track: Track) -> Bool {
    length(of: track) >= Self.bookSeconds && !track.source.metadata.chapters.isEmpty
  }

  /// Keeps speed, key and place of the file that was heard.
  private func keepPlace() {
    guard let notes, notes.isKnown, let track, track.item.conversion == nil, let settled else {
      return
    }
    let now = PlaySpeed(status)
    let second = status.frame / Double(max(1, track.source.spec.sampleRate))
    let isInside = second > 10 && second < length(of: track) - 10
    notes.change { notes in
      if now != settled {
        isSpeedKept = false
        notes.speed = now.rate == 1 ? nil : now.rate
        notes.semitones = now.semitones == 0 ? nil : now.semitones
      }
      notes.position = isBook(track) && isInside ? second : nil
    }
    self.settled = now
    nextPlace = .now + Self.placeInterval
  }

  /// The notes, if they can be changed now; otherwise a line says why not.
  private var changeable: PlayNotes? {
    guard let track, let notes else {
      show("nothing is kept with --no-state, or without a home")
      return nil
    }
    if let reason = track.item.conversion == nil
      ? notes.refusal : "in a part or in another length, nothing is kept"
    {
      show(reason)
      return nil
    }
    return notes
  }

  private func keepMoment() {
    guard let notes = changeable, let drawn, let track else { return }
    let title = Self.freeName("mark", notes.current.marks.map(\.title))
    notes.change { $0.marks.append(.init(start: drawn.scene.position, title: title)) }
    show("\(title) at \(PlayScene.clock(drawn.scene.position, digits: 2))")
    take(track)
  }

  private func keepLoop(_ name: String) {
    guard let notes = changeable, let loop = drawn?.scene.loop, let track else { return }
    let title = name.isEmpty ? Self.freeName("loop", notes.current.loops.map(\.title)) : name
    notes.change { notes in
      notes.loops.removeAll { $0.title == title }
      notes.loops.append(.init(start: loop.lowerBound, end: loop.upperBound, title: title))
    }
    show("kept: \(escapedForTerminal(title))")
    take(track)
  }

  /// A name with a number that is not taken.
  private static func freeName(_ kind: String, _ taken: [String]) -> String {
    var number = taken.count + 1
    while taken.contains("\(kind) \(number)") { number += 1 }
    return "\(kind) \(number)"
  }

  private func remove(_ section: PlayScene.Section) {
    guard section.isKept, let notes = changeable, let track else { return }
    func isMeant(_ start: Double, _ length: Double, _ title: String) -> Bool {
      start == section.start && length == section.length
        && escapedForTerminal(title) == section.title
    }
    notes.change { notes in
      if section.kind == .mark,
        let index = notes.marks.firstIndex(where: { isMeant($0.start, 0, $0.title) })
      {
        notes.marks.remove(at: index)
      } else if section.kind == .loop,
        let index = notes.loops.firstIndex(where: { isMeant($0.start, $0.end - $0.start, $0.title) }
        )
      {
        notes.loops.remove(at: index)
      }
    }
    take(track)
  }

  private func export() {
    guard let notes = changeable, let track else { return }
    let written = notes.export(track)
    written.forEach(print)
    // The window has one line for both files.
    if written.count > 1 { show(written.joined(separator: "; ")) }
  }

  /// Scrolls or closes the help; false if the key means the same as without it.
  private func takeInHelp(_ key: PlayKey, _ line: Int) -> Bool {
    let rows = drawn?.layout.below.count ?? 1
    let count = PlayKeys.lines(columns: (drawn?.layout.columns ?? 80) - 4).count
    func scroll(_ by: Int) { help = max(0, min(line + by, max(0, count - rows))) }
    switch key {
    case .help, .escape, .quit: help = nil
    // Up is 60 s further.
    case .move(60): scroll(-1)
    case .move(-60): scroll(1)
    case .chapter(let places): scroll(places > 0 ? -rows : rows)
    default: return false
    }
    return true
  }

  private func takeInSearch(_ key: PlayKey) -> PlayKey? {
    guard var found = search else { return nil }
    switch key {
    case .text(let text): found.text += text
    case .erase:
      if found.text.isEmpty {
        search = nil
        return nil
      }
      found.text.removeLast()
    case .move(let seconds) where abs(seconds) == 60:
      let step = seconds > 0 ? -1 : 1
      found.chosen = max(0, min(found.chosen + step, found.rows.count - 1))
      search = found
      return nil
    case .chapter(let places):
      let rows = drawn?.layout.below.count ?? 1
      found.chosen = max(
        0, min(found.chosen + (places > 0 ? -rows : rows), found.rows.count - 1))
      search = found
      return nil
    case .enter:
      search = nil
      return found.rows.indices.contains(found.chosen) ? go(to: found.rows[found.chosen]) : nil
    case .escape:
      search = nil
      return nil
    case .remove:
      if found.rows.indices.contains(found.chosen),
        case .section(let index) = found.rows[found.chosen]
      {
        remove(sections[index])
      }
    default: return nil
    }
    found.rows = rows(matching: found.text)
    found.chosen = 0
    search = found
    return nil
  }

  private func rows(matching text: String) -> [PlayScene.Row] {
    let text = text.lowercased()
    func matches(_ title: String) -> Bool { text.isEmpty || title.lowercased().contains(text) }
    return sections.indices.filter { matches(sections[$0].title) }.map { .section($0) }
      + (files.count > 1 ? files.indices.filter { matches(files[$0].title) }.map { .file($0) } : [])
  }

  /// The place of what is heard among all rows.
  private var currentRow: Int {
    if let section = drawn?.scene.currentSection { return section }
    return files.count > 1 ? sections.count + (track?.index ?? 0) : 0
  }

  private func go(to row: PlayScene.Row) -> PlayKey? {
    switch row {
    case .section(let index):
      guard sections.indices.contains(index) else { return nil }
      let section = sections[index]
      if section.kind == .loop, let rate = track?.source.spec.sampleRate {
        let (start, end) = (section.start, section.start + section.length)
        return .loop(
          Int((start * Double(rate)).rounded())..<Int((end * Double(rate)).rounded()))
      }
      return seek(section.start)
    case .file(let index): return .item(index)
    case .phrase(let index):
      guard let track, let phrases = drawn?.scene.phrases, phrases.indices.contains(index) else {
        return nil
      }
      return loop(phrases[index], in: track)
    }
  }

  private func seek(_ second: Double) -> PlayKey? {
    guard let rate = track?.source.spec.sampleRate else { return nil }
    return .seek(frame: Int((max(0, min(second, 1e9)) * Double(rate)).rounded()))
  }

  private func press(_ column: Int, _ row: Int) -> PlayKey? {
    guard let drawn, help == nil else { return nil }
    if drawn.layout.wave.contains(row) || drawn.layout.ruler == row {
      isDragging = true
      return place(column)
    }
    if drawn.layout.overview == row {
      let margin = drawn.layout.margin
      let columns = max(1, drawn.layout.columns - 2 * margin)
      return .column(min(max(0, column - margin), columns - 1), of: columns)
    }
    return drawn.shownRows.first { $0.row == row && $0.columns.contains(column) }
      .flatMap { go(to: $0.target) }
  }

  /// The moment of a column of the waveform.
  private func place(_ column: Int) -> PlayKey? {
    guard let drawn else { return nil }
    let columns = drawn.layout.waveColumns
    let place = min(max(0, column - columns.lowerBound), columns.count - 1)
    return seek(drawn.scene.page.start + Double(place) * drawn.scene.page.secondsPerColumn)
  }

  // MARK: - Drawing

  /// Shows a line for a while, and keeps it for the time after the window.
  func print(_ line: String) {
    if lines.count == Self.mostLines { lines.removeFirst() }
    lines.append(line)
    show(line)
  }

  /// Shows a line for a while.
  func show(_ line: String) {
    message = (line, .now + Self.messageTime)
    nextDrawing = .now
  }

  /// Has everything drawn at the next time, for example after the shell wrote to the terminal.
  func redrawAll() {
    (drawn, drawnCover, isEntered) = (nil, nil, false)
    nextDrawing = .now
  }

  /// Shows what is heard now if it is time to, and returns whether it did.
  @discardableResult
  func draw(_ status: PlayerStatus, levels heard: [ChannelLevel], atOnce: Bool = false) -> Bool {
    meters.add(heard, isPlaying: status.state == .playing)
    let size = terminal.size()
    guard atOnce || ContinuousClock.now >= nextDrawing || size != drawnSize else { return false }
    guard let track = status.track ?? track, Terminal.isInForeground else { return false }
    nextDrawing = .now + Self.interval
    tellChanges(status)
    self.status = status
    if track.item.follows { measureAgain(track) }
    // The source and its conversion have chapters at other frames.
    if track !== self.track { take(track) }
    if usual == nil { (usual, settled) = (PlaySpeed(status), PlaySpeed(status)) }
    if let notes, notes.take(levels?.identity) {
      take(track)
      goOn(track, notes.current)
      if let refusal = notes.refusal { print("scaleaudio: " + refusal) }
    }
    if notes?.takeChanges() == true { take(track) }
    if ContinuousClock.now >= nextPlace, notes?.isKnown == true, isBook(track) { keepPlace() }
    if !isEntered {
      TerminalRestoration.enter()
      (isEntered, drawn, drawnCover) = (true, nil, nil)
    }
    // Before a resized window is drawn again, it is empty.
    var text = drawnSize == size && drawn != nil ? "" : Escape.eraseWindow
    if !text.isEmpty { (drawn, drawnCover) = (nil, nil) }
    let cover = roomForCover(size).flatMap {
      self.cover?.shown(rows: $0.rows, maximumColumns: $0.columns, size)
    }
    let picture = picture(track, size, coverColumns: cover?.columns ?? 0)
    if cover != drawnCover {
      text += removal
      drawn = drawnCover == nil ? drawn : nil
    }
    text += picture.grid.text(after: drawn?.grid, style.colors)
    if let cover, cover != drawnCover {
      text +=
        Escape.go(
          row: picture.layout.header + 1,
          column: picture.layout.columns - picture.layout.margin - cover.columns + 1) + cover.text
    }
    if !text.isEmpty { terminal.write(text) }
    (drawn, drawnSize, drawnCover) = (picture, size, cover)
    return true
  }

  /// Shows a change that may have no room, or no loop yet, in the picture.
  private func tellChanges(_ now: PlayerStatus) {
    if now.trainer?.step != status.trainer?.step {
      show(
        now.trainer.map {
          "trainer: \(PlayPicture.percent($0.step)) faster every second round, up to \(PlayPicture.percent($0.goal))"
        } ?? "no trainer")
    }
    guard now.between != status.between else { return }
    switch now.between {
    case .nothing: show("nothing between the rounds")
    case .pause: show("a pause as long as the loop after each round")
    case .clicks(let count, _): show("\(count) clicks count in each round")
    }
  }

  /// The size of a cover in a window, in characters; `nil` where it would take what else is shown.
  private func roomForCover(_ size: Terminal.Size) -> (rows: Int, columns: Int)? {
    guard size.columns >= 60, size.rows >= 20, help == nil, search == nil else { return nil }
    return (size.rows >= 30 ? 5 : 4, size.columns / 4)
  }

  private func picture(_ track: Track, _ size: Terminal.Size, coverColumns: Int) -> PlayPicture {
    let phraseCount = isPhraseLooped ? max(1, wave?.phrases.count ?? 0) : 0
    let listCount = max(sections.count, files.count > 1 ? files.count : 0, phraseCount)
    let readings = meters.readings
    let layout = PlayLayout(
      columns: size.columns, rows: size.rows, listCount: listCount, channels: readings.count)
    var scene = scene(track, layout)
    scene.meters = readings
    scene.coverColumns = coverColumns
    return PlayPicture(scene, layout, style)
  }

  private func scene(_ track: Track, _ layout: PlayLayout) -> PlayScene {
    var scene = PlayScene()
    let metadata = track.source.metadata
    let rate = Double(max(1, track.source.spec.sampleRate))
    scene.title = PlayText.title(of: track) ?? PlayText.name(of: track.item)
    scene.artist = escapedForTerminal(metadata.values("ARTIST").first ?? "")
    (scene.file, scene.fileCount) = (track.index + 1, files.count)
    scene.state =
      status.state == .paused ? .paused : status.isWaiting || status.isStalled ? .waiting : .playing
    scene.position = max(0, status.frame / rate)
    scene.length = length(of: track)
    scene.isEstimated = track.source.lengthBasis == .estimated
    scene.showsRemaining = showsRemaining
    setSound(track, &scene)
    scene.loopStart = status.loopStart.map { Double($0) / rate }
    scene.loop = status.loop.map { Double($0.lowerBound) / rate..<Double($0.upperBound) / rate }
    scene.sections = sections
    scene.files = files
    if let message, ContinuousClock.now < message.until {
      scene.message = message.text
    } else {
      scene.message = status.isStalled ? stall : writing
    }
    (scene.help, scene.search, scene.name) = (help, search, name)
    setLoopNotes(&scene)
    scene.page = zoom.page(
      at: scene.position, length: scene.length, loop: scene.loop,
      columns: layout.waveColumns.count)
    setWave(track, layout, &scene)
    return scene
  }

  private func setSound(_ track: Track, _ scene: inout PlayScene) {
    let conversion = track.item.conversion
    let tape = conversion.flatMap { PlayText.speed(of: $0.time) } ?? 1
    let paced =
      track.item.pace == nil
      ? status.rate : track.speed(at: status.frame, rate: status.rate)
    scene.speed = tape * paced
    scene.isTape = tape != 1 && status.rate == 1
    scene.semitones = status.semitones
    scene.hearsSource = status.hearsSource
    scene.isChanged =
      scene.speed != 1 || scene.semitones != 0 || track.item.pace != nil
      || conversion.map { $0.time != .unchanged || $0.channels != .unchanged } ?? false
    (scene.volume, scene.isMuted) = (status.volume.level, status.volume.isMuted)
    if status.gain != 0 {
      let sign = status.gain > 0 ? "+" : ""
      scene.order.append("gain \(sign)\(Quantities.decimal(status.gain, digits: 1)) dB")
    }
    if status.loopsTrack { scene.order.append("repeat") }
    if status.loopsList { scene.order.append("repeat list") }
    if status.isShuffled { scene.order.append("shuffle") }
  }

  private func setLoopNotes(_ scene: inout PlayScene) {
    guard let loop = scene.loop else { return }
    let round = status.round > 1 ? ["round \(status.round)"] : []
    // The last ones are left out where there is no room.
    if status.breakSeconds == nil { scene.loopNotes += round }
    if let seconds = status.breakSeconds {
      let length = breakSeconds(loop)
      scene.pausePart = seconds / max(1e-3, length)
      let left = Quantities.decimal(max(0, length - seconds), digits: 1)
      scene.loopNotes += ["pause \(left) s"] + round
    } else if status.between == .pause {
      scene.loopNotes.append("with a pause")
    } else if status.between != .nothing {
      scene.loopNotes.append("counted in")
    }
    if let trainer = status.trainer {
      let words =
        status.rate < trainer.goal ? "+\(PlayPicture.percent(trainer.step))" : "at its goal"
      scene.loopNotes.append("trainer \(words)")
    }
  }

  /// The time between two rounds of a loop, as it is heard.
  private func breakSeconds(_ loop: Range<Double>) -> Double {
    guard let track, let frames = status.loop else { return loop.upperBound - loop.lowerBound }
    let rate = Double(max(1, track.source.spec.sampleRate))
    let total: Double =
      switch status.between {
      case .clicks(let count, let each):
        Double(count * each) * track.outputFrames(of: frames.lowerBound..<frames.lowerBound + 1)
      default: track.outputFrames(of: frames)
      }
    return total / rate / max(0.01, status.hearsSource ? 1 : status.rate)
  }

  private func scale(_ levels: PlayLevels, _ length: Double) -> Double {
    // A conversion has the shape of its source, in another length.
    if track?.item.conversion == nil { return 1 }
    return Double(levels.frameCount) / Double(levels.sampleRate) / max(length, 1e-9)
  }

  /// True if the loop was made around a sentence, whose ends it has.
  private var isPhraseLooped: Bool {
    guard let loop = status.loop, let phraseLoop, let track else { return false }
    let rate = Double(max(1, track.source.spec.sampleRate))
    return phraseLoop == Double(loop.lowerBound) / rate..<Double(loop.upperBound) / rate
  }

  private func setWave(_ track: Track, _ layout: PlayLayout, _ scene: inout PlayScene) {
    guard let levels else { return }
    let scale = scale(levels, scene.length)
    let page = scene.page
    let columns = layout.waveColumns.count
    let start = page.start * scale
    let each = page.secondsPerColumn * scale / 2
    levels.show(
      max(0, start)..<max(0, start) + each * 2 * Double(columns), near: scene.position * scale)
    let phrase = isPhraseLooped ? phraseLoop : nil
    let key = WaveKey(
      page: page, columns: columns, rows: layout.wave.count, revision: levels.revision,
      isOther: scale != 1, phrase: phrase)
    if wave?.key != key, layout.wave.count > 0 {
      let found = levels.levels(from: start, each: each, count: columns * 2)
      let peak = max(levels.peak, 1e-3)
      wave = (
        key,
        PlayWave(found, scale: peak, columns: columns, rows: layout.wave.count, style: style),
        phrase.map { levels.phrases(around: $0) } ?? []
      )
    }
    scene.wave = wave?.shape
    scene.phrases = wave?.phrases ?? []
    let total = track.item.conversion == nil ? track.source.frameCount : levels.frameCount
    scene.overview = levels.overview(
      columns: max(1, layout.columns - 2 * layout.margin), of: total
    ).map { $0.map { $0.square.squareRoot() } }
  }

  /// Removes the window, and prints the lines that were shown.
  func clear() {
    keepPlace()
    levels?.cancel()
    nextLevels?.cancel()
    if isEntered {
      terminal.write(removal)
      TerminalRestoration.leave()
    }
    isEntered = false
    drawnCover = nil
    if !lines.isEmpty { terminal.write(lines.map { $0 + "\n" }.joined()) }
    lines = []
  }

  /// The sequence that removes a drawn cover.
  private var removal: String { drawnCover == nil ? "" : cover?.removal ?? "" }
}
