internal import AudioModel
internal import CALSA
internal import CALSALoader
import Glibc

/// The devices that ALSA's configuration names.
enum ALSADevices {
  /// Loads ALSA's library; throws if that fails.
  static func load() throws(SoundError) {
    guard let reason = scaleaudio_alsa_failure() else { return }
    throw SoundError(
      "no sound server answers, and ALSA's library cannot be loaded: \(String(cString: reason))",
      remedy: .act("install libpulse0 or libasound2"))
  }

  static let none = SoundError(
    "no sound server answers, and there is no sound device",
    remedy: .any([.act("start PulseAudio or PipeWire"), .writeSound]))

  /// Devices that lead to another sound system, which may print or begin to run when they are opened.
  private static let bridges: Set = ["null", "pulse", "jack", "oss"]

  /// All devices that can be opened and play, the default one first if there is one.
  static func all() throws(SoundError) -> [SoundDevice] {
    try load()
    var hinted = [(name: "default", description: "Default device")]
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    if snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints {
      defer { snd_device_name_free_hint(hints) }
      var next = hints
      while let hint = next.pointee {
        next += 1
        // Without a direction the device both plays and records.
        guard let name = text(hint, "NAME"), !bridges.contains(name),
          text(hint, "IOID") ?? "Output" == "Output"
        else { continue }
        let lines = (text(hint, "DESC") ?? name).split(separator: "\n")
        let description = lines.joined(separator: ", ")
        if name == "default" {
          hinted[0].description = description
        } else {
          hinted.append((name, description))
        }
      }
    }
    return hinted.compactMap { device($0.name, $0.description) }
  }

  /// A device with what it takes; `nil` if it cannot be opened, unless another program uses it.
  private static func device(_ name: String, _ description: String) -> SoundDevice? {
    func device(_ channels: Int?, _ rates: ClosedRange<Int>?) -> SoundDevice {
      SoundDevice(
        name: name, description: description, isDefault: name == "default",
        channelCount: channels, layout: nil, sampleRates: rates)
    }
    var opened: OpaquePointer?
    let status = snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
    guard status >= 0, let handle = opened else {
      return status == -EBUSY ? device(nil, nil) : nil
    }
    defer { snd_pcm_close(handle) }
    var parameters: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&parameters) >= 0 else { return device(nil, nil) }
    defer { snd_pcm_hw_params_free(parameters) }
    guard snd_pcm_hw_params_any(handle, parameters) >= 0 else { return device(nil, nil) }
    var (channels, least, most): (UInt32, UInt32, UInt32) = (0, 0, 0)
    // Without this, a converter in front of the device takes every rate.
    snd_pcm_hw_params_set_rate_resample(handle, parameters, 0)
    let hasChannels = snd_pcm_hw_params_get_channels_max(parameters, &channels) >= 0
    let hasRates =
      snd_pcm_hw_params_get_rate_min(parameters, &least, nil) >= 0
      && snd_pcm_hw_params_get_rate_max(parameters, &most, nil) >= 0
    // Devices in software state limits that no hardware has.
    return device(
      hasChannels && channels <= 64 ? Int(channels) : nil,
      hasRates && least <= most && most < 10_000_000 ? Int(least)...Int(most) : nil)
  }

  private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let text = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}

extension ChannelLayout {
  private static let alsaOrder: [Speaker] = [
    .frontLeft, .frontRight, .backLeft, .backRight, .frontCenter, .lowFrequency, .sideLeft,
    .sideRight,
  ]

  private static let places: [(place: snd_pcm_chmap_position, speaker: Speaker)] = [
    (SND_CHMAP_FL, .frontLeft), (SND_CHMAP_FR, .frontRight), (SND_CHMAP_FC, .frontCenter),
    (SND_CHMAP_LFE, .lowFrequency), (SND_CHMAP_RL, .backLeft), (SND_CHMAP_RR, .backRight),
    (SND_CHMAP_FLC, .frontLeftOfCenter), (SND_CHMAP_FRC, .frontRightOfCenter),
    (SND_CHMAP_RC, .backCenter), (SND_CHMAP_SL, .sideLeft), (SND_CHMAP_SR, .sideRight),
    (SND_CHMAP_TC, .topCenter), (SND_CHMAP_TFL, .topFrontLeft),
    (SND_CHMAP_TFC, .topFrontCenter), (SND_CHMAP_TFR, .topFrontRight),
    (SND_CHMAP_TRL, .topBackLeft), (SND_CHMAP_TRC, .topBackCenter),
    (SND_CHMAP_TRR, .topBackRight), (SND_CHMAP_MONO, .frontCenter),
  ]

  /// ALSA's number of each speaker; `nil` if the speakers are unknown.
  private var alsaPlaces: [UInt32]? {
    guard self != .mono else { return [SND_CHMAP_MONO.rawValue] }
    return speakers?.compactMap { speaker in
      Self.places.first { $0.speaker == speaker }?.place.rawValue
    }
  }

  /// The speakers of an open device's channels: those of `wanted` if the device takes them, otherwise its own.
  static func settled(
    on device: OpaquePointer, channelCount: Int, wanted: ChannelLayout
  ) -> ChannelLayout {
    if wanted.channelCount == channelCount, let places = wanted.alsaPlaces,
      set(places, on: device)
    {
      return wanted
    }
    if let map = snd_pcm_get_chmap(device) {
      defer { free(map) }
      if let layout = layout(map), layout.channelCount == channelCount { return layout }
    }
    switch channelCount {
    case 1, 2: return .assumed(channelCount: channelCount)
    case 4, 6, 8: return ChannelLayout(Array(alsaOrder.prefix(channelCount))) ?? wanted
    default: return .unspecified(channelCount)
    }
  }

  private static func set(_ places: [UInt32], on device: OpaquePointer) -> Bool {
    // A map is a count and as many numbers.
    let words = [UInt32(places.count)] + places
    return words.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      return snd_pcm_set_chmap(device, base.assumingMemoryBound(to: snd_pcm_chmap_t.self)) >= 0
    }
  }

  private static func layout(_ map: UnsafeMutablePointer<snd_pcm_chmap_t>) -> ChannelLayout? {
    let words = UnsafeRawPointer(map).assumingMemoryBound(to: UInt32.self)
    let count = Int(words[0])
    guard count > 0, count <= 64 else { return nil }
    var speakers: [Speaker] = []
    for index in 1...count {
      guard let place = places.first(where: { $0.place.rawValue == words[index] }) else {
        return nil
      }
      speakers.append(place.speaker)
    }
    return ChannelLayout(speakers)
  }
}
