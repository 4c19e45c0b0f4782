public import AudioModel

/// Everything that a picture tells, as values: what renderers take.
public struct WaveformScene: Hashable, Sendable {
  /// The sources, the first at the top, on one axis of time.
  public var tracks: [WaveformTrack]

  /// A scene of these sources.
  public init(tracks: [WaveformTrack]) {
    self.tracks = tracks
  }

  /// The seconds that the axis of time covers; 0 where there is no audio.
  public var seconds: Double { tracks.map(\.outline.seconds).max() ?? 0 }

  /// The loudest level of all lanes that show levels, in dB; `nil` where none does.
  public var loudest: Double? {
    tracks.flatMap(\.lanes).compactMap { lane in
      if case .levels(let levels) = lane { levels.loudest } else { nil }
    }.max()
  }
}

/// One source of a scene with its lanes.
public struct WaveformTrack: Hashable, Sendable {
  /// What is known of it before it is read.
  public var outline: TrackOutline
  /// What each lane shows, in the order of the outline's lane names.
  public var lanes: [LaneContent]

  /// A source with its lanes.
  public init(outline: TrackOutline, lanes: [LaneContent]) {
    self.outline = outline
    self.lanes = lanes
  }
}

/// What a picture says of a source beside its audio, known before that is read.
public struct TrackOutline: Hashable, Sendable {
  /// What it is called, such as its file's name.
  public var name: String
  /// What else its title says, such as its length, rate and layout.
  public var facts: String
  /// Frames per second, in Hz.
  public var sampleRate: Int
  /// The frames that are shown.
  public var frames: Range<Int>
  /// The name of each lane; empty where it needs none.
  public var laneNames: [String]
  /// Chapters and marks.
  public var markers: [TimeMarker]

  /// A source of so many frames, of which `frames` are shown.
  public init(
    name: String, facts: String, sampleRate: Int, frames: Range<Int>, laneNames: [String],
    markers: [TimeMarker] = []
  ) {
    self.name = name
    self.facts = facts
    self.sampleRate = max(1, sampleRate)
    self.frames = frames
    self.laneNames = laneNames
    self.markers = markers
  }

  /// The seconds that are shown.
  public var seconds: Double { Double(frames.count) / Double(sampleRate) }
  /// The moment at which what is shown begins, in seconds.
  public var startSeconds: Double { Double(frames.lowerBound) / Double(sampleRate) }
}

/// A moment with a name.
public struct TimeMarker: Hashable, Sendable {
  /// What stands at the moment.
  public enum Kind: Hashable, Sendable {
    /// A chapter begins.
    case chapter
    /// A cue point, or the start of a region.
    case mark
  }

  /// What stands at the moment.
  public var kind: Kind
  /// The moment in seconds, from the start of the source.
  public var seconds: Double
  /// What it is called; may be empty.
  public var label: String

  /// A moment, in seconds from the start of the source.
  public init(kind: Kind, seconds: Double, label: String) {
    self.kind = kind
    self.seconds = seconds
    self.label = label
  }
}

extension TrackOutline {
  /// What a title says of a source's audio: `4:10.250, 44.1 kHz, stereo`.
  public static func facts(frameCount: Int, spec: AudioSpec) -> String {
    let length = ClockText.length(spec.seconds(frames: frameCount))
    let kilohertz = DecimalText.text(Double(spec.sampleRate) / 1000, mostDecimals: 3)
    return [length, kilohertz + " kHz", spec.layout.description].joined(separator: "  ·  ")
  }
}
