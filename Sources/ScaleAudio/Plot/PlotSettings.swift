/// Which channels of a source a picture shows.
public enum PlotChannels: Hashable, Sendable {
  /// One lane: the mean of all channels.
  case merged
  /// A lane for each channel, with its speaker's name.
  case split
  /// One lane: this channel, from 1 on.
  case channel(Int)
}

/// Everything that decides what a picture of audio shows, and how.
public struct PlotSettings: Hashable, Sendable {
  /// How the picture looks.
  public var picture: PictureSettings
  /// How the levels of bars are worked out.
  public var levels: LevelSettings
  /// How peaks are written as data.
  public var data: WaveformDataSettings
  /// The channels that are shown; `nil` for all of them merged in bars and in data, each by itself in
  /// other styles.
  public var channels: PlotChannels?
  /// The seconds that are shown, as far as there is audio; `nil` for all.
  public var range: Range<Double>?
  /// What happens when the picture's name is taken.
  public var existing: ExistingOutput
  /// Whether a damaged source is shown as far as it decodes, rather than refused.
  public var salvages: Bool
  /// Which of several audio tracks is shown, from 1 on; `nil` for the first.
  public var track: Int?

  /// What a picture shows; by default a whole file, as bars.
  public init(
    picture: PictureSettings = PictureSettings(), levels: LevelSettings = LevelSettings(),
    data: WaveformDataSettings = WaveformDataSettings(),
    channels: PlotChannels? = nil, range: Range<Double>? = nil, existing: ExistingOutput = .refuse,
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

  /// The same for data, whose channels are merged where none were chosen.
  var forData: PlotSettings {
    var settings = self
    settings.channels = channels ?? .merged
    return settings
  }

  /// The channels that are shown where none were chosen.
  var shownChannels: PlotChannels {
    channels ?? (picture.style == .bars ? .merged : .split)
  }
}
