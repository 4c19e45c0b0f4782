internal import AudioModel
internal import CTagLib

/// The extent of ID3 tags, which may stand around MPEG audio and FLAC.
enum ID3Tag {
  /// The bytes that an ID3v2 tag at the start of `head` takes; `nil` when there is none.
  ///
  /// Source: ID3v2.4 structure, section 3.1: the size is 4 bytes of 7 bits and leaves out the header
  /// and the footer, 10 bytes each.
  static func byteCount(_ head: [UInt8]) -> Int? {
    guard head.count >= 10, head.starts(with: Array("ID3".utf8)), head[3] < 0xFF, head[4] < 0xFF,
      head[6...9].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let size = head[6...9].reduce(0) { $0 << 7 | Int($1) }
    return 10 + size + (head[5] & 0x10 != 0 ? 10 : 0)
  }

  /// The byte behind the ID3v2 tags in front of a file: 0 where there are none.
  static func end(of input: borrowing InputFile) throws(AudioFileError) -> Int {
    var end = 0
    while let tag = byteCount(try input.bytes(at: end, count: 10)) { end += tag }
    return end
  }

  /// What an ID3v1 tag in the last 128 bytes says; `nil` where there is none.
  static func version1(
    of input: borrowing InputFile
  ) throws(AudioFileError) -> [Metadata.Comment]? {
    let tag = try input.bytes(at: input.size - 128, count: 128)
    guard tag.count == 128, tag.starts(with: Array("TAG".utf8)) else { return nil }
    let fields = [("TITLE", 3..<33), ("ARTIST", 33..<63), ("ALBUM", 63..<93), ("DATE", 93..<97)]
    var comments = fields.map { name, range in
      Metadata.Comment(name: name, value: text(tag[range]))
    }
    // Version 1.1 puts the track number at the end of the comment, behind a zero.
    let hasTrack = tag[125] == 0 && tag[126] != 0
    comments.append(
      Metadata.Comment(name: "COMMENT", value: text(tag[97..<(hasTrack ? 125 : 127)])))
    if hasTrack { comments.append(Metadata.Comment(name: "TRACKNUMBER", value: "\(tag[126])")) }
    comments.append(Metadata.Comment(name: "GENRE", value: genre(Int32(tag[127]))))
    return comments.filter { !$0.value.isEmpty }
  }

  /// The name of a genre by its number; empty where it has none.
  private static func genre(_ number: Int32) -> String {
    var genre = ""
    withUnsafeMutablePointer(to: &genre) { target in
      ctag_genre(number, target) { context, name in
        context?.assumingMemoryBound(to: String.self).pointee = String(
          decoding: UnsafeRawBufferPointer(start: name.start, count: name.count), as: UTF8.self)
      }
    }
    return genre
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String {
    var bytes = Array(field.prefix { $0 != 0 })
    while bytes.last == 0x20 { bytes.removeLast() }
    return TagText.string(bytes)
  }
}
