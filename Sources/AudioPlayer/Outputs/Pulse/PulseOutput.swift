internal import AudioModel
internal import CPulse

/// An output through the user's sound server, PulseAudio or PipeWire.
final class PulseOutput: SoundOutput, @unchecked Sendable {
  let spec: AudioSpec
  var name: String { connection.withLock { deviceName } }
  var underrunCount: Int { connection.withLock { underruns } }
  var queuedFrames: Int { connection.withLock { queued } }

  /// Seconds in which a server that runs answers.
  private static let answerSeconds = 0.5

  var stallMessage: String {
    connection.withLock {
      noteTiming()
      connection.wait(seconds: Self.answerSeconds) { !isTiming }
      return "\(deviceName): the sound server \(isTiming ? "does not answer" : "accepts no sound")"
    }
  }

  let connection: PulseConnection
  let stream: OpaquePointer
  var deviceName: String
  private let frameSize: Int
  private var latency: Double
  private var framesAtOnce: Int { Int(latency / 4 * Double(spec.sampleRate)) }
  private var deliver: (@Sendable (UnsafeMutableBufferPointer<Float>) -> Int)?
  private var onEvent: (@Sendable (SoundEvent) -> Void)?
  /// Asks again for samples when none was ready: the server asks once.
  private var retry: OpaquePointer?
  private static let retryMicroseconds: pa_usec_t = 3_000

  /// Pending requests to the server.
  private var (timing, naming, growing): (OpaquePointer?, OpaquePointer?, OpaquePointer?)
  /// The bytes that the server held before it was asked to hold more.
  private var heldBytes: UInt32 = 0

  private var underruns = 0
  /// Frames delivered since the start or since some were discarded.
  private var deliveredFrames = 0
  /// The frames that the server last reported as not passed on, and when.
  private var lastUnplayed: (frames: Int, delivered: Int, time: pa_usec_t)?
  private var isRunning = false
  private var isDraining = false
  private var isShort = false
  private var isClosed = false
  private var isSuspended = false
  private var isLost = false
  private var lostFrames = 0

  /// Opens a stream on a sink of this name, or on the default one.
  init(
    device: String?, server: String? = nil, spec: AudioSpec, latency: Double
  ) throws(SoundError) {
    let connection = try PulseConnection(server: server)
    let found: (sink: PulseSink, stream: OpaquePointer, spec: AudioSpec) =
      try connection.withLock { () throws(SoundError) in
        guard let sink = connection.sink(device) else {
          throw device.map { .unknown($0, among: connection.devices()) } ?? Self.noDevice
        }
        let sent = AudioSpec(
          sampleRate: min(max(spec.sampleRate, 1), Int(PA_RATE_MAX)),
          layout: spec.layout.played(on: sink))
        let stream = try Self.connect(
          connection, to: sink, named: device, spec: sent, latency: latency)
        return (sink, stream, sent)
      }
    self.connection = connection
    self.spec = found.spec
    stream = found.stream
    deviceName = found.sink.description
    frameSize = MemoryLayout<Float>.stride * found.spec.channelCount
    self.latency = latency
    connection.withLock { attach() }
  }

  deinit { close() }

  static let noDevice = SoundError(
    "the sound server has no device",
    remedy: .any([.act("connect a sound device"), .writeSound]))

  // MARK: Callbacks, in the connection's thread and with its lock

  private var closure: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private static func output(_ closure: UnsafeMutableRawPointer?) -> PulseOutput? {
    closure.map { Unmanaged<PulseOutput>.fromOpaque($0).takeUnretainedValue() }
  }

  private func attach() {
    pa_stream_set_state_callback(stream, { PulseOutput.output($1)?.checkState() }, closure)
    pa_stream_set_write_callback(
      stream,
      { _, _, closure in
        guard let output = PulseOutput.output(closure), output.isRunning else { return }
        output.fill()
      }, closure)
    pa_stream_set_underflow_callback(
      stream,
      { _, closure in
        guard let output = PulseOutput.output(closure), output.isRunning, !output.isDraining
        else {
          return
        }
        output.underruns += 1
      }, closure)
    pa_stream_set_moved_callback(stream, { PulseOutput.output($1)?.findNewDevice() }, closure)
    pa_stream_set_suspended_callback(
      stream, { PulseOutput.output($1)?.checkSuspension() }, closure)
    pa_stream_set_event_callback(
      stream,
      { _, event, _, closure in
        guard let event, let output = PulseOutput.output(closure) else { return }
        switch String(cString: event) {
        case PA_STREAM_EVENT_REQUEST_CORK: output.onEvent?(.corked(true))
        case PA_STREAM_EVENT_REQUEST_UNCORK: output.onEvent?(.corked(false))
        default: break
        }
      }, closure)
    retry = pa_context_rttime_new(
      connection.context, .max,
      { _, _, _, closure in
        guard let output = PulseOutput.output(closure), output.isRunning else { return }
        output.fill()
      }, closure)
  }

  private func checkState() {
    connection.signal()
    let state = pa_stream_get_state(stream)
    guard state == PA_STREAM_FAILED || state == PA_STREAM_TERMINATED, !isClosed, !isLost else {
      return
    }
    lostFrames = isRunning ? unheardAtLoss : lastUnplayed.map(\.frames) ?? deliveredFrames
    isLost = true
    isRunning = false
    onEvent?(.lost(deviceName))
  }

  private func findNewDevice() {
    guard let name = pa_stream_get_device_name(stream) else { return }
    cancel(&naming)
    naming = pa_context_get_sink_info_by_name(
      connection.context, name,
      { _, info, _, closure in
        guard let info, let output = PulseOutput.output(closure) else { return }
        output.deviceName = PulseSink(info.pointee).description
        output.onEvent?(.moved(output.deviceName))
      }, closure)
  }

  private func checkSuspension() {
    let isNow = pa_stream_is_suspended(stream) > 0
    // Servers also suspend what plays nothing.
    guard isNow != isSuspended, !isNow || isRunning else { return }
    isSuspended = isNow
    onEvent?(.suspended(isNow))
  }

  /// Delivers as much as the server has room for.
  private func fill() {
    guard let deliver, !isLost else { return }
    while true {
      let room = pa_stream_writable_size(stream)
      guard room != .max, room >= frameSize else { break }
      var memory: UnsafeMutableRawPointer?
      var size = room
      guard pa_stream_begin_write(stream, &memory, &size) >= 0, let memory,
        size >= frameSize
      else { return }
      let frames = size / frameSize
      let samples = memory.bindMemory(to: Float.self, capacity: frames * spec.channelCount)
      let count = deliver(
        UnsafeMutableBufferPointer(start: samples, count: frames * spec.channelCount))
      if count > 0 {
        pa_stream_write(stream, memory, count * frameSize, nil, 0, PA_SEEK_RELATIVE)
        deliveredFrames += count
      } else {
        pa_stream_cancel_write(stream)
      }
      if count < frames {
        isShort = true
        connection.signal()
        if let retry {
          pa_context_rttime_restart(
            connection.context, retry, pa_rtclock_now() + Self.retryMicroseconds)
        }
        break
      }
      isShort = false
    }
    noteTiming()
  }

  /// Asks the server how far it is, to know it when the device is lost.
  private func noteTiming() {
    if isTiming { return }
    cancel(&timing)
    timing = pa_stream_update_timing_info(
      stream,
      { _, isDone, closure in
        guard let output = PulseOutput.output(closure) else { return }
        if isDone != 0 { output.keepTiming() }
        output.connection.signal()
      }, closure)
  }

  /// True while the server has not answered that.
  private var isTiming: Bool {
    timing.map { pa_operation_get_state($0) == PA_OPERATION_RUNNING } ?? false
  }

  private func cancel(_ operation: inout OpaquePointer?) {
    guard let ending = operation else { return }
    pa_operation_cancel(ending)
    pa_operation_unref(ending)
    operation = nil
  }

  private func keepTiming() {
    guard let unplayed else { return }
    lastUnplayed = (unplayed, deliveredFrames, pa_rtclock_now())
  }

  /// The frames that the server holds and has not passed on to the device.
  private var unplayed: Int? {
    guard let timing = pa_stream_get_timing_info(stream)?.pointee else { return nil }
    return max(0, Int(timing.write_index - timing.read_index) / frameSize)
  }

  /// The frames that cannot have been heard when the device went.
  private var unheardAtLoss: Int {
    guard let last = lastUnplayed else { return deliveredFrames }
    let elapsed = Double(pa_rtclock_now() - last.time) / 1e6 * Double(spec.sampleRate)
    // Since then the server may have passed on what it passes on at once.
    let frames =
      last.frames + deliveredFrames - last.delivered - Int(elapsed) - framesAtOnce
    return min(max(0, frames), deliveredFrames)
  }

  private var queued: Int {
    if isLost { return lostFrames }
    var microseconds: pa_usec_t = 0
    var isNegative: Int32 = 0
    guard pa_stream_get_latency(stream, &microseconds, &isNegative) >= 0, isNegative == 0 else {
      return min(deliveredFrames, unplayed ?? 0)
    }
    return min(deliveredFrames, Int(Double(microseconds) / 1e6 * Double(spec.sampleRate)))
  }

  // MARK: Calls

  func start(
    delivering deliver: @escaping @Sendable (UnsafeMutableBufferPointer<Float>) -> Int,
    onEvent: @escaping @Sendable (SoundEvent) -> Void
  ) throws(SoundError) {
    try connection.withLock { () throws(SoundError) in
      self.deliver = deliver
      self.onEvent = onEvent
      try run(true)
    }
  }

  func pause() throws(SoundError) {
    try connection.withLock { () throws(SoundError) in try run(false) }
  }

  func resume() throws(SoundError) {
    try connection.withLock { () throws(SoundError) in try run(true) }
  }

  /// Starts or stops the stream.
  private func run(_ isRunning: Bool) throws(SoundError) {
    guard !isLost else { throw lost }
    guard isRunning != self.isRunning else { return }
    self.isRunning = isRunning
    if isRunning { fill() }
    try complete(
      pa_stream_cork(
        stream, isRunning ? 0 : 1, PulseConnection.wakeUp, connection.loopPointer))
    if !isRunning {
      try complete(
        pa_stream_update_timing_info(stream, PulseConnection.wakeUp, connection.loopPointer))
      keepTiming()
    }
  }

  func discard() throws(SoundError) -> Int {
    try connection.withLock { () throws(SoundError) in
      if isLost {
        defer { lostFrames = 0 }
        return lostFrames
      }
      let wasRunning = isRunning
      // A stopped stream takes back what the device has not played yet.
      try run(false)
      let unheard = min(deliveredFrames, lastUnplayed?.frames ?? deliveredFrames)
      try complete(pa_stream_flush(stream, PulseConnection.wakeUp, connection.loopPointer))
      deliveredFrames = 0
      lastUnplayed = (0, 0, pa_rtclock_now())
      if wasRunning { try run(true) }
      return unheard
    }
  }

  func grow() -> Bool {
    connection.withLock {
      guard !isLost, let held = pa_stream_get_buffer_attr(stream) else { return false }
      heldBytes = held.pointee.tlength
      latency *= 2
      var buffer = pa_buffer_attr(spec, latency: latency)
      cancel(&growing)
      growing = pa_stream_set_buffer_attr(
        stream, &buffer,
        { _, isDone, closure in PulseOutput.output(closure)?.checkGrowth(isDone != 0) }, closure)
      return growing != nil
    }
  }

  private func checkGrowth(_ isDone: Bool) {
    let held = pa_stream_get_buffer_attr(stream)?.pointee.tlength ?? 0
    if !isDone || held <= heldBytes { onEvent?(.cannotGrow) }
  }

  func drain() throws(SoundError) {
    try connection.withLock { () throws(SoundError) in
      guard deliver != nil else { return }
      guard !isLost else { throw lost }
      try run(true)
      isDraining = true
      defer { isDraining = false }
      fill()
      connection.wait(seconds: 86_400) { isShort || isLost }
      guard !isLost else { throw lost }
      let seconds = spec.seconds(frames: deliveredFrames) + 5
      let isDone = connection.complete(
        pa_stream_drain(stream, PulseConnection.wakeUp, connection.loopPointer),
        seconds: min(seconds, 30))
      if isLost { throw lost }
      if !isDone { throw SoundError("\(deviceName): the sound server does not answer") }
    }
  }

  func close() {
    connection.withLock {
      guard !isClosed else { return }
      isClosed = true
      isRunning = false
      connection.free(retry)
      cancel(&timing)
      cancel(&naming)
      cancel(&growing)
      pa_stream_set_state_callback(stream, nil, nil)
      pa_stream_set_write_callback(stream, nil, nil)
      pa_stream_set_underflow_callback(stream, nil, nil)
      pa_stream_set_moved_callback(stream, nil, nil)
      pa_stream_set_suspended_callback(stream, nil, nil)
      pa_stream_set_event_callback(stream, nil, nil)
      pa_stream_disconnect(stream)
      pa_stream_unref(stream)
    }
  }

  private var lost: SoundError {
    SoundError(
      "\(deviceName): the sound device is gone", remedy: .act("choose another device"))
  }

  private func complete(_ operation: OpaquePointer?) throws(SoundError) {
    if connection.complete(operation) { return }
    if isLost { throw lost }
    throw SoundError("\(deviceName): the sound server does not answer: \(connection.failure)")
  }
}

extension PulseOutput {
  /// Opens a stream that is stopped until it is started. Call it with the connection's lock.
  static func connect(
    _ connection: PulseConnection, to sink: PulseSink, named device: String?, spec: AudioSpec,
    latency: Double
  ) throws(SoundError) -> OpaquePointer {
    var sample = pa_sample_spec(
      format: PA_SAMPLE_FLOAT32LE, rate: UInt32(spec.sampleRate),
      channels: UInt8(spec.channelCount))
    #if _endian(big)
      sample.format = PA_SAMPLE_FLOAT32BE
    #endif
    var map = pa_channel_map(spec.layout)
    let properties = pa_proplist_new()
    defer { if let properties { pa_proplist_free(properties) } }
    // By its role the server knows that a call may ask for silence.
    if let properties { pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "music") }
    guard
      let stream = pa_stream_new_with_proplist(
        connection.context, "scaleaudio", &sample, &map, properties)
    else {
      throw SoundError(
        "\(sink.description): the sound server refused the stream: \(connection.failure)")
    }
    var buffer = pa_buffer_attr(spec, latency: latency)
    pa_stream_set_state_callback(
      stream, { _, loop in pa_threaded_mainloop_signal(OpaquePointer(loop), 0) },
      connection.loopPointer)
    let flags =
      PA_STREAM_START_CORKED.rawValue | PA_STREAM_ADJUST_LATENCY.rawValue
      | PA_STREAM_AUTO_TIMING_UPDATE.rawValue | PA_STREAM_INTERPOLATE_TIMING.rawValue
    let status = pa_stream_connect_playback(
      stream, device, &buffer, pa_stream_flags_t(flags), nil, nil)
    if status >= 0 {
      connection.wait {
        pa_stream_get_state(stream) != PA_STREAM_CREATING || !connection.isAlive
      }
    }
    guard status >= 0, pa_stream_get_state(stream) == PA_STREAM_READY else {
      let reason = connection.failure
      pa_stream_set_state_callback(stream, nil, nil)
      pa_stream_disconnect(stream)
      pa_stream_unref(stream)
      throw SoundError(
        "\(sink.description): the sound server refused the stream: \(reason)",
        remedy: .act("choose another device"))
    }
    return stream
  }
}

extension pa_buffer_attr {
  /// The sizes of a server's buffer that holds `latency` seconds.
  fileprivate init(_ spec: AudioSpec, latency: Double) {
    let frameSize = MemoryLayout<Float>.stride * spec.channelCount
    func bytes(_ seconds: Double) -> UInt32 {
      UInt32(max(1, Int(seconds * Double(spec.sampleRate))) * frameSize)
    }
    // The server waits for a quarter of its buffer before it continues after a gap: without waiting, it would
    // skip the samples that came late.
    self.init(
      maxlength: .max, tlength: bytes(latency), prebuf: bytes(latency / 4),
      minreq: bytes(latency / 4), fragsize: .max)
  }
}
