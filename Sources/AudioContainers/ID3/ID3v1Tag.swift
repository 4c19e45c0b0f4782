internal import AudioIO
internal import AudioModel
internal import CTagLib

/// The ID3v1 tag, the last 128 bytes of an MPEG audio file.
///
/// Its fields have 30 bytes without an encoding, so beside a tag with longer texts, they hold what a program made of
/// these texts. Only what cannot come from them says something else.
struct ID3v1Tag {
  private let bytes: [UInt8]
  /// The declared encoding of the texts.
  private let encoding: TextEncoding?

  /// A tag of 128 bytes; `nil` for other bytes.
  init?(_ bytes: [UInt8], encoding: TextEncoding? = nil) {
    guard bytes.count == 128, bytes.starts(with: Array("TAG".utf8)) else { return nil }
    self.encoding = encoding
    self.bytes = bytes
  }

  /// Version 1.1 stores the track number at the end of the comment, after a zero.
  private var track: UInt8? { bytes[125] == 0 && bytes[126] != 0 ? bytes[126] : nil }

  /// The bytes of the fields with a text, up to the first zero.
  private var texts: [(name: String, field: ArraySlice<UInt8>)] {
    [
      ("TITLE", 3..<33), ("ARTIST", 33..<63), ("ALBUM", 63..<93), ("DATE", 93..<97),
      ("COMMENT", 97..<(track == nil ? 127 : 125)),
    ].map { ($0, bytes[$1].prefix { $0 != 0 }) }
  }

  /// The fields that this tag adds to the file's other tags, and the names of those that contradict
  /// them.
  func contents(besides own: Metadata) -> TagContents {
    var contents = TagContents()
    func take(_ name: String, _ value: String, _ values: [String], _ agrees: (String) -> Bool) {
      if value.isEmpty || values.contains(where: agrees) { return }
      if own.values(name).isEmpty {
        contents.metadata.comments.append(Metadata.Comment(name: name, value: value))
      } else {
        contents.note(.tag, "\(name) of ID3v1")
      }
    }
    var unknown: Set<String> = []
    for (name, field) in texts {
      var values = own.values(name)
      // A comment with a description may be the first one that a program found.
      if name == "COMMENT" {
        values += own.comments.filter { $0.name.uppercased().hasPrefix("COMMENT:") }.map(\.value)
      }
      values += ["/", "; "].map { values.joined(separator: $0) }
      let (text, isOfUnknownEncoding) = self.text(field)
      if isOfUnknownEncoding { unknown.insert(text) }
      take(name, text, values) {
        name == "DATE" ? $0.contains(text) : FieldText(field).mayBe(of: $0)
      }
    }
    if let track {
      take("TRACKNUMBER", "\(track)", own.values("TRACKNUMBER")) {
        // A part of the number may be a side of a record: `A3`.
        let digits = $0.drop { !$0.isASCII || !$0.isNumber }.prefix { $0.isASCII && $0.isNumber }
        return Int(digits).map { UInt8(truncatingIfNeeded: $0) } == track
      }
    }
    contents.metadata.add(
      StoredTexts(labeledLatin1: unknown.intersection(contents.metadata.comments.map(\.value))))
    let genres = own.values("GENRE")
    take("GENRE", Self.genre(bytes[127]), genres) { _ in agrees(genres) }
    return contents
  }

  /// True if the genre's number is compatible with the names. Programs write 0 or 12 for a genre without a
  /// number.
  private func agrees(_ genres: [String]) -> Bool {
    let name = Self.genre(bytes[127]).lowercased()
    let names = genres.map { $0.lowercased() }
    if [0, 12].contains(bytes[127]) || names.contains(where: { $0.contains(name) }) { return true }
    let numbered = Set((UInt8.min...UInt8.max).map { Self.genre($0).lowercased() })
    return !names.contains { numbered.contains($0) }
  }

  /// The name of a genre; empty for an unassigned number.
  static func genre(_ number: UInt8) -> String {
    var genre = ""
    withUnsafeMutablePointer(to: &genre) { target in
      ctag_genre(Int32(number), target) { context, name in
        context?.assumingMemoryBound(to: String.self).pointee = String(
          decoding: UnsafeRawBufferPointer(start: name.start, count: name.count), as: UTF8.self)
      }
    }
    return genre
  }

  /// The text of a field; one that is hardly Windows-1252 in Latin-1, which keeps its bytes.
  private func text(_ field: ArraySlice<UInt8>) -> (text: String, isOfUnknownEncoding: Bool) {
    var bytes = Array(field)
    while bytes.last == 0x20 { bytes.removeLast() }
    if let text = encoding?.text(bytes) { return (text, false) }
    let text = TagText.string(bytes)
    guard Array(text.utf8) != bytes, StoredTexts.isMislabeled(text) else { return (text, false) }
    return (String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })), true)
  }
}

/// A text in a field of fixed size.
private struct FieldText {
  private let bytes: [UInt8]
  /// True if the text may be truncated: programs fill 28 to 30 bytes.
  private var isFull: Bool { bytes.count >= 28 }

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

  /// True if a program may have written a text, or the first of several in it, in this form.
  ///
  /// Characters of ASCII are as they are. Another one is its bytes in UTF-8 or a code page, `?`, a letter or sign like
  /// it, or nothing.
  func mayBe(of text: String) -> Bool {
    // The places in the field up to which the characters so far may reach.
    var places: Set<Int> = [0]
    for scalar in text.unicodeScalars {
      if isFull, places.contains(bytes.count) { return true }
      if ["/", ";", ",", "\n", "\r"].contains(scalar), places.contains(where: isEnd) {
        return true
      }
      places = Set(places.flatMap { after(scalar, at: $0) })
      if places.isEmpty { return false }
    }
    return places.contains(where: isEnd)
  }

  /// True if only spaces follow a position.
  private func isEnd(_ place: Int) -> Bool { bytes[place...].allSatisfy { $0 == 0x20 } }

  private func after(_ scalar: Unicode.Scalar, at place: Int) -> [Int] {
    let byte = place < bytes.count ? bytes[place] : nil
    if scalar == " " || scalar == "\n" || scalar == "\r" {
      // Programs remove spaces at the end, and join lines.
      let isJoined = scalar != " " && byte != nil && byte ?? 0 <= 0x20
      return byte == 0x20 || isJoined ? [place + 1] : byte == nil || scalar != " " ? [place] : []
    }
    if scalar.isASCII { return byte == UInt8(scalar.value) ? [place + 1] : [] }
    return [place] + utf8(scalar, at: place) + replaced(scalar, at: place)
  }

  /// The place after a character in UTF-8, of which the end of a full field may cut a part.
  private func utf8(_ scalar: Unicode.Scalar, at place: Int) -> [Int] {
    let code = Array(String(scalar).utf8)
    let rest = bytes[place...].prefix(code.count)
    let isWhole = rest.count == code.count
    return rest.elementsEqual(code.prefix(rest.count)) && (isWhole || isFull)
      ? [place + rest.count] : []
  }

  /// The places after what a program wrote for a character that it could not write.
  private func replaced(_ scalar: Unicode.Scalar, at place: Int) -> [Int] {
    // id3v2 writes the lower 7 bits of UTF-16.
    let units = String(scalar).utf16.map { UInt8(truncatingIfNeeded: $0) }
    let low = Set(units + units.map { $0 & 0x7F })
    let rest = bytes[place...]
    // Latin letters and signs have others that are like them: `ss`, `EUR`, `...`.
    if scalar.value < 0x250 || (0x2000..<0x2C00).contains(scalar.value) {
      return rest.prefix(3).indices.map { $0 + 1 }
    }
    let count = rest.prefix(2).prefix { $0 >= 0x80 || $0 == 0x3F || $0 == 0x5F || low.contains($0) }
      .count
    // The second byte of a character in Shift-JIS or GBK may be that of a letter.
    let isPair = rest.count > 1 && (rest.first ?? 0) >= 0x80
    return (0..<max(count, isPair ? 2 : 0)).map { place + $0 + 1 }
  }
}
