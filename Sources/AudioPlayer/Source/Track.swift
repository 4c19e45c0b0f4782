internal import AudioFiles
package import AudioIO
internal import AudioModel
internal import ScaleAudio
internal import SystemPackage
internal import TimeScaling

/// A file that is open.
package final class Track: @unchecked Sendable {
  /// Its place in the queue, from 0.
  package let index: Int
  package let item: PlayItem
  /// Its description: the length may be estimated until it is measured.
  package var source: SourceDescription { measurement?.source ?? opened }
  private let opened: SourceDescription
  private let measurement: Measurement?
  /// The frames to play. Used by one thread at a time.
  let stream: any FrameStream
  /// The frame at which its stream stands.
  let start: Int
  /// The output of the item's conversion, if it has one; `heard` ends with the damage of the file.
  private let conversion: (made: ConvertedStream, heard: any FrameStream)?
  /// The map by which the live engine stretches the frames; `nil` if only the player's rate and pitch apply.
  private let settledPace: TimeMap?
  /// True when the item has a conversion or a pace, but its source is played.
  let isUnscaled: Bool
  /// True when the item grows, and the track has only the part that existed when it was opened.
  let isPartial: Bool

  /// Creates the track of an item whose file is open.
  init(
    index: Int, item: PlayItem, stream file: any FrameStream, damage: AudioFileError? = nil,
    measurement: Measurement? = nil, isPartial: Bool = false
  ) throws(AudioFileError) {
    func untilDamage(_ stream: any FrameStream) -> any FrameStream {
      damage.map { DamagedStream(stream, $0) } ?? stream
    }
    let path = item.input.path
    if let settings = item.conversion {
      let made = try AudioFileError.planning(
        path, ConvertedStream.forListening(file, settings: settings, path: path))
      stream = untilDamage(made)
      conversion = (made, stream)
    } else {
      stream = measurement.map { MeasuredStream(file, $0) } ?? untilDamage(file)
      conversion = nil
    }
    let source = stream.source
    opened = source
    settledPace = try item.pace.flatMap { (time) throws(AudioFileError) in
      try Pace.map(of: source, time, path: path)
    }
    (self.index, self.item, self.measurement) = (index, item, measurement)
    (start, isUnscaled, self.isPartial) = (0, false, isPartial)
  }

  /// Copies a track with its stream at another frame, or with another stream.
  private init(
    _ track: Track, start: Int, stream: any FrameStream, isUnscaled: Bool
  ) {
    (index, item) = (track.index, track.item)
    opened = stream.source
    (measurement, conversion, settledPace) = (
      track.measurement, track.conversion, track.settledPace
    )
    (self.start, self.stream) = (start, stream)
    (self.isUnscaled, isPartial) = (isUnscaled, track.isPartial)
  }

  /// Copies a track with its stream at another frame.
  convenience init(_ track: Track, start: Int) {
    self.init(track, start: start, stream: track.stream, isUnscaled: track.isUnscaled)
  }

  /// The same item without or with its conversion and pace; the track itself if it has neither.
  func unscaled(_ isUnscaled: Bool) -> Track {
    guard conversion != nil || settledPace != nil, isUnscaled != self.isUnscaled else {
      return self
    }
    let stream = conversion.map { isUnscaled ? $0.made.unscaled : $0.heard } ?? stream
    return Track(self, start: 0, stream: stream, isUnscaled: isUnscaled)
  }

  /// The starts of chapters, or else of marks or tracks, in frames and in order.
  package var chapterStarts: [Double] {
    let metadata = source.metadata
    if !metadata.chapters.isEmpty { return metadata.chapters.map(\.start).sorted() }
    if !metadata.marks.isEmpty { return metadata.marks.map(\.start).sorted() }
    return metadata.cueSheet?.tracks.dropLast().map(\.offset).sorted() ?? []
  }

  /// The output positions of the frames in the live engine, without the rate of the player.
  var pace: TimeMap? { isUnscaled ? nil : settledPace }

  /// Input frames / output frames at a frame, at a rate of the player.
  package func speed(at frame: Double, rate: Double) -> Double {
    guard let pace else { return rate }
    let last = Double(max(0, source.frameCount - 1))
    let start = min(max(0, frame), last)
    return rate / (pace.output(at: start + 1) - pace.output(at: start))
  }

  /// The frames that a part takes in the live engine, without the rate of the player.
  package func outputFrames(of part: Range<Int>) -> Double {
    guard let pace else { return Double(part.count) }
    return pace.output(at: Double(part.upperBound)) - pace.output(at: Double(part.lowerBound))
  }

  /// Limits a frame to the end of the track, unless the length is estimated.
  func limited(_ frame: Int) -> Int {
    let source = source
    return source.lengthBasis == .estimated ? frame : min(frame, source.frameCount)
  }

  /// The frame in ``unscaled(_:)`` that corresponds to a frame of this track.
  func frame(_ frame: Double, unscaled isUnscaled: Bool) -> Int {
    guard let made = conversion?.made, isUnscaled != self.isUnscaled else {
      return Int(frame.rounded())
    }
    let place = isUnscaled ? made.unscaledFrame(at: frame) : made.frame(atUnscaled: frame)
    return Int(place.rounded())
  }
}

/// The pace of a file whose length is requested by a duration or a map.
enum Pace {
  /// Returns the map by which the live engine stretches a file; `nil` if the length stays the same.
  static func map(
    of source: SourceDescription, _ time: TimeRequest, path: FilePath
  ) throws(AudioFileError) -> TimeMap? {
    let map = try AudioFileError.planning(
      path, ConvertedStream.stretching(source, time, path: path))
    guard let points = map?.points else { return nil }
    for (one, next) in zip(points, points.dropFirst()) {
      let rate = (next.source - one.source) / (next.output - one.output)
      // Decimal fractions are not exact.
      let slack = 1e-9
      let range = StretchSettings.liveRateRange
      guard rate >= range.lowerBound * (1 - slack), rate <= range.upperBound * (1 + slack) else {
        throw .cannotHold(
          path,
          reason: "it would play at a rate of \(rate), which is not within "
            + "\(range.lowerBound) to \(range.upperBound); convert goes further")
      }
    }
    return points.count == 2 && points[1].source == points[1].output ? nil : map
  }
}

extension AudioFileError {
  /// Runs the planning of a conversion; its errors become errors about the file at `path`.
  fileprivate static func planning<Result>(
    _ path: FilePath, _ work: @autoclosure () throws(ConversionError) -> Result
  ) throws(AudioFileError) -> Result {
    do throws(ConversionError) {
      return try work()
    } catch {
      throw error.fileError ?? .cannotHold(path, reason: error.cause, remedy: error.remedy)
    }
  }
}
