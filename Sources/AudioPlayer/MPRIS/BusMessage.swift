internal import CSDBus

/// A value in a message of D-Bus.
enum BusValue: Equatable, Sendable {
  case bool(Bool)
  case double(Double)
  case integer(Int64)
  case string(String)
  case objectPath(String)
  case strings([String])
  /// Values of any type by name, in order.
  case dictionary([BusEntry])

  /// Its type in D-Bus's notation.
  var signature: String {
    switch self {
    case .bool: "b"
    case .double: "d"
    case .integer: "x"
    case .string: "s"
    case .objectPath: "o"
    case .strings: "as"
    case .dictionary: "a{sv}"
    }
  }
}

/// A value with its name.
struct BusEntry: Equatable, Sendable {
  let name: String
  let value: BusValue

  init(_ name: String, _ value: BusValue) {
    self.name = name
    self.value = value
  }
}

/// A message of D-Bus that is read or written value by value; its owner releases it.
struct BusMessage {
  let pointer: OpaquePointer

  var interface: String {
    sd_bus_message_get_interface(pointer).map { String(cString: $0) } ?? ""
  }
  var member: String {
    sd_bus_message_get_member(pointer).map { String(cString: $0) } ?? ""
  }

  // MARK: Reading; `nil` if the next value has another type

  func readString() -> String? { readText("s") }
  func readObjectPath() -> String? { readText("o") }

  private func readText(_ type: Unicode.Scalar) -> String? {
    var text: UnsafePointer<CChar>?
    guard read(type, &text), let text else { return nil }
    return String(cString: text)
  }

  func readInteger() -> Int64? {
    var value: Int64 = 0
    return read("x", &value) ? value : nil
  }

  private func readDouble() -> Double? {
    var value = 0.0
    return read("d", &value) ? value : nil
  }

  private func read(_ type: Unicode.Scalar, _ value: UnsafeMutableRawPointer) -> Bool {
    sd_bus_message_read_basic(pointer, CChar(type.value), value) > 0
  }

  /// A value of any type, if it is a number or a text.
  func readVariant() -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard sd_bus_message_peek_type(pointer, &type, &contents) > 0, let contents,
      sd_bus_message_enter_container(pointer, CChar(UInt8(ascii: "v")), contents) > 0
    else { return nil }
    defer { sd_bus_message_exit_container(pointer) }
    return switch String(cString: contents) {
    case "d": readDouble().map { .double($0) }
    case "s": readString().map { .string($0) }
    default: nil
    }
  }

  // MARK: Writing

  func append(_ value: BusValue) {
    switch value {
    case .bool(let value):
      var number: Int32 = value ? 1 : 0
      append("b", &number)
    case .double(var value): append("d", &value)
    case .integer(var value): append("x", &value)
    case .string(let text): text.withCString { append("s", $0) }
    case .objectPath(let text): text.withCString { append("o", $0) }
    case .strings(let texts):
      inside("a", "s") { for text in texts { append(.string(text)) } }
    case .dictionary(let entries):
      inside("a", "{sv}") {
        for entry in entries {
          inside("e", "sv") {
            append(.string(entry.name))
            appendVariant(entry.value)
          }
        }
      }
    }
  }

  func appendVariant(_ value: BusValue) { inside("v", value.signature) { append(value) } }

  private func append(_ type: Unicode.Scalar, _ value: UnsafeRawPointer) {
    sd_bus_message_append_basic(pointer, CChar(type.value), value)
  }

  private func inside(_ type: Unicode.Scalar, _ contents: String, _ body: () -> Void) {
    sd_bus_message_open_container(pointer, CChar(type.value), contents)
    body()
    sd_bus_message_close_container(pointer)
  }
}
