package import SystemPackage

/// Where sound is to go.
package enum SoundRequest: Hashable, Sendable {
  /// To the default device: through the sound server if one answers, otherwise through ALSA.
  case automatic
  /// To the device of this name, of the sound server if one answers, otherwise of ALSA.
  case device(String)
  /// To a sink of the sound server (PulseAudio or PipeWire), or to its default one.
  case pulse(String? = nil)
  /// To a device of ALSA, or to its default one.
  case alsa(String? = nil)
  /// Nowhere, in real time.
  case null
  /// Into a WAV file; an existing one is replaced only if `replacing`.
  case file(FilePath, replacing: Bool = false)
}

/// A device that sound can go to.
package struct SoundDevice: Hashable, Sendable {
  /// The name that chooses it.
  package let name: String
  /// The name for people.
  package let description: String
  /// Whether sound goes there if no device is named.
  package let isDefault: Bool

  package init(name: String, description: String, isDefault: Bool) {
    self.name = name
    self.description = description
    self.isDefault = isDefault
  }
}
