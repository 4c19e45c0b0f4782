package import AudioModel

/// Decodes the texts of one file, and keeps the bytes of those that are not in UTF-8.
///
/// The encoding is the one that the user declares, else the one that the file declares, else UTF-8 if the bytes are valid
/// in it, else Windows-1252, which old taggers wrote most.
package struct TextDecoder: Sendable {
  private let declared: TextEncoding?
  /// The texts that are not in UTF-8; `nil` if there are none, and no chunk about them.
  package private(set) var stored: StoredTexts?

  /// A decoder of the texts of a kind of tag; `nil` for Vorbis comments. `characterSet` is the content of RIFF's `CSET` chunk.
  package init(
    _ kind: Metadata.Comment.Item.Kind?, declared: TextEncoding?, characterSet: [UInt8]? = nil
  ) {
    let codePage = characterSet.map { Int($0.prefix(2).littleEndianValue) }
    self.declared = declared ?? codePage.flatMap { TextEncoding(codePage: $0) }
    if let characterSet {
      stored = StoredTexts(kind: kind)
      stored?.characterSet = characterSet
      stored?.encoding = self.declared?.name
    }
    self.kind = kind
  }

  private let kind: Metadata.Comment.Item.Kind?

  /// The text of bytes; in tags whose texts a zero ends, up to the first one. `codePage` is the one that the text itself states; 0 if it states none.
  package mutating func string(_ bytes: some Sequence<UInt8>, codePage: Int = 0) -> String {
    let bytes = kind == nil ? Array(bytes) : Array(bytes.prefix { $0 != 0 })
    if bytes.allSatisfy({ $0 < 0x80 }), declared?.isASCIIBased ?? true, !switchesSets(bytes) {
      return String(decoding: bytes, as: UTF8.self)
    }
    let encodings = [TextEncoding(codePage: codePage), declared].compactMap(\.self)
    let text = encodings.lazy.compactMap { $0.text(bytes) }.first
    let isAssumed = text == nil && String(validating: bytes, as: UTF8.self) == nil
    let result = text ?? TagText.string(bytes)
    if Array(result.utf8) != bytes {
      var texts = stored ?? StoredTexts(kind: kind)
      texts.bytes[result] = bytes
      texts.encoding = declared?.name
      if isAssumed { texts.assumed.insert(result) }
      stored = texts
    }
    return result
  }

  /// True if bytes are valid in UTF-8 and not meant in the declared encoding: those of ISO-2022 are ASCII, too.
  package func isUTF8(_ bytes: some Sequence<UInt8>) -> Bool {
    let bytes = Array(bytes)
    return String(validating: bytes, as: UTF8.self) != nil && !switchesSets(bytes)
  }

  /// True if bytes switch between the character sets of the declared encoding, by an escape or a shift.
  private func switchesSets(_ bytes: [UInt8]) -> Bool {
    guard let declared, bytes.allSatisfy({ $0 < 0x80 }),
      bytes.contains(where: { $0 == 0x1B || $0 == 0x0E })
    else { return false }
    return declared.text(bytes).map { $0 != String(decoding: bytes, as: UTF8.self) } ?? false
  }
}

extension TextEncoding {
  /// True if bytes below 0x80 are ASCII, as in all encodings of tags that are common.
  fileprivate var isASCIIBased: Bool {
    text(0x20..<0x7F) == String(decoding: 0x20..<0x7F, as: UTF8.self)
  }
}
