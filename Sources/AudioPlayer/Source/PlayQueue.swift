internal import AudioFiles
package import AudioIO
package import ScaleAudio

/// A file to be played.
package struct PlayItem: Hashable, Sendable {
  package let input: ConversionInput
  /// The name that a playlist gives it.
  package let title: String?

  /// What its samples are if it has no header.
  package let raw: RawPCM?
  /// The conversion whose output is heard; `nil` for the file as it is. The method is not `stretch`.
  package let conversion: ConversionSettings?

  /// Whether it grows while it is played.
  package let follows: Bool

  package init(
    _ input: ConversionInput, title: String? = nil, raw: RawPCM? = nil,
    conversion: ConversionSettings? = nil, follows: Bool = false
  ) {
    self.input = input
    self.title = title
    self.raw = raw
    self.conversion = conversion
    self.follows = follows
  }
}

/// A file that is open.
package final class Track: @unchecked Sendable {
  /// Its place in the queue, from 0.
  package let index: Int
  package let item: PlayItem
  package let source: SourceDescription
  /// Used by one thread at a time.
  let reader: any TrackReader
  /// The frame that its reader was left at.
  let start: Int
  /// The reader of what the item's conversion makes, if there is one.
  private let converted: ConvertedReader?
  /// Whether the item has a conversion, but its source is heard.
  let isUnscaled: Bool

  private init(
    index: Int, item: PlayItem, reader: any TrackReader, converted: ConvertedReader?,
    isUnscaled: Bool
  ) {
    (self.index, self.item, self.reader) = (index, item, reader)
    (self.converted, self.isUnscaled) = (converted, isUnscaled)
    source = reader.source
    start = 0
  }

  /// The same with its reader at another frame.
  init(_ track: Track, start: Int) {
    (index, item, source, reader) = (track.index, track.item, track.source, track.reader)
    (converted, isUnscaled) = (track.converted, track.isUnscaled)
    self.start = start
  }

  /// What is heard of an item whose file is open.
  convenience init(
    index: Int, item: PlayItem, reader: any AudioFileReader
  ) throws(AudioFileError) {
    var converted: ConvertedReader?
    if let settings = item.conversion {
      converted = try ConvertedReader(reader, settings, path: item.input.path)
    }
    self.init(
      index: index, item: item, reader: converted ?? PlainReader(reader), converted: converted,
      isUnscaled: false)
  }

  /// The same item as its source, or as its conversion; itself if it has no conversion.
  func unscaled(_ isUnscaled: Bool) -> Track {
    guard let converted, isUnscaled != self.isUnscaled else { return self }
    return Track(
      index: index, item: item,
      reader: isUnscaled ? PlainReader(converted.scaled.unscaled) : converted,
      converted: converted, isUnscaled: isUnscaled)
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
  /// Standard input can be read once.
  private var spooled: [Int: Track] = [:]

  init(_ items: [PlayItem], cancellation: Cancellation) {
    self.items = items
    self.cancellation = cancellation
  }

  /// Opens a file, or returns it if it was opened ahead.
  func track(at index: Int) throws(AudioFileError) -> Track {
    if let track = spooled[index] {
      try track.reader.seek(toFrame: 0)
      return track
    }
    let ahead = opening
    opening = nil
    let track =
      if let ahead, ahead.index == index {
        try ahead.result()
      } else {
        try Opening.track(items[index], index: index, cancellation)
      }
    if items[index].input == .standardInput { spooled[index] = track }
    return track
  }

  /// Begins to open a file on another thread, if there is one of this index.
  func prepare(_ index: Int) {
    guard items.indices.contains(index), opening?.index != index, spooled[index] == nil,
      items[index].input != .standardInput
    else { return }
    opening = Opening(items[index], index: index, cancellation)
  }
}
