import AudioPlayer
import Glibc
import ScaleAudio

/// The lines at the end of a terminal that show what is heard.
final class PlayScreen {
  private let terminal: Terminal
  private let items: [PlayItem]
  private let abilities: TerminalAbilities
  private let style: PlayStyle
  private var live = LiveArea()
  private var drawn = PlayLines.Drawn()
  private var drawnSize: Terminal.Size?
  private var drawnCover: TerminalCover.Shown?
  private var track: Track?
  private var chapters: [Double] = []
  private var named: [Metadata.Chapter] = []
  private var overview: PlayOverview?
  /// That of a file that has grown, until it takes the place of the one shown.
  private var nextOverview: PlayOverview?
  private var cover: TerminalCover?
  private var meters = PlayMeters()
  private var showsRemaining = false
  private var showsHelp = false
  private var mouse = Mouse.up
  /// The file that is being written, for people.
  var writing: String?

  /// The state of the mouse button.
  private enum Mouse {
    case up
    /// It was pressed at a place in the window; the terminal has yet to report where the lines are.
    case asking(column: Int, row: Int)
    /// It was pressed on the waveform, and moves along it.
    case dragging
  }

  init(_ terminal: Terminal, _ items: [PlayItem]) {
    self.terminal = terminal
    self.items = items
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    abilities = TerminalAbilities(isTerminal: true, variable)
    style = PlayStyle(glyphs: TerminalGlyphs(variable), colors: abilities.colors)
  }

  /// Shows another file.
  func begin(_ track: Track) {
    take(track)
    overview?.cancel()
    overview = PlayOverview(track)
    cover = abilities.graphics.map { TerminalCover(track.source.metadata.pictures, $0) }
  }

  private func take(_ track: Track) {
    self.track = track
    chapters = track.chapterStarts
    named = track.source.metadata.chapters.sorted { $0.start < $1.start }
  }

  /// Measures a file again that has become a tenth longer.
  private func measureAgain(_ track: Track) {
    if let next = nextOverview {
      guard next.isComplete else { return }
      (overview, nextOverview) = (next, nil)
    }
    if track.source.frameCount / 11 * 10 > overview?.frameCount ?? 0 {
      nextOverview = PlayOverview(track)
    }
  }

  /// Shows the channels of another output.
  func begin(_ output: AudioSpec) { meters = PlayMeters(output.layout) }

  /// Does what a key asks of the screen; returns what it asks of the player.
  func take(_ key: PlayKey) -> PlayKey? {
    switch key {
    case .help: showsHelp.toggle()
    case .switchTime: showsRemaining.toggle()
    case .press(let column, let row):
      // Printed text and the window's size may have moved the lines anywhere.
      mouse = .asking(column: column, row: row)
      terminal.write(Escape.reportCursor)
    case .cursor(let top):
      guard case .asking(let column, let row) = mouse else { return nil }
      guard live.isDrawn, drawn.wave.contains(row - top) else {
        mouse = .up
        return nil
      }
      mouse = .dragging
      return place(column)
    case .drag(let column):
      if case .asking(_, let row) = mouse { mouse = .asking(column: column, row: row) }
      if case .dragging = mouse { return place(column) }
    case .release:
      // A short click is over before the terminal has answered.
      if case .dragging = mouse { mouse = .up }
    default: return key
    }
    return nil
  }

  private func place(_ column: Int) -> PlayKey {
    .column(min(max(0, column - 1), drawn.columns - 1), of: drawn.columns)
  }

  /// Prints a line that stays.
  func print(_ line: String) {
    let columns = terminal.size().columns
    if live.isDrawn, drawnCover == nil {
      terminal.write(live.redraw(drawn.lines, below: [line], columns: columns))
    } else {
      terminal.write(removal + live.replace(with: [line], columns: columns))
      redrawAll()
    }
  }

  /// Has everything drawn at the next time, for example after the shell wrote to the terminal.
  func redrawAll() { drawnSize = nil }

  /// Shows what is heard now, if that looks different.
  func draw(_ status: PlayerStatus, levels: [ChannelLevel]) {
    meters.add(levels, isPlaying: status.state == .playing)
    guard let track = status.track ?? track, Terminal.isInForeground else { return }
    if track.item.follows { measureAgain(track) }
    // The source and its conversion have chapters at other frames.
    if track !== self.track { take(track) }
    let size = terminal.size()
    let cover = PlayLines.roomForCover(size).flatMap {
      self.cover?.shown(rows: $0.rows, maximumColumns: $0.columns, size)
    }
    let next = items[min(track.index + 1, items.count)...]
    let lines = PlayLines(
      track: track, status: status, chapters: named, fileCount: items.count, next: next,
      meters: meters, writing: writing, showsRemaining: showsRemaining, showsHelp: showsHelp,
      style: style,
      coverColumns: cover.map { $0.columns + 2 } ?? 0, size: size
    ).drawn { rows in
      PlayWave(
        overview: overview, chapters: chapters, frameCount: track.source.frameCount, style: style,
        rows: rows)
    }
    let isSame =
      live.isDrawn && drawnSize == size && drawnCover == cover
      && drawn.lines.count == lines.lines.count
    if isSame {
      let text = live.update(lines.lines, from: drawn.lines)
      if !text.isEmpty { terminal.write(text) }
    } else {
      let text = live.redraw(lines.lines, below: [], columns: size.columns)
      // If there was or will be a cover, everything is erased.
      let erasure = cover != nil || drawnCover != nil ? removal + "\r" + Escape.eraseBelow : ""
      terminal.write(erasure + text + (cover?.text ?? ""))
    }
    (drawn, drawnSize, drawnCover) = (lines, size, cover)
  }

  /// Removes the lines.
  func clear() {
    overview?.cancel()
    nextOverview?.cancel()
    terminal.write(removal + live.replace(with: [], columns: terminal.size().columns))
    drawnCover = nil
  }

  /// The sequence that removes a drawn cover.
  private var removal: String { drawnCover == nil ? "" : cover?.removal ?? "" }
}
