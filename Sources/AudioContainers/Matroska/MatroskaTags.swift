package import AudioIO
internal import AudioModel

extension AudioFormat.Container {
  package static let matroska = Self(
    "matroska",
    tags: { (input, _, reading) throws(AudioFileError) in
      let tags = try MatroskaTags(
        of: input, audioTrack: reading.audioTrack, sampleRate: reading.sampleRate,
        delay: reading.delay)
      reading.contents.complete(with: tags.contents)
    }, recognizes: { head in head.has([0x1A, 0x45, 0xDF, 0xA3]) })
}

/// The tags, chapters and attachments of Matroska and WebM.
///
/// libavformat keeps one value of a name, and one edition of the chapters.
///
/// Source: RFC 9559 sections 5.1.7 to 5.1.9; the meaning of tags by Matroska's tag specification.
struct MatroskaTags {
  private typealias Element = MatroskaElement.Part

  private(set) var contents = TagContents()
  private let sampleRate: Int
  /// Seconds of the timeline before the first frame.
  private let delay: Double
  private var tags: [Tag] = []
  private var segmentTitle = ""
  private var track = Track()

  private var elementCount = 0

  private static let maximumBytes = 16 << 20
  private static let maximumElements = 1 << 20
  /// The maximum depth of tags and chapters in others.
  private static let maximumDepth = 8

  private struct Track {
    var uid: UInt64 = 0
    var name = ""
  }

  /// A simple tag, at the level that it describes: 50 is an album, 30 a track.
  private struct Tag: Hashable {
    var level: Int
    var name: String
    var value: String
    var language: String
  }

  /// Reads the metadata of the audio track with this number among audio tracks, from 0.
  init(
    of input: borrowing InputFile, audioTrack: Int, sampleRate: Int, delay: Double
  ) throws(AudioFileError) {
    self.sampleRate = sampleRate
    self.delay = delay
    for segment in try elements(input, in: 0..<input.size)
    where segment.id == ID.segment {
      let parts = try elements(input, in: segment.content)
      for part in parts where part.id == ID.tracks {
        try readTrack(input, part, number: audioTrack)
      }
      for part in parts {
        switch part.id {
        case ID.information:
          for field in try elements(input, in: part.content)
          where field.id == ID.title {
            segmentTitle = try text(input, field)
          }
        case ID.tags:
          for tag in try elements(input, in: part.content) where tag.id == ID.tag {
            try readTag(input, tag)
          }
        case ID.chapters: try readChapters(input, part)
        case ID.attachments: try readAttachments(input, part)
        default: break
        }
      }
    }
    takeTags()
  }

  private mutating func readTrack(
    _ input: borrowing InputFile, _ list: Element, number: Int
  ) throws(AudioFileError) {
    var audioCount = 0
    for entry in try elements(input, in: list.content) where entry.id == ID.entry {
      let fields = try elements(input, in: entry.content)
      guard let type = fields.first(where: { $0.id == ID.type }), try type.number(in: input) == 2
      else { continue }
      if audioCount == number {
        for field in fields {
          if field.id == ID.trackUID { track.uid = try field.number(in: input) }
          if field.id == ID.trackName { track.name = try text(input, field) }
        }
      }
      audioCount += 1
    }
  }

  // MARK: Tags

  private mutating func readTag(
    _ input: borrowing InputFile, _ tag: Element
  ) throws(AudioFileError) {
    var level = 50
    var trackUIDs: [UInt64] = []
    let parts = try elements(input, in: tag.content)
    for targets in parts where targets.id == ID.targets {
      for field in try elements(input, in: targets.content) {
        let value = try field.number(in: input)
        switch field.id {
        case ID.level: level = Int(clamping: value)
        case ID.tagTrackUID: trackUIDs.append(value)
        case ID.tagEditionUID, ID.tagChapterUID, ID.tagAttachmentUID:
          if value != 0 { return contents.note(.chapter, "tags of chapters or attachments") }
        default: break
        }
      }
    }
    let isOfTrack = trackUIDs.allSatisfy { $0 == 0 || $0 == track.uid }
    let before = tags.count
    for part in parts where part.id == ID.simpleTag {
      try readSimpleTag(input, part, level: level, parent: "", depth: 0)
    }
    if !isOfTrack, tags.count > before {
      contents.note(.tag, "tags of other tracks")
      tags.removeSubrange(before...)
    }
  }

  private mutating func readSimpleTag(
    _ input: borrowing InputFile, _ element: Element, level: Int, parent: String, depth: Int
  ) throws(AudioFileError) {
    let parts = try elements(input, in: element.content)
    var tag = Tag(level: level, name: "", value: "", language: "")
    var isBinary = false
    for part in parts {
      switch part.id {
      case ID.tagName: tag.name = parent + (try text(input, part)).uppercased()
      case ID.tagText: tag.value = try text(input, part)
      case ID.tagLanguage: tag.language = try text(input, part)
      case ID.tagLanguageTag where tag.language.isEmpty: tag.language = try text(input, part)
      case ID.tagBinary: isBinary = !part.content.isEmpty
      default: break
      }
    }
    if tag.name.isEmpty || Self.isOfContainer(tag.name) { return }
    if isBinary { contents.note(.tag, "tag \(tag.name)") }
    if !tag.value.isEmpty, tags.count < TagContents.maximumCommentCount { tags.append(tag) }
    guard depth < Self.maximumDepth else { return }
    for part in parts where part.id == ID.simpleTag {
      try readSimpleTag(input, part, level: level, parent: tag.name + "/", depth: depth + 1)
    }
  }

  /// True if a tag describes the file or its stream, such as libavformat's and mkvmerge's statistics.
  private static func isOfContainer(_ name: String) -> Bool {
    let ignored = [
      "ENCODER", "DURATION", "CREATION_TIME", "HANDLER_NAME", "VENDOR_ID", "MAJOR_BRAND",
      "MINOR_VERSION", "COMPATIBLE_BRANDS",
    ]
    return ignored.contains(name)
      || ["_STATISTICS", "NUMBER_OF_", "BPS"].contains { name.hasPrefix($0) }
  }

  /// Takes the tags under the names of Vorbis comments.
  private mutating func takeTags() {
    let levels = Dictionary(grouping: tags, by: \.name).mapValues { Set($0.map(\.level)) }
    let names = Set(tags.map(\.name))
    var languages: [String: String] = [:]
    var seen: Set<Metadata.Comment> = []
    for tag in tags {
      var name = Self.names[tag.name] ?? tag.name
      let isAlsoOfTrack = tag.level > 30 && levels[tag.name]?.contains(30) == true
      if isAlsoOfTrack, let album = Self.albumNames[tag.name], !names.contains(album) {
        name = album
      } else if tag.name == "DATE_RELEASED", !names.contains("DATE") {
        name = "DATE"
      }
      // A text in another language than the first.
      let first = languages[name, default: tag.language]
      languages[name] = first
      if tag.language != first, !["", "und"].contains(tag.language) {
        name += "-" + tag.language.uppercased()
      }
      var comment = Metadata.Comment(name: name, value: tag.value)
      let isStated = tag.language == first && tag.language.utf8.count == 3
      if isStated, tag.language != "und" { comment.language = tag.language }
      if seen.insert(comment).inserted { contents.metadata.comments.append(comment) }
    }
    for (title, place) in [(track.name, "track"), (segmentTitle, "file")] where !title.isEmpty {
      let titles = contents.metadata.values("TITLE")
      if titles.isEmpty {
        contents.metadata.comments.append(Metadata.Comment(name: "TITLE", value: title))
      } else if !titles.contains(title), !contents.metadata.values("ALBUM").contains(title) {
        contents.note(.tag, "the title of the \(place)")
      }
    }
    TagNames.splitTotals(in: &contents.metadata.comments)
  }

  private static let names = [
    "PART_NUMBER": "TRACKNUMBER", "TOTAL_PARTS": "TRACKTOTAL", "LEAD_PERFORMER": "PERFORMER",
    "ALBUM_ARTIST": "ALBUMARTIST", "TRACK": "TRACKNUMBER", "DISC": "DISCNUMBER",
    "TITLE/SORT_WITH": "TITLESORT", "ARTIST/SORT_WITH": "ARTISTSORT", "PUBLISHER": "LABEL",
    "YEAR": "DATE", "ENCODED_BY": "ENCODED-BY",
  ]

  /// The names of an album's tags, if the track has tags of the same name.
  private static let albumNames = [
    "TITLE": "ALBUM", "ARTIST": "ALBUMARTIST", "PART_NUMBER": "DISCNUMBER",
    "TOTAL_PARTS": "DISCTOTAL",
  ]

  // MARK: Chapters

  private mutating func readChapters(
    _ input: borrowing InputFile, _ list: Element
  ) throws(AudioFileError) {
    let editions = try elements(input, in: list.content)
      .filter { $0.id == ID.edition }
    var chosen = 0
    for (index, edition) in editions.enumerated() {
      for field in try elements(input, in: edition.content)
      where field.id == ID.isDefault {
        if try field.number(in: input) == 1 { chosen = index }
      }
    }
    if editions.count > 1 { contents.note(.chapter, "chapters of other editions") }
    guard editions.indices.contains(chosen) else { return }
    let edition = try elements(input, in: editions[chosen].content)
    var isHidden = false
    for part in edition where part.id == ID.isHiddenEdition {
      isHidden = try part.number(in: input) == 1
    }
    for part in edition where part.id == ID.chapter {
      contents.metadata.chapters += try chapters(input, part, depth: 0, isHidden: isHidden)
    }
    contents.metadata.chapters.sort { $0.start < $1.start }
  }

  /// A chapter and those in it, as chapters that follow each other. Those in a hidden one are hidden too.
  private mutating func chapters(
    _ input: borrowing InputFile, _ element: Element, depth: Int, isHidden: Bool
  ) throws(AudioFileError) -> [Metadata.Chapter] {
    let fields = try elements(input, in: element.content)
    var isHidden = isHidden
    for field in fields {
      if field.id == ID.isHidden, try field.number(in: input) == 1 { isHidden = true }
      if field.id == ID.isEnabled, try field.number(in: input) == 0 { isHidden = true }
    }
    var start: Double?
    var end: Double?
    var titles: [String] = []
    var parts: [Metadata.Chapter] = []
    for part in fields {
      switch part.id {
      case ID.start: start = frame(nanoseconds: try part.number(in: input))
      case ID.end: end = frame(nanoseconds: try part.number(in: input))
      case ID.chapter where depth < Self.maximumDepth:
        contents.note(.chapter, "the nesting of chapters")
        parts += try chapters(input, part, depth: depth + 1, isHidden: isHidden)
      case ID.chapter: contents.note(.chapter, "nested chapters")
      case ID.display:
        for field in try elements(input, in: part.content)
        where field.id == ID.displayText {
          titles.append(try text(input, field))
        }
      default: break
      }
    }
    guard let start else { return parts }
    if titles.contains(where: { $0 != titles[0] }) {
      contents.note(.chapter, "chapter titles in other languages")
    }
    var chapter = Metadata.Chapter(
      start: start, end: end.flatMap { $0 > start ? $0 : nil }, title: titles.first ?? "")
    chapter.isHidden = isHidden
    if isHidden { return [chapter] + parts }
    let listed = parts.filter { !$0.isHidden }.sorted { $0.start < $1.start }
    return Self.flat(chapter, listed) + parts.filter(\.isHidden)
  }

  /// A chapter up to the first of its parts, and the parts. If the first one begins with the chapter, it has the titles
  /// of both, because two chapters at one time would be one without length.
  private static func flat(
    _ chapter: Metadata.Chapter, _ parts: [Metadata.Chapter]
  ) -> [Metadata.Chapter] {
    guard var first = parts.first else { return [chapter] }
    if first.start > chapter.start {
      var head = chapter
      head.end = first.start
      return [head] + parts
    }
    first.title = [chapter.title, first.title].filter { !$0.isEmpty }.joined(separator: ": ")
    return [first] + parts.dropFirst()
  }

  private func frame(nanoseconds: UInt64) -> Double {
    max(0, (Double(nanoseconds) / 1e9 - delay) * Double(sampleRate))
  }

  // MARK: Attachments

  private mutating func readAttachments(
    _ input: borrowing InputFile, _ list: Element
  ) throws(AudioFileError) {
    for file in try elements(input, in: list.content) where file.id == ID.file {
      var (name, type, description) = ("", "", "")
      var data: Range<Int>?
      for field in try elements(input, in: file.content) {
        switch field.id {
        case ID.fileName: name = try text(input, field)
        case ID.fileType: type = try text(input, field)
        case ID.fileDescription: description = try text(input, field)
        case ID.fileData: data = field.content
        default: break
        }
      }
      guard type.lowercased().hasPrefix("image/"), let data, data.count <= Self.maximumBytes else {
        contents.note(.attachment, "the attached file \(name.prefix(80))")
        continue
      }
      let isCover = contents.metadata.pictures.isEmpty || name.lowercased().hasPrefix("cover")
      contents.metadata.pictures.append(
        Metadata.Picture(
          type: isCover ? 3 : 0, mimeType: type, description: description,
          data: try input.bytes(at: data.lowerBound, count: data.count)))
    }
  }

  // MARK: Values

  /// The elements of a range, until very many have been read.
  private mutating func elements(
    _ input: borrowing InputFile, in range: Range<Int>
  ) throws(AudioFileError) -> [Element] {
    guard elementCount < Self.maximumElements else { return [] }
    let parts = try MatroskaElement.parts(input, in: range)
    elementCount += parts.count
    return parts
  }

  private func text(
    _ input: borrowing InputFile, _ element: Element
  ) throws(AudioFileError) -> String {
    let count = min(Self.maximumBytes, element.content.count)
    let bytes = try input.bytes(at: element.content.lowerBound, count: count)
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Identifiers of elements: RFC 9559, section 5.1.
  private enum ID {
    static let segment = MatroskaElement.ID.segment
    static let tracks = MatroskaElement.ID.tracks
    static let entry = MatroskaElement.ID.entry
    static let type = MatroskaElement.ID.type
    static let trackUID: UInt64 = 0x73C5
    static let trackName: UInt64 = 0x536E
    static let information: UInt64 = 0x1549_A966
    static let title: UInt64 = 0x7BA9
    static let tags: UInt64 = 0x1254_C367
    static let tag: UInt64 = 0x7373
    static let targets: UInt64 = 0x63C0
    static let level: UInt64 = 0x68CA
    static let tagTrackUID: UInt64 = 0x63C5
    static let tagEditionUID: UInt64 = 0x63C9
    static let tagChapterUID: UInt64 = 0x63C4
    static let tagAttachmentUID: UInt64 = 0x63C6
    static let simpleTag: UInt64 = 0x67C8
    static let tagName: UInt64 = 0x45A3
    static let tagLanguage: UInt64 = 0x447A
    static let tagLanguageTag: UInt64 = 0x447B
    static let tagText: UInt64 = 0x4487
    static let tagBinary: UInt64 = 0x4485
    static let chapters: UInt64 = 0x1043_A770
    static let edition: UInt64 = 0x45B9
    static let isDefault: UInt64 = 0x45DB
    static let isHiddenEdition: UInt64 = 0x45BD
    static let chapter: UInt64 = 0xB6
    static let isHidden: UInt64 = 0x98
    static let isEnabled: UInt64 = 0x4598
    static let start: UInt64 = 0x91
    static let end: UInt64 = 0x92
    static let display: UInt64 = 0x80
    static let displayText: UInt64 = 0x85
    static let attachments: UInt64 = 0x1941_A469
    static let file: UInt64 = 0x61A7
    static let fileDescription: UInt64 = 0x467E
    static let fileName: UInt64 = 0x466E
    static let fileType: UInt64 = 0x4660
    static let fileData: UInt64 = 0x465C
  }
}
