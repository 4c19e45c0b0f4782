package import AudioModel
package import SystemPackage

/// The requested destination of sound.
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
  /// True if this is the device for sound when none is named.
  package let isDefault: Bool
  /// The most channels that it takes; `nil` if that is unknown, or there is no limit.
  package let channelCount: Int?
  /// The speakers of its channels; `nil` if they are unknown, or depend on what is played.
  package let layout: ChannelLayout?
  /// The sample rates that it takes; `nil` if they are unknown, or there is no limit.
  package let sampleRates: ClosedRange<Int>?
}

extension [SoundDevice] {
  /// The device that was probably meant by another name: one whose name or description is nearly that, or
  /// the only one that holds it.
  func nearest(to name: String) -> SoundDevice? {
    let wanted = name.lowercased()
    guard wanted.count > 1 else { return nil }
    func texts(_ device: SoundDevice) -> [String] {
      [device.name.lowercased(), device.description.lowercased()]
    }
    let holding = filter { texts($0).contains { $0.contains(wanted) } }
    if holding.count == 1 { return holding.first }
    let near = compactMap { device in
      texts(device).map { NearName.distance($0, wanted) }.min().map { (device, $0) }
    }
    guard let best = near.min(by: { $0.1 < $1.1 }), best.1 <= Swift.max(1, wanted.count / 4) else {
      return nil
    }
    return best.0
  }
}

extension SoundError {
  /// No device has this name; these there are.
  static func unknown(_ name: String, among devices: [SoundDevice]) -> SoundError {
    let names = devices.map(\.name)
    let remedy: Remedy =
      if let near = devices.nearest(to: name) {
        .act("use \(near.name)")
      } else if names.isEmpty {
        .any([.act("connect a sound device"), .writeSound])
      } else {
        .act("use one of these: \(names.joined(separator: ", "))")
      }
    return SoundError("no sound device has the name \(name)", remedy: remedy)
  }
}
