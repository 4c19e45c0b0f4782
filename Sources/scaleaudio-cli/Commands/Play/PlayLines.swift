import AudioPlayer
import ScaleAudio

/// The lines of the screen of `play` at a moment, from the title to the files that come next.
struct PlayLines {
  let track: Track
  let status: PlayerStatus
  let chapters: [Metadata.Chapter]
  let fileCount: Int
  let next: ArraySlice<PlayItem>
  let meters: PlayMeters
  /// The file that is being written, for people.
  let writing: String?
  let showsRemaining: Bool
  let showsHelp: Bool
  let style: PlayStyle
  /// The columns at the left of the first lines that a cover takes.
  let coverColumns: Int
  let size: Terminal.Size

  /// Lines, and where the waveform is among them.
  struct Drawn {
    var lines: [String] = []
    var wave = 0..<0
    /// The columns of the waveform.
    var columns = 1
  }

  /// The lines beside a cover.
  private static let coverRows = 5
  /// How many of the files that come next are shown.
  private static let maximumNext = 3

  /// The size of a cover in a window, in characters; `nil` where it would take what else is shown.
  static func roomForCover(_ size: Terminal.Size) -> (rows: Int, columns: Int)? {
    size.columns >= 60 && size.rows >= 18 ? (coverRows, size.columns / 4) : nil
  }

  // A line that fills its row would wrap in some terminals.
  private var columns: Int { max(8, size.columns - 1) }

  /// The lines, with the waveform in a number of rows that `wave` makes.
  func drawn(_ wave: (Int) -> PlayWave) -> Drawn {
    var drawn = Drawn(columns: columns)
    var room = max(1, size.rows - 1)
    let width = columns - coverColumns
    var header = [style.bold(cut(title, width))]
    if coverColumns > 0 {
      header += [artist, album, chapter ?? "", state(width)].map { cut($0, width) }
    } else if let chapter, room >= 8 {
      header.append(cut(chapter, width))
    }
    let beside = coverColumns > 0 ? Escape.right(coverColumns) : ""
    drawn.lines = header.map { beside + $0 }
    let help = showsHelp ? PlayKeys.lines(columns: columns) : []
    let hasState = coverColumns > 0
    room -= drawn.lines.count + (hasState ? 0 : 1)
    // In a low window, the help takes the place of the waveform.
    if room >= max(3, help.count + 2) {
      let rows = room - help.count >= 12 ? 3 : room >= 4 ? 2 : 1
      let first = drawn.lines.count
      drawn.lines += wave(rows).lines(status, columns: columns)
      drawn.wave = first..<drawn.lines.count
      room -= rows + 1
    }
    if !hasState { drawn.lines.append(cut(state(columns), columns)) }
    if showsHelp {
      drawn.lines += help.prefix(max(0, room)).map { cut($0, columns) }
    } else {
      let levels = meters.lines(columns: columns, maximumLines: max(0, room), style)
      drawn.lines += levels
      drawn.lines += upcoming(room - levels.count)
    }
    return drawn
  }

  private func cut(_ text: String, _ columns: Int) -> String {
    DisplayWidth.cutEnd(
      of: style.glyphs.shown(text), to: columns, mark: style.glyphs == .unicode ? "…" : "...")
  }

  // MARK: - What is heard

  /// `playing  Ann - Tune  1/12`
  private var title: String {
    let state =
      status.state == .paused ? "paused   " : status.isWaiting ? "waiting  " : "playing  "
    let place = fileCount > 1 ? "  \(track.index + 1)/\(fileCount)" : ""
    let room = max(8, columns - coverColumns - DisplayWidth.columns(state + place))
    let name =
      coverColumns > 0
      ? PlayText.title(of: track) ?? PlayText.name(of: track)
      : PlayText.name(of: track)
    return state + cut(name, room) + place
  }

  private var artist: String { value("ARTIST") }

  private var album: String {
    [value("ALBUM"), String(value("DATE").prefix(4))].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }

  private func value(_ name: String) -> String {
    escapedForTerminal(track.source.metadata.values(name).first ?? "")
  }

  /// `chapter 2/5  The beach`
  private var chapter: String? {
    guard let index = chapters.lastIndex(where: { $0.start <= status.frame }) else {
      return chapters.isEmpty ? nil : ""
    }
    return "chapter \(index + 1)/\(chapters.count)  " + escapedForTerminal(chapters[index].title)
  }

  /// `0:12 / 3:20  1.25x  +2 st  volume 80%  loop 0:10-0:12`
  private func state(_ columns: Int) -> String {
    let spec = track.source.spec
    let (total, now) = (
      spec.seconds(frames: track.source.frameCount), status.frame / Double(spec.sampleRate)
    )
    let shown =
      showsRemaining
      ? "-" + Quantities.clock(Int(max(0, total - now).rounded(.up))) : Quantities.clock(Int(now))
    // On a narrow line, the parts with the highest ranks go first.
    var parts = [(text: "\(shown) / \(PlayText.length(of: track.source))", rank: 0)]
    if status.hearsSource {
      parts.append(("source", 2))
    } else {
      let speed = track.speed(at: status.frame, rate: status.rate)
      parts.append((Quantities.decimal(speed, digits: 2) + "x", speed == 1 ? 6 : 3))
      let pitch = Quantities.significant(status.semitones, 4) + " st"
      parts.append(((status.semitones > 0 ? "+" : "") + pitch, status.semitones == 0 ? 7 : 4))
    }
    if status.volume.isMuted {
      parts.append(("muted", 2))
    } else if status.volume.level != 1 {
      parts.append(("volume \(Int((status.volume.level * 100).rounded()))%", 5))
    }
    func time(_ frame: Int) -> String { Quantities.clock(frame / spec.sampleRate) }
    if let loop = status.loop {
      parts.append(("loop \(time(loop.lowerBound))-\(time(loop.upperBound))", 1))
    } else if let start = status.loopStart {
      parts.append(("loop \(time(start))-", 1))
    }
    if status.loopsTrack { parts.append(("repeat", 2)) }
    if let writing { parts.append((writing, 1)) }
    func joined() -> String { parts.map(\.text).joined(separator: "  ") }
    while joined().count > columns,
      let last = parts.indices.max(by: { parts[$0].rank < parts[$1].rank }), parts[last].rank > 1
    {
      parts.remove(at: last)
    }
    let text = joined()
    let help = showsHelp ? "? back" : "? help"
    return text.count + 2 + help.count <= columns ? text + "  " + help : text
  }

  // MARK: - What comes next

  private func upcoming(_ room: Int) -> [String] {
    // An empty line above it, if there is room.
    let count = min(next.count, Self.maximumNext, room - 1)
    guard count > 0 else { return [] }
    var lines = [""]
    for (place, item) in next.prefix(count).enumerated() {
      lines.append(cut((place == 0 ? "next     " : "         ") + PlayText.name(of: item), columns))
    }
    if next.count > count, let last = lines.popLast() {
      let rest = "  and \(next.count - count) more"
      lines.append(cut(last, max(8, columns - rest.count)) + rest)
    }
    return lines.map { style.faint($0) }
  }
}
