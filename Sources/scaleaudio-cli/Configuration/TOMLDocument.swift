internal import CTOML

/// A value of a TOML document.
enum TOMLValue {
  /// In the order of the document.
  case table([TOMLEntry])
  case array([TOMLValue])
  case string(String)
  case integer(Int)
  case float(Double)
  case boolean(Bool)
  /// A date or a time.
  case time
}

/// A key of a table with its value.
struct TOMLEntry {
  let key: String
  /// From 1.
  let line: Int
  let value: TOMLValue

  /// The entries of a document; throws for bytes that are not TOML.
  static func parsed(_ bytes: [UInt8]) throws(TOMLFailure) -> [TOMLEntry] {
    var failure = ctoml_failure()
    let document = bytes.withUnsafeBytes {
      ctoml_parse($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, &failure)
    }
    guard let document else {
      let reason = withUnsafeBytes(of: &failure.reason) { $0.prefix { $0 != 0 }.map(\.self) }
      throw TOMLFailure(
        reason: String(decoding: reason, as: UTF8.self),
        line: failure.line > 0 ? Int(failure.line) : nil)
    }
    defer { ctoml_free(document) }
    return ctoml_root(document).map(entries) ?? []
  }

  private static func entries(_ table: OpaquePointer) -> [TOMLEntry] {
    let found = (0..<ctoml_count(table)).compactMap { (index) -> TOMLEntry? in
      var (count, line) = (0, UInt32(0))
      guard let key = ctoml_key(table, index, &count, &line), let child = ctoml_child(table, index)
      else { return nil }
      return TOMLEntry(key: text(key, count), line: Int(line), value: value(child))
    }
    return found.sorted { $0.line < $1.line }
  }

  private static func value(_ node: OpaquePointer) -> TOMLValue {
    switch ctoml_kind_of(node) {
    case CTOML_TABLE: return .table(entries(node))
    case CTOML_ARRAY:
      return .array((0..<ctoml_count(node)).compactMap { ctoml_child(node, $0).map(value) })
    case CTOML_STRING:
      var count = 0
      return .string(ctoml_string(node, &count).map { text($0, count) } ?? "")
    case CTOML_INTEGER: return .integer(Int(ctoml_integer(node)))
    case CTOML_FLOAT: return .float(ctoml_float(node))
    case CTOML_BOOLEAN: return .boolean(ctoml_boolean(node))
    default: return .time
    }
  }

  private static func text(_ start: UnsafePointer<CChar>, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }
}

/// Why bytes are not TOML.
struct TOMLFailure: Error {
  let reason: String
  /// From 1; `nil` if it is not known.
  let line: Int?
}
