package import AudioIO
package import AudioModel
internal import CTagLib
package import SystemPackage

/// Writes tags through TagLib.
package enum TagWriter {
  /// The maximum size of an ID3v2 tag in bytes, a 28-bit number.
  private static let maximumBytes = 1 << 28 - 1

  /// An ID3v2.4 tag with all metadata that it can hold; empty if there is none.
  ///
  /// Pictures that exceed the size of a tag are omitted and listed in `notCarried`.
  package static func id3(
    of metadata: Metadata, spec: AudioSpec, frameCount: Int, notCarried: inout [MetadataLoss],
    path: FilePath
  ) throws(AudioFileError) -> [UInt8] {
    let tags = try TagLibTags(path: path)
    var room = maximumBytes / 2
    try tags.label(latin1: metadata.storedTexts?.latin1 ?? [])
    try tags.add(TagNames.written(metadata.comments, items: .id3), items: .id3)
    try tags.add(
      metadata.chapters, clock: TagClock(spec: spec, frameCount: frameCount))
    try tags.add(
      metadata.syncedLyrics, clock: TagClock(spec: spec, frameCount: frameCount))
    for picture in metadata.pictures {
      if picture.data.count < room {
        room -= picture.data.count
        try tags.add(picture)
      } else {
        notCarried.append(MetadataLoss(.picture, "a picture of \(picture.data.count) bytes"))
      }
    }
    return try tags.renderID3()
  }

  /// An APEv2 tag with all metadata that it can hold; empty if there is none.
  package static func ape(
    of metadata: Metadata, notCarried: inout [MetadataLoss], path: FilePath
  ) throws(AudioFileError) -> [UInt8] {
    let tags = try TagLibTags(path: path)
    // A name has 2 to 255 ASCII characters and is none of these.
    let (held, lost) = TagNames.written(metadata.comments, items: .ape).reduce(
      into: ([Metadata.Comment](), [Metadata.Comment]())
    ) { parts, comment in
      let isName =
        (2...255).contains(comment.name.utf8.count)
        && comment.name.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        && !["ID3", "TAG", "OGGS", "MP+"].contains(comment.name.uppercased())
      if isName { parts.0.append(comment) } else { parts.1.append(comment) }
    }
    try tags.add(held, items: .ape)
    notCarried += TagNames.grouped(lost).map { MetadataLoss(.tag, "tag \($0.name)") }
    var kinds: Set<UInt32> = []
    for picture in metadata.pictures {
      if picture.mimeType != "-->", kinds.insert(picture.type).inserted {
        try tags.add(picture)
      } else {
        notCarried.append(
          MetadataLoss(.picture, "a second picture of one type, or the URL of a picture"))
      }
    }
    if !metadata.syncedLyrics.isEmpty {
      notCarried.append(MetadataLoss(.lyrics, "synchronized lyrics"))
    }
    return try tags.renderAPE()
  }
}

/// Converts frames to the milliseconds of ID3v2, up to the end of the audio.
struct TagClock {
  let sampleRate: Int
  let end: UInt32

  init(spec: AudioSpec, frameCount: Int) {
    sampleRate = spec.sampleRate
    // Rounded down so that the end is within the audio.
    end =
      UInt32(
        exactly: (Double(frameCount) * 1000 / Double(spec.sampleRate)).rounded(.down))
      ?? .max - 1
  }

  func milliseconds(_ frames: Double) -> UInt32 {
    let exact = (frames * 1000 / Double(sampleRate)).rounded(.toNearestOrEven)
    guard exact > 0 else { return 0 }
    return min(end, UInt32(exactly: exact) ?? end)
  }
}

/// Tags in TagLib's representation, to be written.
private struct TagLibTags: ~Copyable {
  private let tags: OpaquePointer
  private let path: FilePath

  init(path: FilePath) throws(AudioFileError) {
    guard let tags = ctag_tags_new() else { throw .cannotWrite(path, .noMemory) }
    self.tags = tags
    self.path = path
  }

  deinit { ctag_tags_free(tags) }

  private func check(_ status: ctag_status) throws(AudioFileError) {
    switch status {
    case CTAG_OK: return
    case CTAG_NO_MEMORY: throw .cannotWrite(path, .noMemory)
    default: throw .encoderFailed(path, reason: "TagLib cannot write the tags")
    }
  }

  /// Adds texts to a kind of tag; items of other kinds do not exist in it.
  func add(
    _ comments: [Metadata.Comment], items kind: Metadata.Comment.Item.Kind
  ) throws(AudioFileError) {
    for comment in comments {
      let own = comment.itemName(in: kind)
      try check(
        withText(comment.name) { name in
          withText(comment.value) { value in
            withText(comment.language ?? "") { language in
              guard let own else { return ctag_add_text(tags, name, value, language, nil) }
              return withText(own) { item in
                withUnsafePointer(to: item) { ctag_add_text(tags, name, value, language, $0) }
              }
            }
          }
        })
    }
  }

  /// Labels texts Latin-1.
  func label(latin1 texts: Set<String>) throws(AudioFileError) {
    for text in texts { try check(withText(text) { ctag_label_latin1(tags, $0) }) }
  }

  func add(_ picture: Metadata.Picture) throws(AudioFileError) {
    try check(withPicture(picture) { ctag_add_picture(tags, $0) })
  }

  func add(_ chapters: [Metadata.Chapter], clock: TagClock) throws(AudioFileError) {
    for (index, chapter) in chapters.enumerated() {
      let next = index + 1 < chapters.count ? clock.milliseconds(chapters[index + 1].start) : nil
      let start = clock.milliseconds(chapter.start)
      let end = chapter.end.map { clock.milliseconds($0) } ?? next ?? clock.end
      let id = if case .element(let id) = chapter.id { id } else { "" }
      let status = withText(chapter.title) { title in
        withText(chapter.address ?? "") { address in
          withText(id) { id in
            let none = ctag_text(start: nil, count: 0)
            var item = ctag_chapter(
              id: id, start: start, end: max(start, end), title: title,
              address: chapter.address == nil ? none : address, picture: nil,
              is_hidden: chapter.isHidden ? 1 : 0)
            guard let picture = chapter.picture else { return ctag_add_chapter(tags, &item) }
            return withPicture(picture) {
              item.picture = $0
              return ctag_add_chapter(tags, &item)
            }
          }
        }
      }
      try check(status)
    }
  }

  func add(_ lyrics: [Metadata.SyncedLyrics], clock: TagClock) throws(AudioFileError) {
    for part in lyrics {
      // One buffer for all lines; each line is a range in it.
      let bytes = part.lines.flatMap { Array($0.text.utf8) }
      let status = bytes.withUnsafeBytes { buffer in
        var offset = 0
        let lines = part.lines.map { line in
          let count = line.text.utf8.count
          defer { offset += count }
          return ctag_line(
            time: clock.milliseconds(line.start),
            text: ctag_text(
              start: buffer.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) },
              count: count))
        }
        return withText(part.language) { language in
          withText(part.description) { description in
            lines.withUnsafeBufferPointer { lines in
              var item = ctag_lyrics(
                language: language, content_type: part.contentType, counts_mpeg_frames: 0,
                description: description, lines: lines.baseAddress, line_count: lines.count)
              return ctag_add_lyrics(tags, &item)
            }
          }
        }
      }
      try check(status)
    }
  }

  func renderID3() throws(AudioFileError) -> [UInt8] {
    var rendered: [UInt8] = []
    let status = withUnsafeMutablePointer(to: &rendered) { target in
      ctag_render_id3v2(tags, target) { context, bytes in
        context?.assumingMemoryBound(to: [UInt8].self).pointee = Array(
          UnsafeBufferPointer(start: bytes.start, count: bytes.count))
      }
    }
    try check(status)
    return rendered
  }

  func renderAPE() throws(AudioFileError) -> [UInt8] {
    var rendered: [UInt8] = []
    let status = withUnsafeMutablePointer(to: &rendered) { target in
      ctag_render_ape(tags, target) { context, bytes in
        context?.assumingMemoryBound(to: [UInt8].self).pointee = Array(
          UnsafeBufferPointer(start: bytes.start, count: bytes.count))
      }
    }
    try check(status)
    return rendered
  }

  private func withText(_ text: String, _ body: (ctag_text) -> ctag_status) -> ctag_status {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        body(ctag_text(start: $0.baseAddress, count: $0.count))
      }
    }
  }

  private func withPicture(
    _ picture: Metadata.Picture, _ body: (UnsafePointer<ctag_picture>) -> ctag_status
  ) -> ctag_status {
    withText(picture.mimeType) { mimeType in
      withText(picture.description) { description in
        picture.data.withUnsafeBufferPointer { data in
          var item = ctag_picture(
            type: picture.type, mime_type: mimeType, description: description,
            data: ctag_bytes(start: data.baseAddress, count: data.count))
          return body(&item)
        }
      }
    }
  }
}
