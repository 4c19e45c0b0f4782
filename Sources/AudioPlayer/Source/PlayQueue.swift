internal import AudioFiles
package import AudioIO
internal import AudioModel
package import ScaleAudio

/// A file to be played.
package struct PlayItem: Hashable, Sendable {
  package let input: ConversionInput
  /// The name that a playlist gives it.
  package let title: String?

  /// The encoding of its samples if it has no header.
  package let raw: RawPCM?
  /// The conversion whose output is heard; `nil` for the file as it is. The method is not `stretch`.
  package let conversion: ConversionSettings?
  /// The length that the live engine gives it, besides the rate of the player, if that depends on the file.
  package let pace: TimeRequest?

  /// Whether it grows while it is played.
  package let follows: Bool
  /// Whether it is standard input or a named pipe, which can be read once and is played while it comes.
  package let isPipe: Bool
  /// Whether its length and its damage are found before it is heard. An output that takes no time would overtake a
  /// measurement that runs beside it.
  package let isMeasuredFirst: Bool

  package init(
    _ input: ConversionInput, title: String? = nil, raw: RawPCM? = nil,
    conversion: ConversionSettings? = nil, pace: TimeRequest? = nil, follows: Bool = false,
    isPipe: Bool = false, isMeasuredFirst: Bool = false
  ) {
    self.input = input
    self.title = title
    self.raw = raw
    self.conversion = conversion
    self.pace = pace
    self.follows = follows
    self.isPipe = isPipe || input == .standardInput
    self.isMeasuredFirst = isMeasuredFirst
  }

  /// Whether what is heard of it depends on where it ends.
  var needsItsEnd: Bool { conversion != nil || pace != nil }
}

/// A file that is open.
package final class Track: @unchecked Sendable {
  /// Its place in the queue, from 0.
  package let index: Int
  package let item: PlayItem
  /// Its description: the length may be estimated until it is measured.
  package var source: SourceDescription { measurement?.source ?? opened }
  private let opened: SourceDescription
  private let measurement: Measurement?
  /// Used by one thread at a time.
  let reader: any TrackReader
  /// The frame that its reader was left at.
  let start: Int
  /// The reader of what the item's conversion makes, if there is one.
  private let converted: ConvertedReader?
  /// What the live engine makes of its frames; `nil` if they pass unless the player has a rate or a pitch.
  private let settledPace: TimeMap?
  /// Whether the item has a conversion or a pace, but its source is heard.
  let isUnscaled: Bool
  /// Whether the item grows, and this is what was there when it was opened.
  let isPartial: Bool

  private init(
    index: Int, item: PlayItem, reader: any TrackReader, converted: ConvertedReader?,
    pace: TimeMap?, measurement: Measurement?, isUnscaled: Bool, isPartial: Bool
  ) {
    (self.index, self.item, self.reader) = (index, item, reader)
    (self.converted, settledPace) = (converted, pace)
    (self.isUnscaled, self.isPartial) = (isUnscaled, isPartial)
    (opened, self.measurement) = (reader.source, measurement)
    start = 0
  }

  /// The same with its reader at another frame.
  init(_ track: Track, start: Int) {
    (index, item, reader) = (track.index, track.item, track.reader)
    (opened, measurement) = (track.opened, track.measurement)
    (converted, settledPace) = (track.converted, track.settledPace)
    (isUnscaled, isPartial) = (track.isUnscaled, track.isPartial)
    self.start = start
  }

  /// What is heard of an item whose file is open.
  convenience init(
    index: Int, item: PlayItem, reader: any FrameStream, damage: AudioFileError?,
    measurement: Measurement? = nil, isPartial: Bool = false
  ) throws(AudioFileError) {
    var converted: ConvertedReader?
    if let settings = item.conversion {
      converted = try ConvertedReader(reader, settings, path: item.input.path, damage: damage)
    }
    let heard: any TrackReader =
      converted ?? PlainReader(reader, damage: damage, measurement: measurement)
    let pace = try item.pace.flatMap { (time) throws(AudioFileError) in
      try Pace.map(of: heard.source, time, path: item.input.path)
    }
    self.init(
      index: index, item: item, reader: heard, converted: converted, pace: pace,
      measurement: measurement, isUnscaled: false, isPartial: isPartial)
  }

  /// The same item as its source, or as its conversion and at its pace; itself if it has neither.
  func unscaled(_ isUnscaled: Bool) -> Track {
    guard converted != nil || settledPace != nil, isUnscaled != self.isUnscaled else { return self }
    var reader = reader
    if let converted {
      reader = isUnscaled ? PlainReader(converted.scaled.unscaled) : converted
    }
    return Track(
      index: index, item: item, reader: reader, converted: converted, pace: settledPace,
      measurement: measurement, isUnscaled: isUnscaled, isPartial: isPartial)
  }

  /// What the live engine makes of its frames, besides the rate of the player: their positions in the output.
  var pace: TimeMap? { isUnscaled ? nil : settledPace }

  /// Input frames / output frames at a frame, at a rate of the player.
  package func speed(at frame: Double, rate: Double) -> Double {
    guard let pace else { return rate }
    let last = Double(max(0, source.frameCount - 1))
    let start = min(max(0, frame), last)
    return rate / (pace.output(at: start + 1) - pace.output(at: start))
  }

  /// Where a frame of this track lies in ``unscaled(_:)`` of it.
  func frame(_ frame: Double, unscaled isUnscaled: Bool) -> Int {
    guard let scaled = converted?.scaled, isUnscaled != self.isUnscaled else {
      return Int(frame.rounded())
    }
    let place = isUnscaled ? scaled.unscaledFrame(at: frame) : scaled.frame(atUnscaled: frame)
    return Int(place.rounded())
  }
}

/// The files to be played, in their order; opens the next one before it is needed.
final class PlayQueue {
  let items: [PlayItem]
  let cancellation: Cancellation
  private var opening: Opening?
  /// The watchers of the items that grow.
  private var followers: [Int: Follower] = [:]
  private let onNews: @Sendable () -> Void

  /// A queue that calls `onNews` when an item that grows has grown.
  init(
    _ items: [PlayItem], cancellation: Cancellation, onNews: @escaping @Sendable () -> Void
  ) {
    self.items = items
    self.cancellation = cancellation
    self.onNews = onNews
  }

  /// The watcher of an item, if it grows.
  func follower(at index: Int) -> Follower? {
    guard items.indices.contains(index), items[index].follows || items[index].isPipe else {
      return nil
    }
    if let follower = followers[index] { return follower }
    let follower = Follower(items[index], index: index, cancellation, onNews: onNews)
    followers[index] = follower
    return follower
  }

  func stopFollowing() {
    for follower in followers.values { follower.stop() }
  }

  /// Opens a file, or returns it if it was opened ahead; of an item that grows, the part written so far.
  func track(at index: Int) throws(AudioFileError) -> Track {
    if let follower = follower(at: index) { return try follower.opened() }
    let ahead = opening
    opening = nil
    if let ahead, ahead.index == index { return try ahead.result() }
    return try Opening.track(items[index], index: index, cancellation)
  }

  /// Begins to open a file on another thread, if there is one of this index.
  func prepare(_ index: Int) {
    guard items.indices.contains(index), opening?.index != index, follower(at: index) == nil
    else { return }
    opening = Opening(items[index], index: index, cancellation)
  }
}
