package import AudioIO
internal import CTagLib

/// The extent of tags and padding after audio: ID3v1, ID3v2, APE, and Lyrics3.
package enum TrailingTag {
  /// The maximum number of tags to look for from the end of a file.
  private static let maximumCount = 8

  /// A kind of tag.
  package enum Kind: Hashable, Sendable {
    /// The last 128 bytes of ID3v1.
    case id3v1
    /// The 227 bytes with longer texts that precede some ID3v1 tags.
    case enhancedID3v1
    /// ID3v2 with a footer.
    case id3v2
    /// APE.
    case ape
    /// Lyrics3 of version 1 or 2.
    case lyrics3
  }

  /// A tag at the end of a file.
  package struct Place {
    /// The kind of tag.
    package let kind: Kind
    /// Its byte range, including header and footer.
    package let range: Range<Int>
  }

  /// The start of the tags at the end of a file; the size of the file if there are none.
  package static func start(of input: borrowing InputFile) throws(AudioFileError) -> Int {
    try places(of: input).last?.range.lowerBound ?? input.size
  }

  /// The tags at the end of a file, searched from its end, so that the last one comes first.
  package static func places(
    of input: borrowing InputFile
  ) throws(AudioFileError) -> [Place] {
    var places: [Place] = []
    var end = input.size
    for _ in 0..<maximumCount {
      guard let (kind, start) = try last(of: input, before: end, after: places.last?.kind)
      else { break }
      places.append(Place(kind: kind, range: start..<end))
      end = start
    }
    return places
  }

  /// The kind and the start of the tag that ends at `end`; `nil` if there is none.
  private static func last(
    of input: borrowing InputFile, before end: Int, after next: Kind?
  ) throws(AudioFileError) -> (Kind, Int)? {
    func has(_ text: String, _ offset: Int) throws(AudioFileError) -> Bool {
      try input.bytes(at: offset, count: text.utf8.count).elementsEqual(text.utf8)
    }
    if next == .id3v1, try has("TAG+", end - 227) { return (.enhancedID3v1, end - 227) }
    if try has("TAG", end - 128) { return (.id3v1, end - 128) }
    if try has("APETAGEX", end - 32) {
      let footer = try input.bytes(at: end - 32, count: 32)
      let size = Int(footer[12..<16].littleEndianValue)
      let start = end - size
      guard size >= 32, start >= 0 else { return nil }
      // Bit 31 declares a header; not every writer sets it.
      return (.ape, try has("APETAGEX", start - 32) ? start - 32 : start)
    }
    if let tag = try footedID3(of: input, before: end) { return (.id3v2, tag.lowerBound) }
    if try has("LYRICS200", end - 9), end >= 15 {
      let digits = try input.bytes(at: end - 15, count: 6)
      guard let size = Int(String(decoding: digits, as: UTF8.self)), size >= 0 else { return nil }
      let start = end - 15 - size
      return try has("LYRICSBEGIN", start) ? (.lyrics3, start) : nil
    }
    return nil
  }

  /// The ID3v2 tag with a footer that ends at `end`; `nil` if there is none.
  package static func footedID3(
    of input: borrowing InputFile, before end: Int
  ) throws(AudioFileError) -> Range<Int>? {
    var footer = try input.bytes(at: end - 10, count: 10)
    guard footer.starts(with: Array("3DI".utf8)) else { return nil }
    footer.replaceSubrange(0..<3, with: "ID3".utf8)
    guard let size = ID3Tag.byteCount(footer), size >= 20,
      try input.bytes(at: end - size, count: 3).elementsEqual("ID3".utf8)
    else { return nil }
    return end - size..<end
  }

  /// The end offset of the tag or padding that begins at `position`; `nil` if there is none.
  ///
  /// `end` is the latest possible end of the audio and its padding.
  static func end(
    in input: borrowing InputFile, at position: Int, before end: Int
  ) throws(AudioFileError) -> Int? {
    if let end = try endOfTag(in: input, at: position) { return end }
    // Some writers append zeros to the last frame.
    let next = try endOfZeros(in: input, from: position, to: end)
    if next == end { return next }
    guard next > position else { return nil }
    return try endOfTag(in: input, at: next) == nil ? nil : next
  }

  private static func endOfTag(
    in input: borrowing InputFile, at position: Int
  ) throws(AudioFileError) -> Int? {
    let head = try input.bytes(at: position, count: 32)
    func has(_ text: String) -> Bool { head.starts(with: Array(text.utf8)) }
    if let size = try ID3Tag.byteCount(of: input, at: position) { return position + size }
    // An enhanced ID3v1 tag precedes the plain one.
    if has("TAG+") { return position + 227 }
    if has("TAG") { return min(position + 128, input.size) }
    if has("APETAGEX"), head.count == 32 {
      // APE tag version 2: the size, little endian, includes the items and the footer, not the header.
      let size = Int(head[12..<16].littleEndianValue)
      return position + 32 + (head[23] & 0x20 != 0 ? size : 0)
    }
    return has("LYRICSBEGIN") ? try endOfLyrics(in: input, at: position) : nil
  }

  /// Lyrics3 tags end with a size and `LYRICS200` or `LYRICSEND`, before an ID3v1 tag.
  private static func endOfLyrics(
    in input: borrowing InputFile, at position: Int
  ) throws(AudioFileError) -> Int? {
    let bytes = try input.bytes(at: position, count: 65536)
    for end in ["LYRICS200", "LYRICSEND"] {
      let pattern = Array(end.utf8)
      let starts = bytes.indices.dropLast(min(bytes.count, pattern.count - 1))
      if let found = starts.first(where: { bytes[$0...].starts(with: pattern) }) {
        return position + found + pattern.count
      }
    }
    return nil
  }

  /// The offset of the first nonzero byte from `start` on, at most `end`.
  private static func endOfZeros(
    in input: borrowing InputFile, from start: Int, to end: Int
  ) throws(AudioFileError) -> Int {
    var position = start
    while position < end {
      let bytes = try input.bytes(at: position, count: min(65536, end - position))
      if let index = bytes.firstIndex(where: { $0 != 0 }) { return position + index }
      if bytes.isEmpty { return position }
      position += bytes.count
    }
    return end
  }
}

extension TagReading {
  /// Reads APEv2, ID3v2, and ID3v1 tags at the end of a file, in this order. ID3v2 tags are found there by their
  /// footer.
  mutating func takeTrailingTags(_ input: borrowing InputFile) throws(AudioFileError) {
    let places = try TrailingTag.places(of: input)
    for place in places where place.kind == .ape { try take(CTAG_APE, input, place.range) }
    for place in places where place.kind == .id3v2 { try take(CTAG_ID3V2, input, place.range) }
    for place in places {
      switch place.kind {
      case .ape, .id3v2: break
      case .id3v1:
        let tag = ID3v1Tag(
          try input.bytes(at: place.range.lowerBound, count: 128), encoding: input.tagEncoding)
        if let tag { contents.complete(with: tag.contents(besides: contents.metadata)) }
      case .enhancedID3v1: contents.note(.tag, "an enhanced ID3v1 tag")
      case .lyrics3: contents.note(.tag, "a Lyrics3 tag")
      }
    }
  }
}
