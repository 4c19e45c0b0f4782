internal import AudioModel
internal import CALSA
import Glibc

/// An open device of ALSA with its parameters. Tests have one that fails.
class ALSADevice {
  let spec: AudioSpec
  let format: snd_pcm_format_t
  let bufferFrames: Int
  let periodFrames: Int
  private let handle: OpaquePointer
  private var isOpen = true

  /// How often a device that has no room is asked whether it has.
  var pollSeconds: Double { spec.seconds(frames: periodFrames) / 2 }

  init(_ name: String, spec: AudioSpec, latency: Double) throws(SoundError) {
    try ALSADevices.load()
    var opened: OpaquePointer?
    let status = snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
    guard status >= 0, let handle = opened else { throw Self.cannotOpen(name, -status) }
    do throws(SoundError) {
      (self.spec, format, bufferFrames, periodFrames) = try Self.configure(
        handle, name, spec, latency)
    } catch {
      snd_pcm_close(handle)
      throw error
    }
    self.handle = handle
  }

  deinit { close() }

  private static func cannotOpen(_ name: String, _ code: Int32) -> SoundError {
    switch code {
    case EBUSY:
      SoundError(
        "\(name): another program uses the sound device",
        remedy: .act("end the other program, or choose another device"))
    case EACCES, EPERM:
      SoundError(
        "\(name): no permission to use the sound device",
        remedy: .act("add this user to the group audio, and log in again"))
    case ENOENT, ENODEV, ENXIO:
      name == "default"
        ? ALSADevices.none : .unknown(name, among: (try? ALSADevices.all()) ?? [])
    default:
      SoundError("\(name): the sound device cannot be opened: \(text(code))")
    }
  }

  private static func text(_ code: Int32) -> String {
    (snd_strerror(-code).map { String(cString: $0) } ?? "error \(code)").lowercased()
  }

  private typealias Configuration = (AudioSpec, snd_pcm_format_t, Int, Int)

  private static func configure(
    _ handle: OpaquePointer, _ name: String, _ spec: AudioSpec, _ latency: Double
  ) throws(SoundError) -> Configuration {
    func check(_ status: Int32) throws(SoundError) {
      if status >= 0 { return }
      throw SoundError(
        "\(name): the sound device refused the stream: \(text(-status))",
        remedy: .act("choose another device"))
    }
    var parameters: OpaquePointer?
    try check(snd_pcm_hw_params_malloc(&parameters))
    defer { snd_pcm_hw_params_free(parameters) }
    try check(snd_pcm_hw_params_any(handle, parameters))
    // The player's own resampler is better.
    snd_pcm_hw_params_set_rate_resample(handle, parameters, 0)
    try check(
      snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED))
    guard
      let format = ALSASamples.formats.first(where: {
        snd_pcm_hw_params_test_format(handle, parameters, $0) >= 0
      })
    else {
      throw SoundError(
        "\(name): the sound device takes no samples of 16, 24 or 32 bits",
        remedy: .act("choose another device"))
    }
    try check(snd_pcm_hw_params_set_format(handle, parameters, format))
    var channels = UInt32(spec.channelCount)
    try check(snd_pcm_hw_params_set_channels_near(handle, parameters, &channels))
    var rate = UInt32(clamping: spec.sampleRate)
    try check(snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, nil))
    var buffer = snd_pcm_uframes_t(max(64, latency * Double(rate)))
    var period = buffer / 4
    try check(snd_pcm_hw_params_set_period_size_near(handle, parameters, &period, nil))
    try check(snd_pcm_hw_params_set_buffer_size_near(handle, parameters, &buffer))
    try check(snd_pcm_hw_params(handle, parameters))
    try check(snd_pcm_hw_params_get_buffer_size(parameters, &buffer))
    try check(snd_pcm_hw_params_get_period_size(parameters, &period, nil))
    var software: OpaquePointer?
    try check(snd_pcm_sw_params_malloc(&software))
    defer { snd_pcm_sw_params_free(software) }
    try check(snd_pcm_sw_params_current(handle, software))
    try check(snd_pcm_sw_params_set_start_threshold(handle, software, period))
    try check(snd_pcm_sw_params_set_avail_min(handle, software, period))
    try check(snd_pcm_sw_params(handle, software))
    let layout = ChannelLayout.settled(
      on: handle, channelCount: Int(channels), wanted: spec.layout)
    return (
      AudioSpec(sampleRate: Int(rate), layout: layout), format, Int(buffer), max(1, Int(period))
    )
  }

  /// Frames that fit, or the negative code of what is wrong.
  func room() -> Int { snd_pcm_avail(handle) }

  /// Writes frames; returns how many, or the negative code of what is wrong.
  func write(_ samples: UnsafeRawPointer?, frames: Int) -> Int {
    snd_pcm_writei(handle, samples, snd_pcm_uframes_t(frames))
  }

  /// Frames from what is written next to what is heard now.
  var delay: Int {
    var frames = 0
    guard snd_pcm_delay(handle, &frames) >= 0 else { return 0 }
    return max(0, frames)
  }

  func prepare() -> Int32 { snd_pcm_prepare(handle) }
  func wakeUp() -> Int32 { snd_pcm_resume(handle) }
  func drop() { snd_pcm_drop(handle) }

  /// Waits until what was written has been played.
  func drain() {
    snd_pcm_nonblock(handle, 0)
    snd_pcm_drain(handle)
    snd_pcm_nonblock(handle, 1)
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    snd_pcm_close(handle)
  }
}
