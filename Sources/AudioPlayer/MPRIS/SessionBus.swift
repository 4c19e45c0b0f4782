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
