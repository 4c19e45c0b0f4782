internal import AudioIO
package import AudioModel

/// Chunks of plain text: RIFF's `LIST INFO`, AIFF's text chunks, and CAF's `info`.
package enum TextChunks {
  /// Sub-chunks of `LIST INFO`. Source: Microsoft, "Multimedia Data Standards Update" (1994), and for
  /// the track number the practice of Windows and TagLib.
  private static let infoNames: [(id: String, name: String)] = [
    ("INAM", "TITLE"), ("IART", "ARTIST"), ("IPRD", "ALBUM"), ("ICRD", "DATE"), ("IGNR", "GENRE"),
    ("ICMT", "COMMENT"), ("ICOP", "COPYRIGHT"), ("IPRT", "TRACKNUMBER"), ("ISFT", "ENCODER"),
    ("IENG", "ENGINEER"), ("ITCH", "ENCODEDBY"), ("IKEY", "KEYWORDS"), ("ISBJ", "SUBJECT"),
    ("ISRC", "SOURCE"), ("IMED", "MEDIA"), ("ILNG", "LANGUAGE"), ("IMUS", "COMPOSER"),
    ("IWRI", "LYRICIST"), ("IPRO", "PRODUCER"),
  ]
  /// Synonyms, which are read but not written.
  private static let infoSynonyms = ["ITRK": "TRACKNUMBER", "TRCK": "TRACKNUMBER", "IALB": "ALBUM"]
  /// Source: Apple, "Audio Interchange File Format AIFF-C" (1991), section 14.
  private static let aiffNames: [(id: String, name: String)] = [
    ("NAME", "TITLE"), ("AUTH", "ARTIST"), ("(c) ", "COPYRIGHT"), ("ANNO", "COMMENT"),
  ]
  /// Source: Apple, "Core Audio Format Specification 1.0", information chunk.
  private static let cafNames: [(id: String, name: String)] = [
    ("title", "TITLE"), ("artist", "ARTIST"), ("album", "ALBUM"), ("year", "DATE"),
    ("genre", "GENRE"), ("comments", "COMMENT"), ("copyright", "COPYRIGHT"),
    ("track number", "TRACKNUMBER"), ("encoding application", "ENCODER"), ("composer", "COMPOSER"),
    ("lyricist", "LYRICIST"), ("tempo", "BPM"), ("key signature", "INITIALKEY"),
  ]
  private static let maximumBytes = 1 << 24

  // MARK: Reading

  /// The comments in the text chunks among `chunks`.
  static func comments(
    _ input: borrowing InputFile, _ chunks: [TagChunk], _ layout: ChunkWalker.Grammar,
    _ texts: inout TextDecoder
  ) throws(AudioFileError) -> [Metadata.Comment] {
    var comments: [Metadata.Comment] = []
    for chunk in chunks where chunk.content.count <= maximumBytes {
      switch layout {
      case .riff, .riffBigEndian:
        guard chunk.name == "LIST", chunk.content.count >= 4,
          try input.bytes(at: chunk.content.lowerBound, count: 4).elementsEqual("INFO".utf8)
        else { continue }
        let inside = chunk.content.lowerBound + 4..<chunk.content.upperBound
        for part in try ChunkWalker.list(input, in: inside, layout) {
          let name =
            infoNames.first { $0.id == part.name }?.name ?? infoSynonyms[part.name]
            ?? "INFO:\(part.name)"
          comments += try comment(name, input, part, item: .info, &texts)
        }
      case .iff:
        guard let name = aiffNames.first(where: { $0.id == chunk.name })?.name else { continue }
        comments += try comment(name, input, chunk, item: .iff, &texts)
      case .caf where chunk.name == "info":
        comments += information(
          try input.bytes(at: chunk.content.lowerBound, count: chunk.content.count), &texts)
      default: continue
      }
    }
    return comments
  }

  private static func comment(
    _ name: String, _ input: borrowing InputFile, _ chunk: TagChunk,
    item kind: Metadata.Comment.Item.Kind, _ texts: inout TextDecoder
  ) throws(AudioFileError) -> [Metadata.Comment] {
    let bytes = try input.bytes(at: chunk.content.lowerBound, count: chunk.content.count)
    let value = texts.string(bytes)
    var comment = Metadata.Comment(name: name, value: value)
    comment.item = .init(kind, chunk.name)
    return value.isEmpty ? [] : [comment]
  }

  /// The comments in CAF's `info`: a count, then pairs of zero-terminated texts.
  private static func information(
    _ bytes: [UInt8], _ decoder: inout TextDecoder
  ) -> [Metadata.Comment] {
    let texts = bytes.dropFirst(4).split(separator: 0, omittingEmptySubsequences: false)
    var comments: [Metadata.Comment] = []
    for index in stride(from: 0, to: texts.count - 1, by: 2) {
      let key = decoder.string(texts[index])
      let value = decoder.string(texts[index + 1])
      if key.isEmpty || value.isEmpty { continue }
      let name = cafNames.first { $0.id == key.lowercased() }?.name
      var comment = Metadata.Comment(name: name ?? key.uppercased(), value: value)
      comment.item = .init(.caf, key)
      comments.append(comment)
    }
    return comments
  }

  /// The comments in a text without a name: lines of `name=value`, as libavformat writes them in AU, or one comment.
  package static func unnamed(_ text: String) -> [Metadata.Comment] {
    if text.allSatisfy(\.isWhitespace) { return [] }
    // SoX writes it unless there is a comment.
    if text == "Processed by SoX" { return [Metadata.Comment(name: "ENCODER", value: text)] }
    let names = ["title", "artist", "album", "track", "genre"]
    let lines = text.split(separator: "\n").map {
      $0.split(separator: "=", maxSplits: 1).map(String.init)
    }
    guard lines.allSatisfy({ $0.count == 2 && names.contains($0[0].lowercased()) }) else {
      return [Metadata.Comment(name: "COMMENT", value: text)]
    }
    return lines.map { line in
      let name = line[0].uppercased()
      return Metadata.Comment(name: name == "TRACK" ? "TRACKNUMBER" : name, value: line[1])
    }
  }

  // MARK: Writing

  /// The content of a `LIST INFO` chunk with the comments it can hold; `nil` if there are none. Several values
  /// of a field are joined.
  package static func info(_ metadata: Metadata) -> [UInt8]? {
    var list = ByteWriter(isBigEndian: false)
    list.append("INFO")
    for (item, name, values) in joined(metadata.comments, items: .info) {
      let id = item ?? infoNames.first { $0.name == name }?.id ?? ownID(name)
      guard let id else { continue }
      let text = metadata.bytes(of: values, in: .info).filter { $0 != 0 } + [0]
      list.append(Chunk(name: id, content: text))
    }
    return list.bytes.count > 4 ? list.bytes : nil
  }

  /// True if `LIST INFO` can hold all of the metadata.
  package static func infoHolds(_ metadata: Metadata) -> Bool {
    let written = TagNames.written(metadata.comments, items: .info)
    let groups = TagNames.grouped(written.filter { !$0.isItem(of: .info) })
    return metadata.pictures.isEmpty && metadata.chapters.isEmpty && metadata.syncedLyrics.isEmpty
      && groups.allSatisfy { name, comments in
        comments.count == 1 && comments[0].language == nil && !comments[0].isItem(of: .id3)
          && (infoNames.contains { $0.name == name } || ownID(name) != nil)
      }
  }

  /// AIFF's text chunks with the comments they can hold.
  package static func aiff(_ metadata: Metadata) -> [Chunk] {
    joined(metadata.comments, items: .iff).compactMap { item, name, values in
      guard let id = item ?? aiffNames.first(where: { $0.name == name })?.id, !id.hasPrefix("COMT")
      else {
        return nil
      }
      return Chunk(name: id, content: metadata.bytes(of: values, in: .iff))
    }
  }

  /// The content of CAF's `info` chunk, which can hold any name; `nil` if there are no comments.
  package static func caf(_ metadata: Metadata) -> [UInt8]? {
    let pairs = joined(metadata.comments, items: .caf).map { item, name, values in
      let key = item ?? cafNames.first { $0.name == name }?.id ?? name.lowercased()
      return Array("\(key)\0".utf8) + metadata.bytes(of: values, in: .caf).filter { $0 != 0 } + [0]
    }
    guard !pairs.isEmpty else { return nil }
    return pairs.count.bigEndianBytes(4) + pairs.flatMap { $0 }
  }

  /// The values of each field, joined except those from items of the same kind of chunk. Of AIFF's text chunks, only
  /// annotations may be repeated.
  private static func joined(
    _ comments: [Metadata.Comment], items kind: Metadata.Comment.Item.Kind
  ) -> [(item: String?, name: String, values: String)] {
    let groups = TagNames.grouped(TagNames.written(comments, items: kind))
    return groups.flatMap { name, comments in
      var parts: [(item: String?, name: String, values: String)] = []
      var place: Int?
      for comment in comments {
        if let item = comment.itemName(in: kind) {
          parts.append((item, name, comment.value))
        } else if let place, kind != .iff || name != "COMMENT" {
          parts[place].values += "; " + comment.value
        } else {
          place = parts.count
          parts.append((nil, name, comment.value))
        }
      }
      return parts
    }
  }

  private static func ownID(_ name: String) -> String? {
    guard name.hasPrefix("INFO:") else { return nil }
    let id = name.dropFirst("INFO:".count)
    return id.utf8.count == 4 ? String(id) : nil
  }
}

extension TextDecoder {
  /// A decoder of the texts in the chunks of a file.
  init(
    of input: borrowing InputFile, _ header: ContainerHeader?, _ kind: Metadata.Comment.Item.Kind
  ) throws(AudioFileError) {
    var characterSet: [UInt8]?
    if kind == .info, let place = header?.chunks.first(where: { $0.name == "CSET" }) {
      characterSet = try input.bytes(at: place.offset, count: min(max(0, place.size), 8))
    }
    self.init(kind, declared: input.tagEncoding, characterSet: characterSet)
  }
}

extension Metadata {
  /// The bytes of a text in a kind of tag: as the source stores them, else in the encoding that its `CSET` chunk declares,
  /// else UTF-8.
  func bytes(of text: String, in kind: Comment.Item.Kind) -> [UInt8] {
    let utf8 = Array(text.utf8)
    guard let stored = storedTexts, stored.kind == kind else { return utf8 }
    if let bytes = stored.bytes[text] { return bytes }
    guard stored.characterSet != nil, let encoding = stored.encoding else { return utf8 }
    return TextEncoding(encoding)?.bytes(text) ?? utf8
  }

  /// The same up to the first zero, and a zero.
  func terminatedBytes(of text: String, in kind: Comment.Item.Kind) -> [UInt8] {
    Array(bytes(of: text, in: kind).prefix { $0 != 0 }) + [0]
  }

  /// The metadata for an ID3 tag beside chunks: without texts in an unknown encoding, which the chunks hold.
  func withoutAssumedTexts(in kind: Comment.Item.Kind) -> Metadata {
    guard let stored = storedTexts, stored.kind == kind, !stored.assumed.isEmpty else {
      return self
    }
    var known = self
    known.comments.removeAll { $0.isItem(of: kind) && stored.assumed.contains($0.value) }
    return known
  }
}
