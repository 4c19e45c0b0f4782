package import AudioModel

/// One entry of a Vorbis comment header: `NAME=value` in UTF-8.
///
/// Source: Vorbis I specification, section 5; FLAC's VORBIS_COMMENT block holds the same.
package enum CommentField {
  /// The comment of an entry's bytes; `nil` when they are not UTF-8 or have no `=`.
  package static func comment(of bytes: UnsafeBufferPointer<UInt8>) -> Metadata.Comment? {
    guard let equals = bytes.firstIndex(of: 0x3D),
      let name = String(validating: bytes[..<equals], as: UTF8.self),
      let value = String(validating: bytes[(equals + 1)...], as: UTF8.self)
    else { return nil }
    return Metadata.Comment(name: name, value: value)
  }

  /// The bytes of a comment's entry; `nil` when its name is none.
  ///
  /// A name is one or more of the characters 0x20 to 0x7D without `=` (section 5.2.3). A description
  /// behind `COMMENT:` or the like that breaks this is left out.
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
}
