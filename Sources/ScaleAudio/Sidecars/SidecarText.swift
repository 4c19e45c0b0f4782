internal import AudioIO
internal import AudioModel

/// The content of a text file in UTF-16 or an extension of ASCII.
///
/// UTF-16 is recognized by its byte order mark. Other text is processed byte by byte: syntax is ASCII, and
/// everything else, in UTF-8, Latin-1 or another encoding, passes through.
struct SidecarText {
  private enum Encoding { case bytes, utf16(isBigEndian: Bool) }

  /// The text without its byte order mark.
  let units: TextUnits
  private let encoding: Encoding
  private let mark: [UInt8]
  /// True for UTF-8, ASCII included.
  private let isUTF8: Bool

  /// `nil` for UTF-16 that ends within a code unit.
  init?(_ bytes: [UInt8]) {
    let marks: [([UInt8], Encoding)] = [
      ([0xEF, 0xBB, 0xBF], .bytes), ([0xFF, 0xFE], .utf16(isBigEndian: false)),
      ([0xFE, 0xFF], .utf16(isBigEndian: true)),
    ]
    (mark, encoding) = marks.first { bytes.starts(with: $0.0) } ?? ([], .bytes)
    let content = bytes[mark.count...]
    switch encoding {
    case .bytes:
      units = content.map { UInt16($0) }
      isUTF8 = String(validating: content, as: UTF8.self) != nil
    case .utf16(let isBigEndian):
      guard content.count % 2 == 0 else { return nil }
      units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
        let pair = content[$0..<$0 + 2]
        return UInt16(isBigEndian ? pair.bigEndianValue : pair.littleEndianValue)
      }
      isUTF8 = false
    }
  }

  /// The bytes of another text in the same encoding, with the same byte order mark.
  func encoded(_ units: TextUnits) -> [UInt8] {
    switch encoding {
    case .bytes: mark + units.map { UInt8(truncatingIfNeeded: $0) }
    case .utf16(let isBigEndian):
      mark
        + units.flatMap { unit in
          let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
          return isBigEndian ? [high, low] : [low, high]
        }
    }
  }

  /// A file name in the encoding of this text.
  func units(ofName name: [UInt8]) -> TextUnits {
    switch encoding {
    case .utf16: return Array(String(decoding: name, as: UTF8.self).utf16)
    case .bytes:
      // Text that is not UTF-8 is most likely Latin-1.
      if !isUTF8, let text = String(validating: name, as: UTF8.self),
        text.unicodeScalars.allSatisfy({ $0.value < 256 })
      {
        return text.unicodeScalars.map { UInt16($0.value) }
      }
      return name.map { UInt16($0) }
    }
  }
}
