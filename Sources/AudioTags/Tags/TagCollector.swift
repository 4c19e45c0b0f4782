package import AudioModel
internal import CTagLib

/// Collects the fields of tags that TagLib parses.
final class TagCollector {
  private(set) var contents = TagContents()
  /// The maximum number of values to read: more are implausible, and slow to write.
  static let maximumCommentCount = 1 << 14
  private let sampleRate: Int
  private let framesPerMPEGFrame: Int?
  /// The kind of the tag that is being read, if its items have names of their own.
  private var itemKind: Metadata.Comment.Item.Kind?

  /// Times in tags become frames at `sampleRate` Hz; `framesPerMPEGFrame` converts times that count MPEG frames.
  init(sampleRate: Int, framesPerMPEGFrame: Int?) {
    self.sampleRate = sampleRate
    self.framesPerMPEGFrame = framesPerMPEGFrame
  }

  /// Reads a tag; a damaged one gives its readable part and a warning.
  func read(_ kind: ctag_kind, _ tag: [UInt8]) {
    itemKind =
      switch kind {
      case CTAG_ID3V2: .id3
      case CTAG_APE: .ape
      case CTAG_MP4: .mp4
      default: nil
      }
    var visitor = ctag_visitor()
    visitor.context = Unmanaged.passUnretained(self).toOpaque()
    visitor.text = { TagCollector.of($0)?.take(name: $1, value: $2, language: $3, item: $4) }
    visitor.picture = { context, picture in
      guard let picture, let collector = TagCollector.of(context) else { return }
      collector.contents.metadata.pictures.append(Metadata.Picture(picture.pointee))
    }
    visitor.chapter = { context, chapter in
      if let chapter { TagCollector.of(context)?.take(chapter.pointee) }
    }
    visitor.lyrics = { context, lyrics in
      if let lyrics { TagCollector.of(context)?.take(lyrics.pointee) }
    }
    visitor.unheld = { TagCollector.of($0)?.note($1) }
    let status = tag.withUnsafeBufferPointer { buffer in
      ctag_read(kind, ctag_bytes(start: buffer.baseAddress, count: buffer.count), &visitor)
    }
    if status != CTAG_OK { contents.warnings.append("a tag is damaged and was not read") }
    TagNames.splitTotals(in: &contents.metadata.comments)
    contents.metadata.chapters.sort { $0.start < $1.start }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> TagCollector? {
    context.map { Unmanaged<TagCollector>.fromOpaque($0).takeUnretainedValue() }
  }

  private func frames(milliseconds: UInt32) -> Double {
    Double(milliseconds) * Double(sampleRate) / 1000
  }

  private func take(
    name: ctag_text, value: ctag_text, language: ctag_text, item: UnsafePointer<ctag_text>?
  ) {
    let (name, value) = (String(name), String(value))
    if name.isEmpty || value.isEmpty { return }
    if contents.metadata.comments.count == Self.maximumCommentCount {
      contents.note("tags beyond the first \(Self.maximumCommentCount)")
      return
    }
    let language = String(language)
    var comment = Metadata.Comment(
      name: name, value: value, language: language.isEmpty ? nil : language)
    if let item, let itemKind { comment.item = .init(itemKind, String(item.pointee)) }
    contents.metadata.comments.append(comment)
  }

  private func take(_ chapter: ctag_chapter) {
    var item = Metadata.Chapter(
      start: frames(milliseconds: chapter.start),
      end: chapter.end > chapter.start && chapter.end != .max
        ? frames(milliseconds: chapter.end) : nil,
      title: String(chapter.title),
      address: chapter.address.start == nil ? nil : String(chapter.address),
      picture: chapter.picture.map { Metadata.Picture($0.pointee) })
    item.id = .element(String(chapter.id))
    contents.metadata.chapters.append(item)
  }

  private func take(_ lyrics: ctag_lyrics) {
    var unit = Double(sampleRate) / 1000
    if lyrics.counts_mpeg_frames != 0 {
      guard let framesPerMPEGFrame else {
        contents.note("synchronized lyrics that count MPEG frames")
        return
      }
      unit = Double(framesPerMPEGFrame)
    }
    let lines = UnsafeBufferPointer(start: lyrics.lines, count: lyrics.line_count).map {
      Metadata.SyncedLyrics.Line(start: Double($0.time) * unit, text: String($0.text))
    }
    contents.metadata.syncedLyrics.append(
      Metadata.SyncedLyrics(
        language: String(lyrics.language), contentType: lyrics.content_type,
        description: String(lyrics.description), lines: lines))
  }

  /// Display names of ID3v2 frames and similar items.
  private static let known: [String: String] = [
    "GEOB": "attached files (GEOB)", "PRIV": "private data (PRIV)",
    "PCNT": "a play counter (PCNT)", "ETCO": "event times (ETCO)", "MCDI": "a CD identifier (MCDI)",
    "OWNE": "ownership (OWNE)", "COMR": "an offer (COMR)", "RVA2": "RVA2", "RVAD": "RVAD",
    "CHAP": "nested chapters", "CTOC": "a nested table of contents",
    "CTOC title": "the title of the table of contents",
  ]

  private func note(_ name: ctag_text) {
    let name = String(name)
    let isPhrase = ["frames ", "items ", "a cut frame "].contains { name.hasPrefix($0) }
    contents.note(Self.known[name] ?? (isPhrase ? name : "tag \(name)"))
  }
}

extension String {
  fileprivate init(_ text: ctag_text) {
    self = String(
      decoding: UnsafeRawBufferPointer(
        start: text.start, count: text.start == nil ? 0 : text.count),
      as: UTF8.self)
  }
}

extension Metadata.Picture {
  fileprivate init(_ picture: ctag_picture) {
    let data = Array(UnsafeBufferPointer(start: picture.data.start, count: picture.data.count))
    self.init(
      type: picture.type, mimeType: String(picture.mime_type),
      description: String(picture.description), data: data)
  }
}

/// The content of the tags of a file.
package struct TagContents: Hashable, Sendable {
  package var metadata = Metadata()
  /// Content of the tags that `metadata` cannot hold, by display name, without duplicates.
  package var notCarried: [String] = []
  /// Warnings for the user.
  package var warnings: [String] = []

  package init() {}

  /// Notes content that `metadata` cannot hold.
  ///
  /// Only a damaged file has more than a hundred names; further ones are dropped.
  package mutating func note(_ name: String) {
    if notCarried.count < 100, !notCarried.contains(name) { notCarried.append(name) }
  }

  /// Notes the content of another tag that contradicts this one, which takes precedence.
  package mutating func noteOverridden(of other: TagContents, in place: String) {
    var own: [String: [String]] = [:]
    for comment in metadata.comments {
      own[comment.name.uppercased(), default: []].append(comment.value)
    }
    for comment in other.metadata.comments where !StaleTags.isTechnical(comment.name) {
      guard let values = own[comment.name.uppercased()] else { continue }
      if !Self.holds(comment, values) { note("\(comment.name) of \(place)") }
    }
    func adds<Item: Equatable>(_ items: [Item], to own: [Item]) -> Bool {
      !own.isEmpty && items.contains { !own.contains($0) }
    }
    if adds(other.metadata.pictures.map(\.data), to: metadata.pictures.map(\.data)) {
      note("pictures of \(place)")
    }
    if adds(other.metadata.chapters, to: metadata.chapters) { note("chapters of \(place)") }
    if adds(other.metadata.syncedLyrics, to: metadata.syncedLyrics) {
      note("synchronized lyrics of \(place)")
    }
  }

  /// True if a field's values include another tag's value, which may be joined or in Latin-1.
  private static func holds(_ comment: Metadata.Comment, _ values: [String]) -> Bool {
    let value = comment.value
    let joined = ["; ", "/", ", ", " / "].map { values.joined(separator: $0) }
    switch comment.name.uppercased() {
    case "DATE" where values.contains { $0.hasPrefix(value) || value.hasPrefix($0) }: return true
    case "TRACKNUMBER", "DISCNUMBER":
      func number(_ text: String) -> Int? { Int(text.prefix { $0 != "/" }) }
      if let own = number(value), values.contains(where: { number($0) == own }) { return true }
    default: break
    }
    return (values + joined).contains { own in
      let plain = String(
        String.UnicodeScalarView(own.unicodeScalars.map { $0.value < 256 ? $0 : "?" }))
      return own == value || plain == value
    }
  }

  /// Adds the content of another tag of the same file that this one lacks, and notes what contradicts it.
  ///
  /// `place` names the other tag; `nil` if both may differ in their forms of names.
  package mutating func complete(with other: TagContents, from place: String? = nil) {
    if let place { noteOverridden(of: other, in: place) }
    let own = Set(metadata.comments.map { $0.name.uppercased() })
    metadata.comments += other.metadata.comments.filter { !own.contains($0.name.uppercased()) }
    if metadata.pictures.isEmpty { metadata.pictures = other.metadata.pictures }
    if metadata.chapters.isEmpty { metadata.chapters = other.metadata.chapters }
    if metadata.syncedLyrics.isEmpty { metadata.syncedLyrics = other.metadata.syncedLyrics }
    if metadata.trackLanguage == nil { metadata.trackLanguage = other.metadata.trackLanguage }
    for name in other.notCarried { note(name) }
    warnings += other.warnings
  }
}
