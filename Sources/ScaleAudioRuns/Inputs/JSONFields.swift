internal import AudioIO
internal import SystemPackage

/// The fields of one JSON object as raw bytes, so that unknown ones can be copied unchanged.
///
/// Source: RFC 8259. A lone surrogate from U+DC80 to U+DCFF represents a byte of a name that is not UTF-8, as in
/// Python. If several fields have the same name, the last one counts.
struct JSONFields {
  /// A field: its name, and its value as raw JSON.
  struct Field {
    let name: String
    let value: ArraySlice<UInt8>
  }

  private(set) var fields: [Field] = []

  /// Parses an object; `nil` for any other bytes.
  init?(_ bytes: ArraySlice<UInt8>) {
    var scanner = JSONScanner(bytes)
    guard scanner.object({ fields.append(Field(name: $0, value: $1)) }), scanner.isAtEnd else {
      return nil
    }
  }

  /// The raw value of a field; `nil` if it is missing or null.
  func value(_ name: String) -> ArraySlice<UInt8>? {
    guard let value = fields.last(where: { $0.name == name })?.value,
      !value.elementsEqual(Self.null)
    else { return nil }
    return value
  }

  /// The bytes of a text; `nil` if the field is not a text.
  func text(_ name: String) -> [UInt8]? { value(name).flatMap(Self.text) }

  /// A path; `nil` if the field is not a text or is empty.
  func path(_ name: String) -> FilePath? {
    guard let bytes = text(name), !bytes.isEmpty, !bytes.contains(0) else { return nil }
    return FilePath(bytes: bytes)
  }

  /// A number; `nil` if the field is not a number.
  func number(_ name: String) -> Double? {
    value(name).flatMap { Double(String(decoding: $0, as: UTF8.self)) }
  }

  /// A whole number; `nil` if the field is not a whole number.
  func integer(_ name: String) -> Int? {
    value(name).flatMap { Int(String(decoding: $0, as: UTF8.self)) }
  }

  /// An object; `nil` if the field is not an object.
  func object(_ name: String) -> JSONFields? { value(name).flatMap { JSONFields($0) } }

  /// The raw values of an array; `nil` if the field is not an array.
  func array(_ name: String) -> [ArraySlice<UInt8>]? { value(name).flatMap(Self.elements) }

  /// The raw values of an array; `nil` for any other bytes.
  static func elements(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
    var scanner = JSONScanner(bytes)
    var values: [ArraySlice<UInt8>] = []
    guard scanner.array({ values.append($0) }), scanner.isAtEnd else { return nil }
    return values
  }

  /// The bytes of a raw text; `nil` for any other value.
  static func text(_ value: ArraySlice<UInt8>) -> [UInt8]? {
    var scanner = JSONScanner(value)
    guard let text = scanner.text(), scanner.isAtEnd else { return nil }
    return text
  }

  private static let null = Array("null".utf8)
}

/// Parses JSON byte by byte.
private struct JSONScanner {
  private let bytes: ArraySlice<UInt8>
  private var place: Int
  /// The current depth; values beyond ``maximumDepth`` are refused.
  private var depth = 0
  private static let maximumDepth = 64

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
    skipSpace()
  }

  var isAtEnd: Bool { place == bytes.endIndex }

  private var next: UInt8? { place < bytes.endIndex ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      place += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    skipSpace()
    return true
  }

  mutating func object(_ onField: (String, ArraySlice<UInt8>) -> Void) -> Bool {
    guard take(UInt8(ascii: "{")) else { return false }
    if take(UInt8(ascii: "}")) { return true }
    repeat {
      guard let name = text(), take(UInt8(ascii: ":")), let value = value() else { return false }
      onField(String(decoding: name, as: UTF8.self), value)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}"))
  }

  mutating func array(_ onValue: (ArraySlice<UInt8>) -> Void) -> Bool {
    guard take(UInt8(ascii: "[")) else { return false }
    if take(UInt8(ascii: "]")) { return true }
    repeat {
      guard let value = value() else { return false }
      onValue(value)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]"))
  }

  /// Any value, without the space around it.
  private mutating func value() -> ArraySlice<UInt8>? {
    let start = place
    guard depth < Self.maximumDepth, let first = next else { return nil }
    depth += 1
    defer { depth -= 1 }
    let isValue: Bool
    switch first {
    case UInt8(ascii: "{"): isValue = object { _, _ in }
    case UInt8(ascii: "["): isValue = array { _ in }
    case UInt8(ascii: "\""): isValue = text() != nil
    default: isValue = word()
    }
    guard isValue else { return nil }
    var end = place
    while end > start, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[end - 1]) { end -= 1 }
    return bytes[start..<end]
  }

  /// A number, `true`, `false` or `null`.
  private mutating func word() -> Bool {
    let start = place
    while let byte = next, !",]} \t\n\r".utf8.contains(byte) { place += 1 }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    skipSpace()
    guard let first = text.utf8.first else { return false }
    let isNumber =
      first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    // Python's json writes NaN and Infinity, which are copied.
    return isNumber
      ? Double(text) != nil || text == "-Infinity"
      : ["true", "false", "null", "NaN", "Infinity"].contains(text)
  }

  /// The decoded bytes of a text.
  mutating func text() -> [UInt8]? {
    guard next == UInt8(ascii: "\"") else { return nil }
    place += 1
    var text: [UInt8] = []
    while let byte = next {
      place += 1
      switch byte {
      case UInt8(ascii: "\""):
        skipSpace()
        return text
      case UInt8(ascii: "\\"):
        guard escape(&text) else { return nil }
      case 0..<0x20: return nil
      default: text.append(byte)
      }
    }
    return nil
  }

  private mutating func escape(_ text: inout [UInt8]) -> Bool {
    guard let byte = next else { return false }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      guard var code = unit() else { return false }
      if (0xDC80...0xDCFF).contains(code) {
        text.append(UInt8(code - 0xDC00))
        return true
      }
      if (0xD800...0xDBFF).contains(code) {
        guard take("\\u"), let low = unit(), (0xDC00...0xDFFF).contains(low) else { return false }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { return false }
      text += Array(String(scalar).utf8)
    default: return false
    }
    return true
  }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[place...].starts(with: text.utf8) else { return false }
    place += text.utf8.count
    return true
  }

  /// Four hexadecimal digits.
  private mutating func unit() -> UInt32? {
    let digits = bytes[place...].prefix(4)
    guard digits.count == 4,
      digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 })
    else { return nil }
    place += 4
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

/// Writes JSON objects with a few kinds of values, quickly.
struct JSONWriter {
  private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

  /// The whole object.
  func finished() -> [UInt8] { bytes + [UInt8(ascii: "}")] }

  mutating func add(_ name: String, _ value: some BinaryInteger) {
    raw(name, Array("\(value)".utf8)[...])
  }

  mutating func add(_ name: String, _ value: Double) {
    raw(name, Array(Self.number(value).utf8)[...])
  }

  mutating func add(_ name: String, _ path: FilePath) { raw(name, Self.text(path.bytes)[...]) }

  mutating func add(_ name: String, text: [UInt8]) { raw(name, Self.text(text)[...]) }

  /// Adds a value that is already JSON.
  mutating func raw(_ name: String, _ value: ArraySlice<UInt8>) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes += Self.text(Array(name.utf8))
    bytes.append(UInt8(ascii: ":"))
    bytes += value
  }

  /// An array of values that are already JSON.
  static func array(_ values: [[UInt8]]) -> [UInt8] {
    [UInt8(ascii: "[")] + Array(values.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "]")]
  }

  /// `1.5`, `3`
  static func number(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A text; bytes that are not UTF-8 are written as in Python: `\\udcff`.
  static func text(_ bytes: [UInt8]) -> [UInt8] {
    let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 < 0x80 && $0 != 0x22 && $0 != 0x5C }
    if isPlain { return [0x22] + bytes + [0x22] }
    var text: [UInt8] = [0x22]
    var rest = bytes[...]
    while let first = rest.first {
      let length = first < 0x80 ? 1 : max(1, min(4, (~first).leadingZeroBitCount))
      let sequence = rest.prefix(length)
      if first < 0x20 || first == 0x7F {
        text += Array("\\u00\(first < 16 ? "0" : "")\(String(first, radix: 16))".utf8)
      } else if first == 0x22 || first == 0x5C {
        text += [0x5C, first]
      } else if sequence.count == length, String(validating: sequence, as: UTF8.self) != nil {
        text += sequence
        rest = rest.dropFirst(length - 1)
      } else {
        text += Array("\\udc\(String(first, radix: 16))".utf8)
      }
      rest = rest.dropFirst()
    }
    return text + [0x22]
  }
}
