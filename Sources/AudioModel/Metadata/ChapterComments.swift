extension Metadata {
  /// Chapters as Vorbis comments: `CHAPTER001=00:01:30.500`, `CHAPTER001NAME=…`, `CHAPTER001URL=…`.
  ///
  /// Source: Xiph.org wiki, "Chapter Extension".
  private enum ChapterField: Hashable {
    case start, name, address

    /// The field and the number in the name of a comment; `nil` for other names.
    static func field(
      of name: String
    ) -> (field: ChapterField, number: Int, digits: String)? {
      let upper = name.uppercased()
      guard upper.hasPrefix("CHAPTER") else { return nil }
      let rest = upper.dropFirst("CHAPTER".count)
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard (2...4).contains(digits.utf8.count), let number = Int(digits) else { return nil }
      switch rest.dropFirst(digits.count) {
      case "": return (.start, number, String(digits))
      case "NAME": return (.name, number, String(digits))
      case "URL": return (.address, number, String(digits))
      default: return nil
      }
    }
  }

  /// The maximum number of chapters: three digits number them.
  private static let maximumNumbers = 1000

  /// The metadata with chapter comments converted to chapters.
  ///
  /// Comments with an invalid time stay comments. If there are chapters already, all comments stay.
  package func takingChapterComments(sampleRate: Int) -> Metadata {
    guard chapters.isEmpty else { return self }
    var found: [Int: Chapter] = [:]
    for comment in comments {
      guard let (field, number, digits) = ChapterField.field(of: comment.name), field == .start,
        found[number] == nil, let seconds = Self.seconds(comment.value)
      else { continue }
      var chapter = Chapter(start: seconds * Double(sampleRate), title: "")
      chapter.id = .digits(digits)
      found[number] = chapter
    }
    if found.isEmpty { return self }
    var result = self
    result.comments.removeAll { comment in
      guard let (field, number, digits) = ChapterField.field(of: comment.name),
        found[number]?.id == .digits(digits)
      else { return false }
      switch field {
      case .start: break
      case .name: found[number]?.title = comment.value
      case .address: found[number]?.address = comment.value
      }
      return true
    }
    result.chapters = found.sorted { $0.key < $1.key }.map(\.value)
      .sorted { $0.start < $1.start }
    return result
  }

  /// The metadata with chapters converted to comments, as many as can be numbered.
  package func makingChapterComments(sampleRate: Int) -> Metadata {
    if chapters.isEmpty { return self }
    var result = self
    let numbers = chapters.compactMap { chapter in
      if case .digits(let digits) = chapter.id { digits } else { String?.none }
    }
    let keepsNumbers = Set(numbers).count == chapters.count
    let fields = chapters.prefix(Self.maximumNumbers).indices.map { index in
      "CHAPTER" + (keepsNumbers ? numbers[index] : String(String(1000 + index).suffix(3)))
    }
    // Comments that are not chapters stay, except in the place of one.
    let taken = Set(fields.flatMap { [$0, $0 + "NAME", $0 + "URL"] })
    let stale = Set(
      comments.filter { Self.seconds($0.value) != nil }
        .compactMap { ChapterField.field(of: $0.name)?.digits })
    result.comments.removeAll { comment in
      guard let field = ChapterField.field(of: comment.name) else { return false }
      return stale.contains(field.digits) || taken.contains(comment.name.uppercased())
    }
    for (chapter, field) in zip(chapters, fields) {
      let milliseconds = chapter.start * 1000 / Double(max(1, sampleRate))
      result.comments.append(Comment(name: field, value: Self.clock(milliseconds.rounded())))
      result.comments.append(Comment(name: field + "NAME", value: chapter.title))
      if let address = chapter.address {
        result.comments.append(Comment(name: field + "URL", value: address))
      }
    }
    result.chapters.removeFirst(min(chapters.count, Self.maximumNumbers))
    return result
  }

  /// True for the name of a comment with the start of a chapter. Programs carry such comments into ID3v2, MP4 and ASF,
  /// where no player knows them as chapters.
  static func isChapterStart(_ name: String) -> Bool {
    ChapterField.field(of: name)?.field == .start
  }

  /// The start of a chapter for audio of another length, in its form; `nil` if it is no time.
  static func chapterStart(_ text: String, _ scale: TimeScale) -> String? {
    var rest = TextUnits(text.utf16)[...]
    guard let time = ClockTime.take(from: &rest, .decimal), rest.trimmed.isEmpty, time.units >= 0
    else { return nil }
    var scaled: TextUnits = []
    time.scaled(scale).append(to: &scaled, withHours: true, padsHours: false)
    return String(decoding: scaled, as: UTF16.self)
  }

  /// The seconds of `HH:MM:SS.mmm`, where hours and the fraction are optional.
  private static func seconds(_ text: String) -> Double? {
    var units = TextUnits(text.utf16)[...]
    guard let time = ClockTime.take(from: &units, .decimal), units.trimmed.isEmpty, time.units >= 0
    else { return nil }
    return Double(time.units) / Double(time.resolution)
  }

  private static func clock(_ milliseconds: Double) -> String {
    let time = ClockTime(
      units: Int(exactly: milliseconds) ?? 0, hourWidth: 2, minuteWidth: 2,
      separator: [UInt16(ascii: ".")], fractionWidth: 3)
    var text: TextUnits = []
    time.append(to: &text, withHours: true)
    return String(decoding: text, as: UTF16.self)
  }
}
