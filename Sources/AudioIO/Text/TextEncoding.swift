internal import Glibc

/// An encoding of text that the system's `iconv` knows, such as `CP1251`, `GBK` or `SHIFT_JIS`.
public struct TextEncoding: Hashable, Sendable {
  /// The name for `iconv`.
  public let name: String

  /// The encoding of this name; `nil` if the system does not know it.
  public init?(_ name: String) {
    let name = Self.iconvName(name)
    guard !name.isEmpty, !name.contains("/"), Self.converted([], from: name, to: "UTF-8") != nil
    else { return nil }
    self.name = name
  }

  /// The name that `iconv` has for one that people use: `MacRoman`, `shift-jis`, `windows1251`, `1251`.
  private static func iconvName(_ name: String) -> String {
    let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
    switch plain {
    case "macroman", "xmacroman": return "MACINTOSH"
    case "shiftjis": return "SHIFT_JIS"
    case "ansi": return "CP1252"
    default:
      let page = ["windows", "win"].first(where: plain.hasPrefix).map { plain.dropFirst($0.count) }
      let digits = page ?? plain[...]
      let isPage = digits.count >= 3 && digits.allSatisfy { $0.isASCII && $0.isNumber }
      return isPage ? "CP\(digits)" : name
    }
  }

  /// The encoding of a code page of Windows; `nil` for 0, which states none, and for unknown ones.
  package init?(codePage: Int) {
    switch codePage {
    case 0: return nil
    case 10000: self.init("MACINTOSH")
    case 20127: self.init("ASCII")
    case 20866: self.init("KOI8-R")
    case 28591...28606: self.init("ISO-8859-\(codePage - 28590)")
    case 51932: self.init("EUC-JP")
    case 51949: self.init("EUC-KR")
    case 54936: self.init("GB18030")
    case 65001: self.init("UTF-8")
    default: self.init("CP\(codePage)")
    }
  }

  /// The text that bytes are in this encoding; `nil` if they are invalid in it.
  package func text(_ bytes: some Sequence<UInt8>) -> String? {
    Self.converted(Array(bytes), from: name, to: "UTF-8").flatMap {
      String(validating: $0, as: UTF8.self)
    }
  }

  /// The bytes of a text in this encoding; `nil` if it lacks a character, or has one by which the encoding switches
  /// between sets, as ISO-2022-JP does by an escape.
  package func bytes(_ text: String) -> [UInt8]? {
    let bytes = Self.converted(Array(text.utf8), from: "UTF-8", to: name)
    return bytes.flatMap { self.text($0) == nil ? nil : $0 }
  }

  /// Bytes in another encoding; `nil` if that is unknown, or if it cannot express them.
  private static func converted(_ bytes: [UInt8], from: String, to: String) -> [UInt8]? {
    let converter = iconv_open(to, from)
    // The failure of `iconv_open` is -1 as a pointer.
    guard let converter, converter != UnsafeMutableRawPointer(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // UTF-8 has at most 4 bytes for one, and other encodings at most 4 for one of UTF-8; some add a mark or a shift.
    var output = [CChar](repeating: 0, count: 4 * bytes.count + 16)
    let left = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output -> Int? in
        var (next, place) = (input.baseAddress, output.baseAddress)
        var (count, room) = (input.count, output.count)
        guard iconv(converter, &next, &count, &place, &room) == 0, count == 0,
          iconv(converter, nil, nil, &place, &room) == 0
        else { return nil }
        return room
      }
    }
    return left.map { left in output.dropLast(left).map { UInt8(bitPattern: $0) } }
  }
}
