internal import AudioIO
internal import AudioModel
internal import CTagLib

/// Collects the fields of tags that TagLib parses.
final class TagCollector {
  private(set) var contents = TagContents()
  private let sampleRate: Int
  private let framesPerMPEGFrame: Int?
  /// The kind of the tag that is being read, if its items have names of their own.
  private var itemKind: Metadata.Comment.Item.Kind?
  /// The texts of ID3v2 that are labeled Latin-1 and not in UTF-8.
  private var latin1: Set<String> = []

  /// Times in tags become frames at `sampleRate` Hz; `framesPerMPEGFrame` converts times that count MPEG frames.
  init(sampleRate: Int, framesPerMPEGFrame: Int?) {
    self.sampleRate = sampleRate
    self.framesPerMPEGFrame = framesPerMPEGFrame
  }

  /// Reads a tag; a damaged one gives its readable part and a warning. Texts of ID3v2 that are labeled Latin-1 are read in
  /// `encoding` if it is given and they are valid in it, or in UTF-8 if they are valid in it.
  func read(_ kind: ctag_kind, _ tag: [UInt8], encoding: TextEncoding?) {
    itemKind =
      switch kind {
      case CTAG_ID3V2: .id3
      case CTAG_APE: .ape
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
    visitor.latin1 = { TagCollector.of($0)?.latin1.insert(String($1)) }
    visitor.unheld = { TagCollector.of($0)?.note($1) }
    let status = tag.withUnsafeBufferPointer { buffer in
      ctag_read(
        kind, ctag_bytes(start: buffer.baseAddress, count: buffer.count), encoding?.name, &visitor)
    }
    contents.metadata.add(StoredTexts(labeledLatin1: latin1))
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
    if contents.metadata.comments.count == TagContents.maximumCommentCount {
      contents.note(.tag, "tags beyond the first \(TagContents.maximumCommentCount)")
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
    item.isHidden = chapter.is_hidden != 0
    contents.metadata.chapters.append(item)
  }

  private func take(_ lyrics: ctag_lyrics) {
    var unit = Double(sampleRate) / 1000
    if lyrics.counts_mpeg_frames != 0 {
      guard let framesPerMPEGFrame else {
        contents.note(.lyrics, "synchronized lyrics that count MPEG frames")
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
    let kind: MetadataLoss.Kind =
      switch name {
      case "GEOB": .attachment
      case "CHAP", "CTOC", "CTOC title": .chapter
      default: .tag
      }
    contents.note(kind, Self.known[name] ?? (isPhrase ? name : "tag \(name)"))
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

extension TagReading {
  /// Reads a tag in a range of the file.
  mutating func take(
    _ kind: ctag_kind, _ input: borrowing InputFile, _ range: Range<Int>
  ) throws(AudioFileError) {
    guard range.count <= TagContents.maximumByteCount || input.size < TagContents.maximumByteCount
    else {
      contents.warnings.append(
        "ignored a tag of \(range.count) bytes, more than \(TagContents.maximumByteCount >> 20) MB")
      return
    }
    let collector = TagCollector(sampleRate: sampleRate, framesPerMPEGFrame: framesPerMPEGFrame)
    collector.read(
      kind, try input.bytes(at: range.lowerBound, count: range.count), encoding: input.tagEncoding)
    var place = kind == CTAG_APE ? "the APE tag" : "another tag"
    if kind == CTAG_ID3V2 {
      place = hasID3 ? "another ID3 tag" : "the ID3 tag"
      hasID3 = true
    }
    contents.complete(with: collector.contents, from: place)
  }
}
