internal import CPulse
internal import CPulseLoader

/// A connection to the user's sound server, PulseAudio or PipeWire, with the thread that serves it.
final class PulseConnection {
  let context: OpaquePointer
  private let loop: OpaquePointer
  /// How long the server may take for an answer, in seconds.
  private static let patience = 5.0

  /// Connects to a server that runs; throws if none does.
  ///
  /// - Parameter server: Its address; `nil` for the user's own.
  init(server: String? = nil) throws(SoundError) {
    if let reason = scaleaudio_pulse_failure() {
      throw Self.noServer(String(cString: reason))
    }
    guard let loop = pa_threaded_mainloop_new() else { throw Self.noServer("out of memory") }
    let properties = pa_proplist_new()
    defer { if let properties { pa_proplist_free(properties) } }
    if let properties {
      pa_proplist_sets(properties, PA_PROP_APPLICATION_NAME, "scaleaudio")
      pa_proplist_sets(properties, PA_PROP_APPLICATION_ID, "scaleaudio")
    }
    guard
      let context = pa_context_new_with_proplist(
        pa_threaded_mainloop_get_api(loop), "scaleaudio", properties)
    else {
      pa_threaded_mainloop_free(loop)
      throw Self.noServer("out of memory")
    }
    self.loop = loop
    self.context = context
    pa_context_set_state_callback(
      context, { _, loop in pa_threaded_mainloop_signal(OpaquePointer(loop), 0) },
      UnsafeMutableRawPointer(loop))
    guard pa_threaded_mainloop_start(loop) == 0 else { throw .noThread }
    try withLock { () throws(SoundError) in
      guard pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else {
        throw Self.noServer(failure)
      }
      wait { state == PA_CONTEXT_READY || !isAlive }
      guard state == PA_CONTEXT_READY else { throw Self.noServer(failure) }
    }
  }

  deinit {
    withLock {
      pa_context_set_state_callback(context, nil, nil)
      pa_context_disconnect(context)
      pa_context_unref(context)
    }
    pa_threaded_mainloop_stop(loop)
    pa_threaded_mainloop_free(loop)
  }

  /// True if a sound server answers.
  static var isServerRunning: Bool { (try? PulseConnection()) != nil }

  private static func noServer(_ reason: String) -> SoundError {
    SoundError(
      "no sound server answers: \(reason)",
      remedy: .act("start PulseAudio or PipeWire for this user"))
  }

  private var state: pa_context_state_t { pa_context_get_state(context) }

  /// True if the server is connected or about to be.
  var isAlive: Bool { state != PA_CONTEXT_FAILED && state != PA_CONTEXT_TERMINATED }

  /// Why the last call failed.
  var failure: String {
    let code = pa_context_errno(context)
    return (pa_strerror(code).map { String(cString: $0) } ?? "error \(code)").lowercased()
  }

  /// Runs `body` while the connection's thread does nothing else. Not for callbacks, which run so already.
  func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pa_threaded_mainloop_lock(loop)
    defer { pa_threaded_mainloop_unlock(loop) }
    return try body()
  }

  /// Wakes the threads that wait.
  func signal() { pa_threaded_mainloop_signal(loop, 0) }

  /// Waits until a condition holds, which is checked after each signal, or for `seconds`. Call it with the lock.
  func wait(seconds: Double = patience, until isSo: () -> Bool) {
    let end = pa_rtclock_now() + pa_usec_t(seconds * 1e6)
    let timer = pa_context_rttime_new(
      context, end, { _, _, _, loop in pa_threaded_mainloop_signal(OpaquePointer(loop), 0) },
      UnsafeMutableRawPointer(loop))
    defer { free(timer) }
    while !isSo(), pa_rtclock_now() < end { pa_threaded_mainloop_wait(loop) }
  }

  /// Ends a timer of this connection.
  func free(_ timer: OpaquePointer?) {
    guard let timer, let api = pa_threaded_mainloop_get_api(loop) else { return }
    api.pointee.time_free(timer)
  }

  /// Waits for the end of an operation; returns whether it was completed. Call it with the lock.
  func complete(_ operation: OpaquePointer?, seconds: Double = patience) -> Bool {
    guard let operation else { return false }
    defer { pa_operation_unref(operation) }
    wait(seconds: seconds) {
      pa_operation_get_state(operation) != PA_OPERATION_RUNNING || !isAlive
    }
    let isDone = pa_operation_get_state(operation) == PA_OPERATION_DONE
    if !isDone { pa_operation_cancel(operation) }
    return isDone
  }

  /// Makes every operation of a stream wake the threads that wait; its closure is ``loopPointer``.
  static let wakeUp: pa_stream_success_cb_t = { _, _, loop in
    pa_threaded_mainloop_signal(OpaquePointer(loop), 0)
  }

  var loopPointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(loop) }
}
