package import AudioModel

/// The outputs of this machine.
package enum SoundOutputs {
  /// How long after its delivery a sample is heard, in seconds, if nothing else is asked for.
  package static let defaultLatency = 0.06

  /// Opens an output that takes samples as near to `spec` as it can, some `latency` seconds before they are heard.
  package static func open(
    _ request: SoundRequest, spec: AudioSpec, latency: Double = defaultLatency
  ) throws(SoundError) -> any SoundOutput {
    switch request {
    case .automatic: try openDevice(nil, spec, latency)
    case .device(let name): try openDevice(name, spec, latency)
    case .pulse(let device): try openPulse(device, spec, latency)
    case .alsa(let device): try openALSA(device, spec, latency)
    case .null: ClockOutput(spec: spec, latency: latency)
    case .file(let path, let replacing):
      try FileOutput(path: path, spec: spec, replacing: replacing)
    }
  }

  private static func openDevice(
    _ device: String?, _ spec: AudioSpec, _ latency: Double
  ) throws(SoundError) -> any SoundOutput {
    PulseConnection.isServerRunning
      ? try openPulse(device, spec, latency) : try openALSA(device, spec, latency)
  }

  private static func openPulse(
    _ device: String?, _ spec: AudioSpec, _ latency: Double
  ) throws(SoundError) -> any SoundOutput {
    try PulseOutput(device: device, spec: spec, latency: latency)
  }

  private static func openALSA(
    _ device: String?, _ spec: AudioSpec, _ latency: Double
  ) throws(SoundError) -> any SoundOutput {
    try ALSAOutput(device: device, spec: spec, latency: latency)
  }

  /// The devices of the sound server if one answers, otherwise those of ALSA; throws if there is none.
  package static func devices() throws(SoundError) -> [SoundDevice] {
    if let connection = try? PulseConnection() {
      let devices = connection.withLock { connection.devices() }
      if devices.isEmpty { throw PulseOutput.noDevice }
      return devices
    }
    let devices = try ALSADevices.all()
    if devices.isEmpty { throw ALSADevices.none }
    return devices
  }
}
