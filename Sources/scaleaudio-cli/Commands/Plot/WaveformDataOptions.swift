public import ArgumentParser
import ScaleAudio
public import Waveforms

/// Options for waveform data.
struct WaveformDataOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Pairs of lowest and highest sample per second of audio. Default: 100.",
      valueName: "count"))
  var pixelsPerSecond: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Samples for each of these pairs, in place of --pixels-per-second, 2 to 10000000.",
      valueName: "count"))
  var samplesPerPixel: Int?

  @Option(help: ArgumentHelp("Bits of each value, 8 or 16. Default: 16.", valueName: "8|16"))
  var bits: WaveformDataSettings.Depth?

  @Flag(help: "Write each channel instead of their mean.")
  var splitChannels = false

  func validate() throws {
    let range = WaveformDataSettings.pixelsPerSecondRange
    if let pixelsPerSecond, !range.contains(pixelsPerSecond) {
      throw ValidationError(
        "--pixels-per-second \(pixelsPerSecond) is not within \(range.lowerBound) to "
          + "\(range.upperBound).")
    }
    if let samplesPerPixel, !(2...10_000_000).contains(samplesPerPixel) {
      throw ValidationError("--samples-per-pixel \(samplesPerPixel) is not within 2 to 10000000.")
    }
    if samplesPerPixel != nil, pixelsPerSecond != nil {
      throw ValidationError(
        "--samples-per-pixel and --pixels-per-second exclude each other; give one.")
    }
  }

  /// One of the given options for waveform data; `nil` if none is given.
  var given: String? {
    if pixelsPerSecond != nil { return "--pixels-per-second" }
    if samplesPerPixel != nil { return "--samples-per-pixel" }
    if bits != nil { return "--bits" }
    return splitChannels ? "--split-channels" : nil
  }

  var settings: WaveformDataSettings {
    var settings = WaveformDataSettings()
    if let pixelsPerSecond { settings.pixelsPerSecond = pixelsPerSecond }
    settings.framesPerPixel = samplesPerPixel
    if let bits { settings.depth = bits }
    return settings
  }
}

extension WaveformDataSettings.Depth: ExpressibleByArgument {
  /// The depth with this number of bits.
  public init?(argument: String) {
    guard let bits = Int(argument) else { return nil }
    self.init(rawValue: bits)
  }
}
