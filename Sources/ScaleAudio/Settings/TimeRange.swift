internal import AudioIO
internal import AudioModel

/// A position in audio, which may be a different frame in each file.
///
/// As people type it: a ``TypedTime`` such as `1:30.25`; with a minus sign, the time before the end: `-30`; a
/// fraction of the length: `25%`; a chapter by its number or its title: `chapter:3`, `chapter:Intro`.
public enum TimePosition: Hashable, Sendable {
  /// This long after the start.
  case afterStart(TypedTime)
  /// This long before the end.
  case beforeEnd(TypedTime)
  /// A fraction of the length, from 0 to 1.
  case fraction(Double)
  /// A chapter by its number, from 1: its start, or its end if the position is an end.
  case chapter(Int)
  /// A chapter by its title, or by a part of the title, ignoring case.
  case chapterTitled(String)

  private static let chapterPrefix = "chapter:"

  /// The position in a text; `nil` for any other text.
  package init?(_ text: some StringProtocol) {
    if text.hasPrefix(Self.chapterPrefix) {
      let name = text.dropFirst(Self.chapterPrefix.count)
      if name.isEmpty { return nil }
      self = Decimal.wholeValue(name).map { .chapter($0) } ?? .chapterTitled(String(name))
      return
    }
    let isNegative = text.hasPrefix("-")
    let size = text.dropFirst(isNegative ? 1 : 0)
    if size.hasSuffix("%") {
      guard let percent = Decimal.value(size.dropLast()), percent <= 100 else { return nil }
      self = .fraction(isNegative ? 1 - percent / 100 : percent / 100)
    } else {
      guard let time = TypedTime(size) else { return nil }
      self = isNegative ? .beforeEnd(time) : .afterStart(time)
    }
  }

  /// The position in file names: `90`, `90000f`, `-30`, `25%`, `chapter3`. Different positions have different names.
  var name: String {
    switch self {
    case .afterStart(.seconds(let seconds)): Self.exact(seconds)
    case .afterStart(.frames(let frames)): "\(frames)f"
    case .beforeEnd(.seconds(let seconds)): "-" + Self.exact(seconds)
    case .beforeEnd(.frames(let frames)): "-\(frames)f"
    case .fraction(let fraction): Self.exact(fraction * 100) + "%"
    case .chapter(let number): "chapter\(number)"
    case .chapterTitled(let title): "chapter-" + title.replacing("/", with: "_")
    }
  }

  /// A number without final digits that result from rounding errors.
  private static func exact(_ value: Double) -> String {
    let short = (value * 1e6).rounded() / 1e6
    let number = (short - value).magnitude < 1e-12 * max(1, value) ? short : value
    return Int(exactly: number).map(String.init) ?? "\(number)"
  }
}

/// A part of audio.
public struct TimeRange: Hashable, Sendable {
  /// The start; `nil` for the start of the audio.
  public var start: TimePosition?
  /// The end, which is not part of the range; `nil` for the end of the audio.
  public var end: TimePosition?

  /// The part from `start` to `end`.
  public init(from start: TimePosition? = nil, to end: TimePosition? = nil) {
    self.start = start
    self.end = end
  }

  /// The range in a text: `start-end`, either of which may be missing, or one chapter; `nil` for any other text.
  ///
  /// The separator is the first hyphen that has a valid time on each side, so `90--10` ends 10 s before the end.
  package init?(_ text: some StringProtocol) {
    for index in text.indices where text[index] == "-" {
      let (first, second) = (text[..<index], text[text.index(after: index)...])
      let (start, end) = (TimePosition(first), TimePosition(second))
      guard first.isEmpty || start != nil, second.isEmpty || end != nil,
        !(first.isEmpty && second.isEmpty)
      else { continue }
      self.init(from: start, to: end)
      return
    }
    guard let moment = TimePosition(text) else { return nil }
    switch moment {
    case .chapter, .chapterTitled: self.init(from: moment, to: moment)
    default: return nil
    }
  }

  /// True if the start can be before the end, as far as is known without a file.
  package var isPossible: Bool {
    func isZero(_ time: TypedTime) -> Bool { time == .seconds(0) || time == .frames(0) }
    switch (start, end) {
    case (.afterStart(.seconds(let start)), .afterStart(.seconds(let end))): return start < end
    case (.afterStart(.frames(let start)), .afterStart(.frames(let end))): return start < end
    case (.beforeEnd(.seconds(let start)), .beforeEnd(.seconds(let end))): return start > end
    case (.beforeEnd(.frames(let start)), .beforeEnd(.frames(let end))): return start > end
    case (.fraction(let start), .fraction(let end)): return start < end
    case (_, .afterStart(let end)) where isZero(end): return false
    case (.beforeEnd(let start), _) where isZero(start): return false
    case (_, .fraction(0)), (.fraction(1), _): return false
    default: return true
    }
  }

  /// The range in file names, after `only`: `only90-120`, `only-chapter3`.
  var nameOfOnly: String {
    switch (start, end) {
    case (.chapter, start), (.chapterTitled, start): "only-" + (start?.name ?? "")
    default: "only" + (start?.name ?? "0") + "-" + (end?.name ?? "end")
    }
  }

  /// The range in file names: `from90-to120`, `to120`, `chapter3`.
  var name: String {
    switch (start, end) {
    case (.chapter, start), (.chapterTitled, start): return start?.name ?? ""
    default: break
    }
    let parts = [start.map { "from" + $0.name }, end.map { "to" + $0.name }]
    return parts.compactMap(\.self).joined(separator: "-")
  }
}

/// Why a file does not have the requested part.
public enum TimeRangeError: Error, Hashable, Sendable {
  /// The part begins at or after the end of the audio; in seconds.
  case startsAtEnd(start: Double, length: Double)
  /// The part ends at or before its start; in seconds.
  case endsBeforeStart(start: Double, end: Double)
  /// The part begins before the previous one ends; in seconds.
  case overlap(start: Double, end: Double)
  /// No chapter has this number or title. `chapters` lists number and title of all chapters.
  case noSuchChapter(String, chapters: [String])
  /// Several chapters have this title.
  case severalChapters(String, chapters: [String])

  /// The ends of the part that may be at fault.
  var settings: [Remedy.Setting] {
    switch self {
    case .startsAtEnd: [.partStart]
    case .endsBeforeStart: [.partEnd]
    case .overlap, .noSuchChapter, .severalChapters: [.partStart, .partEnd]
    }
  }

  /// The cause, without the file's name.
  public var cause: String {
    switch self {
    case .startsAtEnd(let start, let length):
      "the part begins at \(Self.seconds(start)), but the audio is \(Self.seconds(length)) long"
    case .endsBeforeStart(let start, let end):
      "the part would end at \(Self.seconds(end)), which is not after its start at \(Self.seconds(start))"
    case .overlap(let start, let end):
      "the part that begins at \(Self.seconds(start)) overlaps the one that ends at \(Self.seconds(end))"
    case .noSuchChapter(let name, let chapters) where chapters.isEmpty:
      "it has no chapters, so there is no chapter \(name)"
    case .noSuchChapter(let name, let chapters):
      "it has no chapter \(name); its chapters are \(Self.list(chapters))"
    case .severalChapters(let name, let chapters):
      "\(name) is the title of several chapters: \(Self.list(chapters))"
    }
  }

  private static func list(_ chapters: [String]) -> String {
    let most = 30
    let more = chapters.count - most
    return chapters.prefix(most).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  /// `90.500 s`
  static func seconds(_ value: Double) -> String {
    guard let milliseconds = Int(exactly: (value * 1000).rounded()) else { return "\(value) s" }
    return "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst()) s"
  }
}

extension TimeRange {
  /// The frames of the part in a source, and whether the part extends beyond the end of the audio.
  func frames(
    of source: SourceDescription
  ) throws(TimeRangeError) -> (frames: Range<Int>, isCut: Bool) {
    let length = Double(source.frameCount)
    let rate = Double(source.spec.sampleRate)
    let first =
      try start.map { (start) throws(TimeRangeError) in try start.frame(in: source).start } ?? 0
    let last =
      try end.map { (end) throws(TimeRangeError) in try end.frame(in: source).end } ?? length
    let from = Int(min(max(0, first), length).rounded())
    let to = Int(min(max(0, last), length).rounded())
    if from >= source.frameCount {
      throw .startsAtEnd(start: first / rate, length: length / rate)
    }
    if to <= from { throw .endsBeforeStart(start: Double(from) / rate, end: max(0, last) / rate) }
    return (from..<to, last >= length + 1)
  }
}

extension TimePosition {
  /// The frame, as a start or as an end; not rounded, possibly outside the audio.
  fileprivate func frame(
    in source: SourceDescription
  ) throws(TimeRangeError) -> (start: Double, end: Double) {
    let length = Double(source.frameCount)
    let rate = source.spec.sampleRate
    let metadata = source.metadata
    let place: Double
    switch self {
    case .afterStart(let time): place = time.frames(at: rate)
    case .beforeEnd(let time): place = length - time.frames(at: rate)
    case .fraction(let fraction): place = length * fraction
    case .chapter(let number):
      guard metadata.chapters.indices.contains(number - 1) else {
        throw .noSuchChapter("\(number)", chapters: metadata.chapterNames)
      }
      return metadata.chapterSpan(number - 1, frameCount: source.frameCount)
    case .chapterTitled(let title):
      let wanted = title.lowercased()
      let titles = metadata.chapters.map { $0.title.lowercased() }
      var found = titles.indices.filter { titles[$0] == wanted }
      if found.isEmpty { found = titles.indices.filter { titles[$0].contains(wanted) } }
      guard let first = found.first else {
        throw .noSuchChapter(title, chapters: metadata.chapterNames)
      }
      if found.count > 1 {
        throw .severalChapters(title, chapters: found.map { metadata.chapterNames[$0] })
      }
      return metadata.chapterSpan(first, frameCount: source.frameCount)
    }
    return (place, place)
  }
}

extension Metadata {
  /// The chapters by number and title: `1 Intro`.
  fileprivate var chapterNames: [String] {
    chapters.enumerated().map { number, chapter in
      let title = String(chapter.title.map { $0.isNewline ? " " : $0 })
      return title.isEmpty ? "\(number + 1)" : "\(number + 1) \(title)"
    }
  }
}
