/// An event, or a moment between two events for redrawing a display.
enum Ticked<Event: Sendable>: Sendable {
  case event(Event)
  case tick
}

/// The events, mixed with a tick ten times a second.
func ticking<Event: Sendable>(_ events: AsyncStream<Event>) -> AsyncStream<Ticked<Event>> {
  AsyncStream { continuation in
    let ticker = Task.detached {
      while (try? await Task.sleep(for: .milliseconds(100))) != nil { continuation.yield(.tick) }
    }
    continuation.onTermination = { _ in ticker.cancel() }
    Task.detached {
      for await event in events { continuation.yield(.event(event)) }
      continuation.finish()
    }
  }
}
