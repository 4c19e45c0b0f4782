import ArgumentParser
import ScaleAudio
import Waveforms

/// The part of the audio that a picture shows.
struct PlotOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Channels: merged into one lane, split into a lane for each, or the number of one.",
      discussion: "Default: split for envelopes and spectrograms, merged for bars and both.",
      valueName: "merged|split|n"),
    transform: ChannelsValue.init)
  var channels: ChannelsValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Show only this part: 1:00-2:30, 90-, -0:10.5, 44100f-90000f, 25%-50%, chapter:3.",
      valueName: "start-end"),
    transform: TimeRangeValue.init)
  var range: TimeRangeValue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Lowest level drawn, in dB, -200 to -1.",
      discussion: "Default: -70; for spectrograms -100.", valueName: "dB"))
  var noiseFloor: Double?

  @Flag(
    name: .customLong("no-antialias"),
    help: "Draw the first sample of each bar instead of its mean level.")
  var takesFirst = false

  @Flag(help: "Draw damaged files as far as they decode.")
  var salvage = false

  func validate() throws {
    if let noiseFloor, !LevelSettings.noiseFloorRange.contains(noiseFloor) {
      throw ValidationError("--noise-floor \(noiseFloor) is not within -200 to -1.")
    }
  }

  var levels: LevelSettings {
    LevelSettings(noiseFloor: noiseFloor, method: takesFirst ? .first : .mean)
  }
}

/// The value of `--channels`: `merged`, `split` or a channel's number.
struct ChannelsValue {
  let channels: PlotChannels

  init(_ text: String) throws {
    switch text {
    case "merged": channels = .merged
    case "split": channels = .split
    default:
      guard let number = Decimal.wholeValue(text), (1...256).contains(number) else {
        throw ValidationError("channels are merged, split or a channel number, from 1")
      }
      channels = .channel(number)
    }
  }
}
