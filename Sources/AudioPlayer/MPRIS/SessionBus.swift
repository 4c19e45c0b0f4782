internal import CSDBus
internal import CSDBusLoader
import Glibc

/// An error that a call over D-Bus is answered with.
struct BusError: Error {
  let name: String
  let message: String

  static func invalid(_ message: String) -> BusError {
    BusError(name: "org.freedesktop.DBus.Error.InvalidArgs", message: message)
  }
  static func unsupported(_ message: String) -> BusError {
    BusError(name: "org.freedesktop.DBus.Error.NotSupported", message: message)
  }
}

/// A connection to the bus of the user's session, which offers one object. Used by one thread.
final class SessionBus {
  /// Answers a call with values, written into the answer; returns `nil` if there is no such
  /// method.
  typealias Handler = (BusMessage) throws(BusError) -> ((BusMessage) -> Void)?

  private let bus: OpaquePointer
  private let path: String
  private let answer: Handler

  /// Connects and offers an object at a path; `nil` if there is no bus.
  init?(path: String, answering answer: @escaping Handler) {
    guard scaleaudio_sdbus_failure() == nil else { return nil }
    var opened: OpaquePointer?
    guard sd_bus_open_user(&opened) >= 0, let bus = opened else { return nil }
    self.bus = bus
    self.path = path
    self.answer = answer
    let added = sd_bus_add_object(
      bus, nil, path,
      { message, closure, _ in
        guard let message, let closure else { return 0 }
        return Unmanaged<SessionBus>.fromOpaque(closure).takeUnretainedValue()
          .handle(BusMessage(pointer: message))
      }, Unmanaged.passUnretained(self).toOpaque())
    if added < 0 { return nil }
  }

  deinit { sd_bus_flush_close_unref(bus) }

  /// Takes a name; returns whether it was free.
  func take(name: String) -> Bool { sd_bus_request_name(bus, name, 0) >= 0 }

  /// Answers what was asked; returns whether the bus is still there.
  func process() -> Bool {
    while true {
      let status = sd_bus_process(bus, nil)
      if status <= 0 { return status == 0 }
    }
  }

  /// Waits until something is asked, another descriptor can be read, or some time has passed.
  func wait(milliseconds: Int32, or other: Int32) {
    var events = [
      pollfd(
        fd: sd_bus_get_fd(bus), events: Int16(truncatingIfNeeded: sd_bus_get_events(bus)),
        revents: 0),
      pollfd(fd: other, events: Int16(POLLIN), revents: 0),
    ]
    poll(&events, 2, milliseconds)
  }

  /// Sends a signal of the object.
  func emit(_ interface: String, _ member: String, _ write: (BusMessage) -> Void) {
    var made: OpaquePointer?
    guard sd_bus_message_new_signal(bus, &made, path, interface, member) >= 0, let made else {
      return
    }
    defer { sd_bus_message_unref(made) }
    write(BusMessage(pointer: made))
    sd_bus_send(bus, made, nil)
  }

  private func handle(_ call: BusMessage) -> Int32 {
    var reply: OpaquePointer?
    do throws(BusError) {
      guard let write = try answer(call) else { return 0 }
      guard sd_bus_message_new_method_return(call.pointer, &reply) >= 0, let reply else {
        return -ENOMEM
      }
      write(BusMessage(pointer: reply))
    } catch {
      error.name.withCString { name in
        error.message.withCString { message in
          var value = sd_bus_error(name: name, message: message, _need_free: 0)
          _ = sd_bus_message_new_method_error(call.pointer, &reply, &value)
        }
      }
    }
    guard let reply else { return -ENOMEM }
    defer { sd_bus_message_unref(reply) }
    let status = sd_bus_send(bus, reply, nil)
    return status < 0 ? status : 1
  }
}

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

  private func readBool() -> Bool? {
    var value: Int32 = 0
    return read("b", &value) ? value != 0 : nil
  }

  private func readDouble() -> Double? {
    var value = 0.0
    return read("d", &value) ? value : nil
  }

  private func read(_ type: Unicode.Scalar, _ value: UnsafeMutableRawPointer) -> Bool {
    sd_bus_message_read_basic(pointer, CChar(type.value), value) > 0
  }

  /// A value of any type, if it is a number, a text, or true or false.
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
    case "b": readBool().map { .bool($0) }
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
