public import AudioIO
public import AudioModel
public import Waveforms

/// The channels that a picture shows.
public enum PlotChannels: Hashable, Sendable {
  /// One lane: the greatest peaks and the mean powers of all channels. In data, the mean of their samples.
  case merged
  /// A lane for each channel, with its speaker's name.
  case split
  /// One lane: this channel, counted from 1.
  case channel(Int)
}

/// The content and the appearance of a picture of audio.
public struct PlotSettings: Hashable, Sendable {
  /// The appearance of the picture.
  public var picture: PictureSettings
  /// How the levels of bars are computed.
  public var levels: LevelSettings
  /// How peaks are written as data.
  public var data: WaveformDataSettings
  /// The channels shown. `nil` merges all channels for bars, for both and for data, and shows a lane for each channel
  /// in envelopes and spectrograms. Loudness is always that of all channels.
  public var channels: PlotChannels?
  /// The part shown, clamped to the audio; `nil` for all of it.
  public var range: TimeRange?
  /// The action if the picture already exists.
  public var existing: ExistingOutput
  /// True when the readable part of a damaged source is shown; otherwise such a source is refused.
  public var salvages: Bool
  /// The audio track shown, from 1; `nil` for the first.
  public var track: Int?
  /// The declaration of headerless sources; `nil` if their content shows the format.
  public var raw: RawPCM?
  /// The encoding of texts for which the file states none.
  public var tagEncoding: TextEncoding?

  /// Settings; by default a whole file as an envelope.
  public init(
    picture: PictureSettings = PictureSettings(), levels: LevelSettings = LevelSettings(),
    data: WaveformDataSettings = WaveformDataSettings(),
    channels: PlotChannels? = nil, range: TimeRange? = nil, existing: ExistingOutput = .refuse,
    salvages: Bool = false, track: Int? = nil
  ) {
    self.picture = picture
    self.levels = levels
    self.data = data
    self.channels = channels
    self.range = range
    self.existing = existing
    self.salvages = salvages
    self.track = track
  }

  /// The settings for data, whose channels are merged unless some are chosen.
  var forData: PlotSettings {
    var settings = self
    settings.channels = channels ?? .merged
    return settings
  }

  /// The channels shown, with the default of the style.
  var shownChannels: PlotChannels {
    switch picture.style {
    case .bars, .both: channels ?? .merged
    case .envelope, .spectrogram: channels ?? .split
    // Loudness is measured over all channels.
    case .loudness: .merged
    }
  }
}
