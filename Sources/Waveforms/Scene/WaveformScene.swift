public import AudioModel

/// The content of a picture, as values for renderers.
public struct WaveformScene: Hashable, Sendable {
  /// The sources from top to bottom, on one time axis.
  public var tracks: [WaveformTrack]

  /// A scene of these sources.
  public init(tracks: [WaveformTrack]) {
    self.tracks = tracks
  }

  /// The length of the time axis in seconds; 0 if there is no audio.
  public var seconds: Double { tracks.map(\.outline.seconds).max() ?? 0 }

  /// The loudest level of all lanes that show levels, in dB; `nil` if there are none.
  public var loudest: Double? {
    tracks.flatMap(\.lanes).compactMap { lane in
      if case .levels(let levels) = lane { levels.loudest } else { nil }
    }.max()
  }

  /// The greatest magnitude of all lanes that show peaks, full scale 1; `nil` if there are none.
  public var peak: Double? {
    tracks.flatMap(\.lanes).compactMap { lane in
      if case .peaks(let peaks) = lane { peaks.peak } else { nil }
    }.max()
  }

  /// The same scene, with all spectrograms up to the highest frequency that one of them needs.
  var fittingFrequencies: WaveformScene {
    var scene = self
    let highest = tracks.flatMap(\.lanes).map { lane in
      if case .spectrum(let spectrogram) = lane { spectrogram.neededFrequency } else { 0.0 }
    }.max()
    guard let highest else { return scene }
    for track in scene.tracks.indices {
      for lane in scene.tracks[track].lanes.indices {
        guard case .spectrum(let spectrogram) = scene.tracks[track].lanes[lane] else { continue }
        scene.tracks[track].lanes[lane] = .spectrum(spectrogram.closeUp(to: highest))
      }
    }
    return scene
  }
}

/// One source of a scene with its lanes.
public struct WaveformTrack: Hashable, Sendable {
  /// The properties that are known before the audio is read.
  public var outline: TrackOutline
  /// The content of each lane, in the order of the lane names. If a style has two lanes for each name, such as
  /// ``WaveformStyle/both``, they are consecutive.
  public var lanes: [LaneContent]

  /// A source with its lanes.
  public init(outline: TrackOutline, lanes: [LaneContent]) {
    self.outline = outline
    self.lanes = lanes
  }

  /// The number of frames over the width of the lanes, without those that do not fill a bar.
  var scaledFrames: Int {
    guard case .levels(let levels) = lanes.first else { return outline.frames.count }
    return levels.values.count * levels.framesPerValue
  }

  /// The time from the start to the end of the lanes. Differences of less than a bar are ignored.
  var shownSeconds: Double {
    guard case .levels(let levels) = lanes.first,
      outline.frames.count - scaledFrames >= levels.framesPerValue
    else { return outline.seconds }
    return Double(scaledFrames) / Double(outline.sampleRate)
  }
}

extension LaneContent {
  /// The reason for which a lane shows nothing, in words; `nil` if it shows something.
  func emptiness(_ outline: TrackOutline) -> String? {
    if outline.frames.isEmpty { return "no audio" }
    switch self {
    case .levels(let levels):
      return levels.loudest <= levels.noiseFloor ? "silence" : nil
    // Below -80 dB, as `info` has it.
    case .peaks(let peaks): return peaks.peak < 1e-4 ? "silence" : nil
    case .spectrum: return nil
    case .loudness(let curve):
      if curve.momentary.contains(where: { $0 > LoudnessCurve.range.lowerBound }) { return nil }
      return outline.seconds < 0.4 ? "shorter than 0.4 s: no loudness" : "silence"
    }
  }
}

/// The properties of a source in a picture that are known before its audio is read.
public struct TrackOutline: Hashable, Sendable {
  /// The name of the source, such as a file name.
  public var name: String
  /// The rest of the title, such as length, sample rate and layout.
  public var facts: String
  /// The sample rate, in Hz.
  public var sampleRate: Int
  /// The range of frames to show.
  public var frames: Range<Int>
  /// The name of each lane; may be empty.
  public var laneNames: [String]
  /// Chapters and marks.
  public var markers: [TimeMarker]
  /// The bits of a sample, if they are fewer than 16.
  public var bitDepth: Int

  /// An outline of a source that shows `frames`.
  public init(
    name: String, facts: String, sampleRate: Int, frames: Range<Int>, laneNames: [String],
    markers: [TimeMarker] = [], bitDepth: Int = 16
  ) {
    self.name = name
    self.facts = facts
    self.sampleRate = max(1, sampleRate)
    self.frames = frames
    self.laneNames = laneNames
    self.markers = markers
    self.bitDepth = bitDepth
  }

  /// The greatest sample that the source can have, with 16 bits.
  var fullScale: Int16 {
    let missing = 16 - max(2, min(bitDepth, 16))
    return (Int16.max >> missing) << missing
  }

  /// The length shown, in seconds.
  public var seconds: Double { Double(frames.count) / Double(sampleRate) }
  /// The start of the range shown, in seconds.
  public var startSeconds: Double { Double(frames.lowerBound) / Double(sampleRate) }
}

/// A named position in a source.
public struct TimeMarker: Hashable, Sendable {
  /// The kind of marker.
  public enum Kind: Hashable, Sendable {
    /// The start of a chapter.
    case chapter
    /// A cue point, or the start of a region.
    case mark
  }

  /// The kind of marker.
  public var kind: Kind
  /// The position in seconds from the start of the source.
  public var seconds: Double
  /// The label; may be empty.
  public var label: String

  /// A marker at a position in seconds from the start of the source.
  public init(kind: Kind, seconds: Double, label: String) {
    self.kind = kind
    self.seconds = seconds
    self.label = label
  }
}

extension TrackOutline {
  /// The length, sample rate and layout of a source as text: `4:10.25  ·  44.1 kHz  ·  stereo`. If only a part is
  /// shown, the text begins with its range: `1:00–1:30 of 4:10.25  ·  …`.
  public static func facts(frameCount: Int, spec: AudioSpec, shown: Range<Int>? = nil) -> String {
    var length = ClockText.length(spec.seconds(frames: frameCount))
    if let shown, shown != 0..<frameCount {
      let (start, end) = (
        spec.seconds(frames: shown.lowerBound), spec.seconds(frames: shown.upperBound)
      )
      length = "\(ClockText.position(start))–\(ClockText.position(end)) of \(length)"
    }
    let kilohertz = DecimalText.text(Double(spec.sampleRate) / 1000, maximumDecimals: 3)
    return [length, kilohertz + " kHz", spec.layout.description].joined(separator: "  ·  ")
  }
}
