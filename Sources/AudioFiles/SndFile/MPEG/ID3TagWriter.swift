internal import AudioModel

/// Writes ID3v2.4 tags.
///
/// Source: "ID3 tag version 2.4.0", main structure and native frames.
enum ID3TagWriter {
  private static let frames: [String: String] = [
    "TITLE": "TIT2", "ARTIST": "TPE1", "ALBUM": "TALB", "ALBUMARTIST": "TPE2", "DATE": "TDRC",
    "YEAR": "TDRC", "TRACKNUMBER": "TRCK", "DISCNUMBER": "TPOS", "GENRE": "TCON",
    "COMPOSER": "TCOM", "COPYRIGHT": "TCOP", "ISRC": "TSRC", "ORGANIZATION": "TPUB",
    "ENCODER": "TSSE",
  ]
  private static let utf8: UInt8 = 3
  /// Sizes are 28 bits wide.
  private static let mostBytes = 1 << 28 - 1

  /// A tag with all comments and pictures; no bytes at all when there are none.
  static func tag(for metadata: Metadata) -> [UInt8] {
    var names: [String] = []
    for comment in metadata.comments {
      let name = comment.name.uppercased()
      if !names.contains(name) { names.append(name) }
    }
    var body = names.flatMap { textFrame($0, metadata.values($0)) }
    for picture in metadata.pictures {
      let frame = pictureFrame(picture)
      if body.count + frame.count < mostBytes { body += frame }
    }
    if body.isEmpty || body.count >= mostBytes { return [] }
    return Array("ID3".utf8) + [4, 0, 0] + size(body.count) + body
  }

  private static func textFrame(_ name: String, _ values: [String]) -> [UInt8] {
    if name == "COMMENT" || name == "DESCRIPTION" {
      // Language unknown, then an empty description.
      return values.flatMap { frame("COMM", [utf8] + Array("XXX".utf8) + [0] + Array($0.utf8)) }
    }
    // Several values are parted by a zero.
    let text = Array(values.map { Array($0.utf8.filter { $0 != 0 }) }.joined(separator: [0]))
    if let id = frames[name] { return frame(id, [utf8] + text) }
    return frame("TXXX", [utf8] + Array(name.utf8) + [0] + text)
  }

  private static func pictureFrame(_ picture: Metadata.Picture) -> [UInt8] {
    let head = [utf8] + Array(picture.mimeType.utf8) + [0, UInt8(truncatingIfNeeded: picture.type)]
    return frame("APIC", head + Array(picture.description.utf8) + [0] + picture.data)
  }

  private static func frame(_ id: String, _ content: [UInt8]) -> [UInt8] {
    Array(id.utf8) + size(content.count) + [0, 0] + content
  }

  private static func size(_ count: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) }
  }
}
