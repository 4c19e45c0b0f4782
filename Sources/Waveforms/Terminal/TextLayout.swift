/// The layout of a text picture, in columns and lines.
struct TextLayout: Hashable {
  /// The position and size of a lane.
  struct Lane: Hashable {
    var column, line, columns, lines: Int
  }

  /// The layout of one source.
  struct Track: Hashable {
    /// The line of the title.
    var title: Int?
    /// The line of the names of chapters and marks.
    var markerNames: Int?
    var lanes: [Lane] = []
    /// The number of values in a lane.
    var valueCount: Int
    /// The width of the lanes.
    var columns: Int
  }

  /// The total number of lines.
  private(set) var lines = 0
  private(set) var tracks: [Track] = []
  /// The line of the time axis, above that of its labels.
  private(set) var timeAxis: Int?
  /// The line of the legend of colors.
  private(set) var legend: Int?
  /// The column of the level axes. The labels end before it.
  private(set) var levelAxis: Int?

  /// Narrower pictures have no level axis.
  private static let narrow = 40
  /// The width of the labels of levels, in columns.
  private static let labelColumns = 5

  init(of outlines: [TrackOutline], settings: TextSettings, measure: TextMeasure) {
    let isBare = settings.picture.isBare
    let names = outlines.flatMap(\.laneNames).map { measure.columns(measure.shown($0)) }.max() ?? 0
    var start = 0
    if !isBare && settings.columns >= Self.narrow {
      let axis = (names > 0 ? names + 1 : 0) + Self.labelColumns
      levelAxis = axis
      start = axis + 1
    }
    let room = settings.columns - start
    let rows = Self.laneLines(outlines, settings)
    let longest = outlines.map(\.seconds).max() ?? 0
    for (index, outline) in outlines.enumerated() {
      if index > 0 { lines += 1 }
      let share = longest > 0 ? outline.seconds / longest : 1
      let columns = min(room, max(1, Int((Double(room) * share).rounded())))
      var track = Track(
        valueCount: Self.valueCount(settings, columns: columns), columns: columns)
      if !isBare {
        track.title = lines
        lines += 1
        if !outline.markers.isEmpty {
          track.markerNames = lines
          lines += 1
        }
      }
      for part in outline.laneNames.flatMap({ _ in settings.picture.style.parts }) {
        if !track.lanes.isEmpty { lines += Self.gap(rows) }
        let rows = Self.lines(of: part, rows, settings.picture.style)
        track.lanes.append(Lane(column: start, line: lines, columns: columns, lines: rows))
        lines += rows
      }
      tracks.append(track)
    }
    if !isBare {
      timeAxis = lines
      lines += 2
      if settings.picture.style.parts.contains(.spectrogram) {
        legend = lines
        lines += 1
      }
    }
  }

  private static func valueCount(_ settings: TextSettings, columns: Int) -> Int {
    let parts = columns * settings.glyphs.parts.columns
    switch settings.picture.style {
    case .bars:
      return settings.bar.count(in: parts)
    case .envelope, .loudness, .both: return parts
    case .spectrogram: return columns
    }
  }

  /// The number of empty lines between lanes; low lanes have none.
  private static func gap(_ rows: Int) -> Int { rows > 4 ? 1 : 0 }

  /// The number of lines of a lane of a part of a style, in which an envelope has `rows` lines.
  private static func lines(of part: WaveformStyle, _ rows: Int, _ style: WaveformStyle) -> Int {
    style == .both && part == .spectrogram ? rows + 2 * (rows / 4) : rows
  }

  /// The number of lines in a lane: an even number, so that the middle is between two lines.
  private static func laneLines(_ outlines: [TrackOutline], _ settings: TextSettings) -> Int {
    let style = settings.picture.style
    let lanes = style.parts.count * outlines.map(\.laneNames.count).reduce(0, +)
    let usual =
      switch lanes {
      case ...1: style == .spectrogram ? 16 : 12
      case 2: 8
      case 3...6: 6
      default: 4
      }
    func total(_ rows: Int) -> Int {
      let around = style.parts.contains(.spectrogram) ? 3 : 2
      var lines = settings.picture.isBare ? 0 : around
      for outline in outlines {
        if !settings.picture.isBare { lines += outline.markers.isEmpty ? 1 : 2 }
        let each = style.parts.map { self.lines(of: $0, rows, style) }.reduce(0, +)
        lines += outline.laneNames.count * each
        lines += max(0, outline.laneNames.count * style.parts.count - 1) * gap(rows)
      }
      return lines + max(0, outlines.count - 1)
    }
    let most = settings.lines ?? settings.maximumLines
    var rows = settings.lines == nil ? usual : 2 * (most / 2)
    while rows > 2 && total(rows) > most { rows -= 2 }
    return rows
  }
}
