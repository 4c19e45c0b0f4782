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

  /// Whether it grows while it is played.
  package let follows: Bool

  package init(
    _ input: ConversionInput, title: String? = nil, raw: RawPCM? = nil, follows: Bool = false
  ) {
    self.input = input
    self.title = title
    self.raw = raw
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
  let reader: any AudioFileReader
  /// The frame that its reader was left at.
  let start: Int

  init(index: Int, item: PlayItem, reader: any AudioFileReader) {
    self.index = index
    self.item = item
    self.reader = reader
    source = reader.source
    start = 0
  }

  /// The same with its reader at another frame.
  init(_ track: Track, start: Int) {
    (index, item, source, reader) = (track.index, track.item, track.source, track.reader)
    self.start = start
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
