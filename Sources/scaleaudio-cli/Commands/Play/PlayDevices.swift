import AudioPlayer
import ScaleAudio

/// The devices that `play` can send sound to, as a list.
enum PlayDevices {
  /// A command of shells that prints the names alone.
  static let namesCommand =
    "scaleaudio play --list-devices 2>/dev/null | sed -n '/^[^ ]/{s/ (default)$//;p;}'"

  /// Prints all devices; returns the exit status.
  static func list(asJSON: Bool) -> Int32 {
    let devices: [SoundDevice]
    do throws(SoundError) {
      devices = try SoundOutputs.devices()
    } catch {
      Terminal.notice(error.fullMessage)
      return ExitStatus.someFailed
    }
    var output = StandardOutput()
    for device in devices {
      output.write(asJSON ? DeviceRecord(device).jsonLine : Array(text(of: device).utf8))
    }
    return output.status
  }

  /// The name on a line of its own, and what is known below it.
  private static func text(of device: SoundDevice) -> String {
    var parts = [device.description == device.name ? "" : escapedForTerminal(device.description)]
    if let layout = device.layout {
      parts.append("\(layout)")
    } else if let count = device.channelCount {
      parts.append(count == 1 ? "1 channel" : "\(count) channels")
    }
    if let rates = device.sampleRates {
      let (low, high) = (rates.lowerBound, rates.upperBound)
      parts.append(low == high ? "\(low) Hz" : "\(low) to \(high) Hz")
    }
    let known = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    return escapedForTerminal(device.name) + (device.isDefault ? " (default)" : "") + "\n"
      + (known.isEmpty ? "" : "    \(known)\n")
  }
}

/// A `--json` object about a device; fields of unknown value are left out.
private struct DeviceRecord: Encodable {
  let device: String
  let description: String
  let `default`: Bool
  let channels: Int?
  let layout: String?
  let lowestSampleRate: Int?
  let highestSampleRate: Int?

  init(_ device: SoundDevice) {
    self.device = device.name
    description = device.description
    `default` = device.isDefault
    channels = device.channelCount
    layout = device.layout.map { "\($0)" }
    lowestSampleRate = device.sampleRates?.lowerBound
    highestSampleRate = device.sampleRates?.upperBound
  }
}
