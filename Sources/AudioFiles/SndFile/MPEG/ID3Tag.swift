internal import AudioModel

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

  /// The tags of an ID3v1 tag in the last 128 bytes; none where there is none.
  static func version1(of input: borrowing InputFile) throws(AudioFileError) -> Metadata {
    let tag = try input.bytes(at: input.size - 128, count: 128)
    guard tag.count == 128, tag.starts(with: Array("TAG".utf8)) else { return Metadata() }
    let fields = [("TITLE", 3..<33), ("ARTIST", 33..<63), ("ALBUM", 63..<93), ("DATE", 93..<97)]
    var comments = fields.map { name, range in
      Metadata.Comment(name: name, value: text(tag[range]))
    }
    // Version 1.1 puts the track number at the end of the comment, behind a zero.
    let hasTrack = tag[125] == 0 && tag[126] != 0
    comments.append(
      Metadata.Comment(name: "COMMENT", value: text(tag[97..<(hasTrack ? 125 : 127)])))
    if hasTrack { comments.append(Metadata.Comment(name: "TRACKNUMBER", value: "\(tag[126])")) }
    return Metadata(comments: comments.filter { !$0.value.isEmpty })
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String {
    var bytes = Array(field.prefix { $0 != 0 })
    while bytes.last == 0x20 { bytes.removeLast() }
    return TagText.string(bytes)
  }

  /// Frames of ID3v2 that hold more than text, and what people call them.
  private static let frameNames: [String: String] = [
    "APIC": "pictures", "CHAP": "chapters", "CTOC": "chapters", "SYLT": "synchronized lyrics",
    "USLT": "lyrics", "GEOB": "attached files", "POPM": "ratings", "TXXX": "custom tags",
    "PIC": "pictures", "ULT": "lyrics", "TXX": "custom tags",
  ]

  /// One warning that names what of the ID3v2 tag in the first `count` bytes is not carried.
  static func attachments(
    of input: borrowing InputFile, count: Int
  ) throws(AudioFileError) -> String? {
    let head = try input.bytes(at: 0, count: 10)
    guard let size = byteCount(head), size <= count else { return nil }
    let idCount = head[3] == 2 ? 3 : 4
    var names: [String] = []
    var position = 10
    for _ in 0..<1024 where position + 10 <= size {
      let frame = try input.bytes(at: position, count: 10)
      guard frame.count == 10, frame[0] != 0 else { break }
      let id = String(decoding: frame[0..<idCount], as: UTF8.self)
      if let name = frameNames[id], !names.contains(name) { names.append(name) }
      // Version 2.4 counts in 7 bits a byte, 2.3 in 8, 2.2 in three bytes.
      let shift = head[3] == 4 ? 7 : 8
      let length = frame[idCount..<2 * idCount].reduce(0) { $0 << shift | Int($1) }
      position += (idCount == 3 ? 6 : 10) + length
    }
    return names.isEmpty ? nil : "not carried to the output: " + names.joined(separator: ", ")
  }
}
