package import AudioIO
package import AudioModel
internal import FoundationEssentials

/// One entry of a Vorbis comment header: `NAME=value` in UTF-8.
///
/// Source: Vorbis I specification, section 5; FLAC's VORBIS_COMMENT block holds the same.
package enum CommentField {
  /// The comment in an entry; `nil` if it has no `=`, or no name in UTF-8. `decoder` gets a value that is not in UTF-8, or
  /// that its declared encoding also explains.
  package static func comment(
    of bytes: UnsafeBufferPointer<UInt8>, _ decoder: inout TextDecoder
  ) -> Metadata.Comment? {
    guard let equals = bytes.firstIndex(of: 0x3D),
      let name = String(validating: bytes[..<equals], as: UTF8.self)
    else { return nil }
    let value = bytes[(equals + 1)...]
    return Metadata.Comment(
      name: name,
      value: decoder.isUTF8(value) ? String(decoding: value, as: UTF8.self) : decoder.string(value))
  }

  /// The entry of a comment; `nil` if its name is invalid.
  ///
  /// A name is one or more of the characters 0x20 to 0x7D without `=` (section 5.2.3). An invalid description
  /// after `COMMENT:`, `LYRICS:`, or `URL:` is dropped.
  package static func bytes(of comment: Metadata.Comment) -> [UInt8]? {
    var name = Array(comment.name.utf8)
    func isName(_ name: [UInt8]) -> Bool {
      !name.isEmpty && name.allSatisfy { (0x20...0x7D).contains($0) && $0 != 0x3D }
    }
    if !isName(name), let colon = name.firstIndex(of: 0x3A),
      ["COMMENT", "LYRICS", "URL"].contains(String(decoding: name[..<colon], as: UTF8.self))
    {
      name.removeSubrange(colon...)
    }
    return isName(name) ? name + [0x3D] + Array(comment.value.utf8) : nil
  }

  /// The entries of all comments and pictures, and what they cannot hold.
  package static func entries(
    of metadata: Metadata
  ) -> (entries: [[UInt8]], notCarried: [MetadataLoss]) {
    var entries: [[UInt8]] = []
    var notCarried: [MetadataLoss] = []
    for comment in metadata.comments {
      if let entry = bytes(of: comment) {
        entries.append(entry)
      } else {
        notCarried.append(MetadataLoss(.tag, "tag \(comment.name.prefix(40))"))
      }
    }
    for picture in metadata.pictures {
      if let text = PictureBlock.base64(of: picture) {
        entries.append(Array("\(PictureBlock.field)=\(text)".utf8))
      } else {
        notCarried.append(MetadataLoss(.picture, "a picture of \(picture.data.count) bytes"))
      }
    }
    return (entries, notCarried)
  }
}

/// FLAC's picture block as a Vorbis comment: `METADATA_BLOCK_PICTURE`, in base64.
///
/// Source: RFC 9639 section 8.8 for the block; https://wiki.xiph.org/VorbisComment#Cover_art for the
/// comment.
package enum PictureBlock {
  /// The comment's name.
  package static let field = "METADATA_BLOCK_PICTURE"

  /// The picture in a comment's value; `nil` if it is not exactly one picture block in base64.
  package static func picture(base64 text: String) -> Metadata.Picture? {
    Data(base64Encoded: text).flatMap { picture(Array($0)) }
  }

  /// The picture in a block; `nil` if it is not exactly one.
  package static func picture(_ block: [UInt8]) -> Metadata.Picture? {
    var rest = block[...]
    guard let type = takeNumber(&rest), let mimeType = takeText(&rest),
      let description = takeText(&rest), let width = takeNumber(&rest),
      let height = takeNumber(&rest), let depth = takeNumber(&rest),
      let colors = takeNumber(&rest), let picture = takeBytes(&rest), rest.isEmpty
    else { return nil }
    return Metadata.Picture(
      type: type, mimeType: mimeType, description: description, width: width, height: height,
      depth: depth, colors: colors, data: Array(picture)
    ).withTypeOfData
  }

  /// The value of the comment for a picture; `nil` if a part exceeds 32 bits of length.
  package static func base64(of picture: Metadata.Picture) -> String? {
    let parts = [Array(picture.mimeType.utf8), Array(picture.description.utf8), picture.data]
    guard parts.allSatisfy({ UInt32(exactly: $0.count) != nil }) else { return nil }
    var block = Data()
    append(picture.type, to: &block)
    for part in parts.dropLast() { append(part, to: &block) }
    for number in [picture.width, picture.height, picture.depth, picture.colors] {
      append(number, to: &block)
    }
    append(picture.data, to: &block)
    return block.base64EncodedString()
  }

  private static func append(_ number: UInt32, to block: inout Data) {
    for shift in [24, 16, 8, 0] as [UInt32] {
      block.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  private static func append(_ bytes: [UInt8], to block: inout Data) {
    append(UInt32(truncatingIfNeeded: bytes.count), to: &block)
    block.append(contentsOf: bytes)
  }

  private static func takeNumber(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
    guard rest.count >= 4 else { return nil }
    let number = UInt32(rest.prefix(4).bigEndianValue)
    rest = rest.dropFirst(4)
    return number
  }

  private static func takeBytes(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let count = takeNumber(&rest), Int(count) <= rest.count else { return nil }
    let bytes = rest.prefix(Int(count))
    rest = rest.dropFirst(Int(count))
    return bytes
  }

  private static func takeText(_ rest: inout ArraySlice<UInt8>) -> String? {
    takeBytes(&rest).map { String(decoding: $0, as: UTF8.self) }
  }
}
