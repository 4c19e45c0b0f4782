import AudioPlayer
import ScaleAudio

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The lines at the end of a terminal that show what is heard.
final class PlayScreen {
  private let terminal: Terminal
  private let fileCount: Int
  private let abilities: TerminalAbilities
  private var live = LiveArea()
  private var drawn: [String] = []
  private var drawnColumns = 0
  private var pending: [String] = []
  private var track: Track?
  private var chapters: [Double] = []
  private var overview: PlayOverview?
  private var meters = PlayMeters()
  private var showsRemaining = false
  private var showsHelp = false
  /// What is being written, for people.
  var writing: String?

  init(_ terminal: Terminal, fileCount: Int) {
    self.terminal = terminal
    self.fileCount = fileCount
    abilities = TerminalAbilities(isTerminal: true) { name in
      getenv(name).map { String(cString: $0) }
    }
  }

  /// Shows another file.
  func begin(_ track: Track) {
    self.track = track
    chapters = PlayText.chapters(of: track)
    overview?.cancel()
    overview = PlayOverview(track)
  }

  /// Shows the channels of another output.
  func begin(_ output: AudioSpec) { meters = PlayMeters(output.layout) }

  /// Does what a key asks of the screen; `false` if it asks something else.
  func take(_ key: PlayKey) -> Bool {
    switch key {
    case .help: showsHelp.toggle()
    case .switchTime: showsRemaining.toggle()
    default: return false
    }
    return true
  }

  /// Prints a line that stays.
  func print(_ line: String) {
    let columns = terminal.size().columns
    if live.isDrawn {
      terminal.write(live.redraw(drawn, below: [line], columns: columns))
    } else {
      terminal.write(live.replace(with: [line], columns: columns))
    }
  }

  /// Shows what is heard now, if that looks different.
  func draw(_ status: PlayerStatus, levels: [ChannelLevel]) {
    meters.add(levels, isPlaying: status.state == .playing)
    guard let track = status.track ?? track else { return }
    // The source and its conversion have chapters at other frames.
    if track !== self.track { (self.track, chapters) = (track, PlayText.chapters(of: track)) }
    let size = terminal.size()
    // A line that fills its row would wrap in some terminals.
    let lines = self.lines(track, status, columns: max(8, size.columns - 1), rows: size.rows)
    if lines == drawn && size.columns == drawnColumns && live.isDrawn { return }
    (drawn, drawnColumns) = (lines, size.columns)
    terminal.write(live.redraw(lines, below: [], columns: size.columns))
  }

  /// Removes the lines.
  func clear() {
    overview?.cancel()
    terminal.write(live.replace(with: [], columns: terminal.size().columns))
  }

  private func lines(
    _ track: Track, _ status: PlayerStatus, columns: Int, rows: Int
  ) -> [String] {
    var lines = [DisplayWidth.cutEnd(of: title(track, status), to: columns)]
    if rows >= 5 {
      let wave = PlayWave(
        overview: overview, chapters: chapters, frameCount: track.source.frameCount,
        usesColor: abilities.colors != .none)
      lines += wave.lines(status, columns: columns)
    }
    lines.append(DisplayWidth.cutEnd(of: state(track, status), to: columns))
    let room = max(0, rows - 1 - lines.count)
    if showsHelp {
      lines += PlayKeys.help.prefix(room).map { DisplayWidth.cutEnd(of: $0, to: columns) }
    } else {
      lines += meters.lines(columns: columns).prefix(room)
    }
    return lines
  }

  private func title(_ track: Track, _ status: PlayerStatus) -> String {
    let place = fileCount > 1 ? "  \(track.index + 1)/\(fileCount)" : ""
    return (status.state == .paused ? "paused   " : "playing  ") + PlayText.name(of: track) + place
  }

  /// `0:12 / 3:20  1.25x  +2 st  volume 80%  loop 0:10-0:12`
  private func state(_ track: Track, _ status: PlayerStatus) -> String {
    let spec = track.source.spec
    let (total, now) = (
      spec.seconds(frames: track.source.frameCount), status.frame / Double(spec.sampleRate)
    )
    let shown =
      showsRemaining
      ? "-" + Quantities.clock(Int(max(0, total - now).rounded(.up))) : Quantities.clock(Int(now))
    var parts = ["\(shown) / \(Quantities.clock(Int(total.rounded())))"]
    if status.hearsSource { parts.append("source") }
    if status.rate != 1, !status.hearsSource {
      parts.append(Quantities.decimal(status.rate, digits: 2) + "x")
    }
    if status.semitones != 0, !status.hearsSource {
      parts.append(
        (status.semitones > 0 ? "+" : "") + Quantities.decimal(status.semitones, digits: 0) + " st")
    }
    if status.volume.isMuted {
      parts.append("muted")
    } else if status.volume.level != 1 {
      parts.append("volume \(Int((status.volume.level * 100).rounded()))%")
    }
    func time(_ frame: Int) -> String { Quantities.clock(frame / spec.sampleRate) }
    if let loop = status.loop {
      parts.append("loop \(time(loop.lowerBound))-\(time(loop.upperBound))")
    } else if let start = status.loopStart {
      parts.append("loop \(time(start))-")
    }
    if status.loopsTrack { parts.append("repeat") }
    if let writing { parts.append(writing) }
    if !showsHelp { parts.append("? help") }
    return parts.joined(separator: "  ")
  }
}
