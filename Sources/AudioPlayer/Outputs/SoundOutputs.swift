package import AudioModel
package import SystemPackage

/// Where sound is to go.
package enum SoundRequest: Hashable, Sendable {
  /// Nowhere, in real time.
  case null
  /// Into a WAV file; an existing one is replaced only if `replacing`.
  case file(FilePath, replacing: Bool = false)
}

/// The outputs of this machine.
package enum SoundOutputs {
  /// How long after its delivery a sample is heard, in seconds, if nothing else is asked for.
  package static let defaultLatency = 0.06

  /// Opens an output that takes samples as near to `spec` as it can, some `latency` seconds before they are heard.
  package static func open(
    _ request: SoundRequest, spec: AudioSpec, latency: Double = defaultLatency
  ) throws(SoundError) -> any SoundOutput {
    switch request {
    case .null: ClockOutput(spec: spec, latency: latency)
    case .file(let path, let replacing):
      try FileOutput(path: path, spec: spec, replacing: replacing)
    }
  }
}
