internal import AudioModel
internal import CPulse

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
    let frameSize = MemoryLayout<Float>.stride * spec.channelCount
    func bytes(_ seconds: Double) -> UInt32 {
      UInt32(max(1, Int(seconds * Double(spec.sampleRate))) * frameSize)
    }
    // The server waits for a quarter of its buffer before it continues after a gap: without waiting, it would
    // skip the samples that came late.
    var buffer = pa_buffer_attr(
      maxlength: .max, tlength: bytes(latency), prebuf: bytes(latency / 4),
      minreq: bytes(latency / 4), fragsize: .max)
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
