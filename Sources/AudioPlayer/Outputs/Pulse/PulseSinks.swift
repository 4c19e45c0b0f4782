internal import AudioModel
internal import CPulse

/// A sink of a sound server: a device, or what it takes for one.
struct PulseSink {
  let name: String
  let description: String
  /// The speakers of its channels; `nil` if one has no name here.
  let layout: ChannelLayout?
  let channelCount: Int
  let sampleRate: Int

  init(_ info: pa_sink_info) {
    name = info.name.map { String(cString: $0) } ?? ""
    description = info.description.map { String(cString: $0) } ?? name
    layout = info.channel_map.layout
    channelCount = Int(info.channel_map.channels)
    sampleRate = Int(info.sample_spec.rate)
  }
}

extension PulseConnection {
  /// The results that callbacks of queries collect.
  private final class Answer {
    var sinks: [PulseSink] = []
    var defaultName: String?
    let loop: UnsafeMutableRawPointer
    init(_ loop: UnsafeMutableRawPointer) { self.loop = loop }

    static let sink: pa_sink_info_cb_t = { _, info, end, closure in
      guard let closure else { return }
      let answer = Unmanaged<Answer>.fromOpaque(closure).takeUnretainedValue()
      if end == 0, let info { answer.sinks.append(PulseSink(info.pointee)) }
      pa_threaded_mainloop_signal(OpaquePointer(answer.loop), 0)
    }

    static let server: pa_server_info_cb_t = { _, info, closure in
      guard let closure else { return }
      let answer = Unmanaged<Answer>.fromOpaque(closure).takeUnretainedValue()
      answer.defaultName = info?.pointee.default_sink_name.map { String(cString: $0) }
      pa_threaded_mainloop_signal(OpaquePointer(answer.loop), 0)
    }
  }

  /// The sink of a name, or the default one; `nil` if there is none. Call it with the lock.
  func sink(_ name: String?) -> PulseSink? {
    let answer = Answer(loopPointer)
    return withExtendedLifetime(answer) {
      let closure = Unmanaged.passUnretained(answer).toOpaque()
      let isDone = complete(
        pa_context_get_sink_info_by_name(
          context, name ?? "@DEFAULT_SINK@", Answer.sink, closure))
      return isDone ? answer.sinks.first : nil
    }
  }

  /// All sinks, and the name of the default one. Call it with the lock.
  func sinks() -> (all: [PulseSink], defaultName: String?) {
    let answer = Answer(loopPointer)
    return withExtendedLifetime(answer) {
      let closure = Unmanaged.passUnretained(answer).toOpaque()
      _ = complete(pa_context_get_sink_info_list(context, Answer.sink, closure))
      _ = complete(pa_context_get_server_info(context, Answer.server, closure))
      return (answer.sinks, answer.defaultName)
    }
  }

  /// All sinks. Call it with the lock.
  func devices() -> [SoundDevice] {
    let (sinks, defaultName) = sinks()
    return sinks.map {
      SoundDevice(
        name: $0.name, description: $0.description, isDefault: $0.name == defaultName,
        channelCount: $0.channelCount, layout: $0.layout,
        sampleRates: $0.sampleRate...$0.sampleRate)
    }
  }
}

private let positions: [(speaker: Speaker, position: pa_channel_position_t)] = [
  (.frontLeft, PA_CHANNEL_POSITION_FRONT_LEFT), (.frontRight, PA_CHANNEL_POSITION_FRONT_RIGHT),
  (.frontCenter, PA_CHANNEL_POSITION_FRONT_CENTER), (.lowFrequency, PA_CHANNEL_POSITION_LFE),
  (.backLeft, PA_CHANNEL_POSITION_REAR_LEFT), (.backRight, PA_CHANNEL_POSITION_REAR_RIGHT),
  (.frontLeftOfCenter, PA_CHANNEL_POSITION_FRONT_LEFT_OF_CENTER),
  (.frontRightOfCenter, PA_CHANNEL_POSITION_FRONT_RIGHT_OF_CENTER),
  (.backCenter, PA_CHANNEL_POSITION_REAR_CENTER), (.sideLeft, PA_CHANNEL_POSITION_SIDE_LEFT),
  (.sideRight, PA_CHANNEL_POSITION_SIDE_RIGHT), (.topCenter, PA_CHANNEL_POSITION_TOP_CENTER),
  (.topFrontLeft, PA_CHANNEL_POSITION_TOP_FRONT_LEFT),
  (.topFrontCenter, PA_CHANNEL_POSITION_TOP_FRONT_CENTER),
  (.topFrontRight, PA_CHANNEL_POSITION_TOP_FRONT_RIGHT),
  (.topBackLeft, PA_CHANNEL_POSITION_TOP_REAR_LEFT),
  (.topBackCenter, PA_CHANNEL_POSITION_TOP_REAR_CENTER),
  (.topBackRight, PA_CHANNEL_POSITION_TOP_REAR_RIGHT),
]

extension pa_channel_map {
  /// The map of a layout; channels at unknown positions get those that are usual for their number.
  init(_ layout: ChannelLayout) {
    self.init()
    guard let speakers = layout.speakers else {
      pa_channel_map_init_extend(
        &self, UInt32(layout.channelCount), PA_CHANNEL_MAP_WAVEEX)
      return
    }
    pa_channel_map_init(&self)
    channels = UInt8(speakers.count)
    // A mono signal belongs to all speakers, not to the one in the center.
    let places =
      layout == .mono
      ? [PA_CHANNEL_POSITION_MONO]
      : speakers.compactMap { speaker in
        positions.first { $0.speaker == speaker }?.position
      }
    withUnsafeMutableBytes(of: &map) { bytes in
      let map = bytes.bindMemory(to: pa_channel_position_t.self)
      for (index, place) in places.enumerated() { map[index] = place }
    }
  }

  /// The layout of this map; `nil` if a position has no speaker here.
  var layout: ChannelLayout? {
    let count = Int(channels)
    let places = withUnsafeBytes(of: map) {
      Array($0.bindMemory(to: pa_channel_position_t.self).prefix(count))
    }
    if places == [PA_CHANNEL_POSITION_MONO] { return .mono }
    var speakers: [Speaker] = []
    for place in places {
      guard let known = positions.first(where: { $0.position == place }) else { return nil }
      speakers.append(known.speaker)
    }
    return ChannelLayout(speakers)
  }
}

extension ChannelLayout {
  /// The layout to send to a sink for this one: this, unless the sink has fewer channels, for which the
  /// server's own mixing is not asked.
  func played(on sink: PulseSink) -> ChannelLayout {
    if channelCount <= min(max(2, sink.channelCount), Int(PA_CHANNELS_MAX)) { return self }
    return sink.layout ?? .stereo
  }
}
