internal import AudioModel
internal import CSndFile

/// The ten text tags that libsndfile knows, under the names of Vorbis comments.
enum SndFileTags {
  private static let names: [(type: Int, name: String)] = [
    (SF_STR_TITLE, "TITLE"), (SF_STR_ARTIST, "ARTIST"), (SF_STR_ALBUM, "ALBUM"),
    (SF_STR_DATE, "DATE"), (SF_STR_TRACKNUMBER, "TRACKNUMBER"), (SF_STR_GENRE, "GENRE"),
    (SF_STR_COMMENT, "COMMENT"), (SF_STR_COPYRIGHT, "COPYRIGHT"), (SF_STR_LICENSE, "LICENSE"),
    (SF_STR_SOFTWARE, "ENCODER"),
  ]
  /// Other names that people use for the same.
  private static let synonyms = ["DESCRIPTION": "COMMENT", "YEAR": "DATE", "SOFTWARE": "ENCODER"]

  /// The tags of an open file.
  static func read(_ handle: SndFileHandle) -> Metadata {
    var comments: [Metadata.Comment] = []
    for (type, name) in names {
      guard let text = sf_get_string(handle.pointer, Int32(type)) else { continue }
      let bytes = UnsafeBufferPointer(start: text, count: strnlen(text)).map {
        UInt8(bitPattern: $0)
      }
      let value = TagText.string(bytes)
      if !value.isEmpty { comments.append(Metadata.Comment(name: name, value: value)) }
    }
    return Metadata(comments: comments)
  }

  /// Gives an open file what it can carry of the tags; must come before the audio.
  static func write(_ metadata: Metadata, to handle: SndFileHandle) {
    for (type, name) in names {
      let values = metadata.comments.filter { Self.name(of: $0) == name }
      if values.isEmpty { continue }
      // Several values of one field become one string, as in ID3v2.3.
      let text = values.map(\.value).joined(separator: "; ")
      // A format that has no place for this tag says so; `warnings(about:in:)` names it.
      _ = text.withCString { sf_set_string(handle.pointer, Int32(type), $0) }
    }
  }

  /// One warning that names what of the tags and pictures a format has no place for; none when it
  /// holds everything.
  static func warnings(about metadata: Metadata, in format: AudioFormat) -> [String] {
    let held = Self.held(by: format)
    var lost: [String] = metadata.pictures.isEmpty ? [] : ["pictures"]
    for comment in metadata.comments where !held.contains(name(of: comment)) {
      let tag = "tag \(name(of: comment))"
      if !lost.contains(tag) { lost.append(tag) }
    }
    return lost.isEmpty ? [] : ["not carried to the output: " + lost.joined(separator: ", ")]
  }

  /// The tags that libsndfile writes into a format: those that its `…_write_strings` functions name.
  private static func held(by format: AudioFormat) -> Set<String> {
    let all = Set(names.map(\.name))
    switch format.id {
    case "wav", "wavex", "rf64": return all.subtracting(["LICENSE"])
    case "aiff", "aifc": return ["TITLE", "ARTIST", "COMMENT", "COPYRIGHT", "ENCODER"]
    case "caf", "opus": return all
    default: return []
    }
  }

  /// The name of libsndfile's tag that a comment belongs to, or its own in upper case.
  private static func name(of comment: Metadata.Comment) -> String {
    let upper = comment.name.uppercased()
    return synonyms[upper] ?? upper
  }

  private static func strnlen(_ text: UnsafePointer<CChar>) -> Int {
    var count = 0
    while count < 1 << 20, text[count] != 0 { count += 1 }
    return count
  }
}

/// Text of unknown encoding.
enum TagText {
  /// UTF-8 where it is valid, else Windows-1252, which old taggers wrote.
  static func string(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map(scalar)))
  }

  /// Windows-1252 is Latin-1 but for 27 of the bytes 0x80 to 0x9F.
  private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    return Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)[
      Int(byte) - 0x80]
  }
}
