/// Text of unknown encoding.
package enum TagText {
  /// UTF-8 where it is valid, else Windows-1252, which old taggers wrote.
  package static func string(_ bytes: [UInt8]) -> String {
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
