internal import AudioIO
internal import Dispatch

/// Numbered events for every page that listens, kept for those that reconnect.
///
/// Source: the HTML standard, section 9.2 (server-sent events).
final class EventLog: Sendable {
  private struct State: Sendable {
    /// The last events as they are sent; the number of the first one.
    var events: [[UInt8]] = []
    var first = 1
    var listeners: [ObjectIdentifier: DispatchSemaphore] = [:]
  }
  /// Events kept, and pages that may listen at once.
  private static let (maximumKept, maximumListeners) = (4096, 16)

  private let state = Locked(State())
  private let greeting: [UInt8]

  /// A log whose listeners first hear of `hello`.
  init(version: String) {
    struct Hello: Encodable { let version: String }
    greeting = Self.text("hello", JSON.bytes(Hello(version: version)), number: nil)
  }

  /// Adds an event.
  func post(_ name: String, _ value: some Encodable) {
    let data = JSON.bytes(value)
    state.withLock { state in
      let number = state.first + state.events.count
      state.events.append(Self.text(name, data, number: number))
      if state.events.count > Self.maximumKept {
        state.events.removeFirst()
        state.first += 1
      }
      for listener in state.listeners.values { listener.signal() }
    }
  }

  /// All events after one of a number; without one, those to come. `nil` if too many listen.
  func stream(after number: Int?) -> (any BodySource)? {
    let signal = DispatchSemaphore(value: 0)
    let stream = state.withLock { state -> Stream? in
      guard state.listeners.count < Self.maximumListeners else { return nil }
      let end = state.first + state.events.count
      let isLost = number.map { $0 + 1 < state.first || $0 >= end } ?? false
      let next = isLost ? end : number.map { $0 + 1 } ?? end
      let start = greeting + (isLost ? Self.text("reset", Array("{}".utf8), number: nil) : [])
      let stream = Stream(self, signal, start: start, next: next)
      state.listeners[ObjectIdentifier(stream)] = signal
      return stream
    }
    return stream
  }

  private static func text(_ name: String, _ data: [UInt8], number: Int?) -> [UInt8] {
    let id = number.map { "id: \($0)\n" } ?? ""
    return Array("\(id)event: \(name)\ndata: ".utf8) + data + Array("\n\n".utf8)
  }

  /// The events from a number on, and the number after them.
  private func events(from number: Int) -> (bytes: [UInt8], next: Int) {
    state.withLock { state in
      let end = state.first + state.events.count
      // A listener that is so slow that events are gone has to load everything again.
      if number < state.first {
        return (Self.text("reset", Array("{}".utf8), number: end - 1), end)
      }
      return (Array(state.events[(number - state.first)...].joined()), end)
    }
  }

  private func end(_ stream: Stream) {
    let signal = state.withLock { $0.listeners.removeValue(forKey: ObjectIdentifier(stream)) }
    signal?.signal()
  }

  /// The events for one page.
  private final class Stream: BodySource {
    /// A comment after so much silence shows that the connection lives.
    private static let patience: DispatchTimeInterval = .seconds(15)

    private let log: EventLog
    private let signal: DispatchSemaphore
    private let state: Locked<(start: [UInt8], next: Int, isClosed: Bool)>

    init(_ log: EventLog, _ signal: DispatchSemaphore, start: [UInt8], next: Int) {
      (self.log, self.signal) = (log, signal)
      state = Locked((start, next, false))
    }

    func next() -> [UInt8]? {
      let start = state.withLock { state in
        defer { state.start = [] }
        return state.start
      }
      if !start.isEmpty { return start }
      while true {
        if state.withLock({ $0.isClosed }) { return nil }
        let (bytes, next) = log.events(from: state.withLock { $0.next })
        state.withLock { $0.next = next }
        if !bytes.isEmpty { return bytes }
        if signal.wait(timeout: .now() + Self.patience) == .timedOut { return Array(":\n\n".utf8) }
      }
    }

    func close() {
      state.withLock { $0.isClosed = true }
      log.end(self)
    }
  }
}
