internal import AudioFiles
package import AudioIO
internal import AudioModel
package import ScaleAudio

/// A file to be played.
package struct PlayItem: Hashable, Sendable {
  package let input: ConversionInput
  /// The title from a playlist.
  package let title: String?

  /// The encoding of its samples if it has no header.
  package let raw: RawPCM?
  /// The encoding of texts for which the file states none; `nil` for the usual one.
  package let tagEncoding: TextEncoding?
  /// The conversion whose output is heard; `nil` for the file as it is. The method is not `stretch`.
  package let conversion: ConversionSettings?
  /// The length that the live engine produces, apart from the rate of the player, if it depends on the file.
  package let pace: TimeRequest?

  /// True when the file may grow during playback.
  package let follows: Bool
  /// True for standard input and named pipes, which can be read once and are played while data arrives.
  package let isPipe: Bool
  /// True when length and damage are determined before playback. An output that takes no time would overtake a
  /// measurement in parallel.
  package let isMeasuredFirst: Bool

  package init(
    _ input: ConversionInput, title: String? = nil, raw: RawPCM? = nil,
    tagEncoding: TextEncoding? = nil, conversion: ConversionSettings? = nil,
    pace: TimeRequest? = nil, follows: Bool = false, isPipe: Bool = false,
    isMeasuredFirst: Bool = false
  ) {
    self.input = input
    self.title = title
    self.raw = raw
    self.tagEncoding = tagEncoding
    self.conversion = conversion
    self.pace = pace
    self.follows = follows
    self.isPipe = isPipe || input == .standardInput
    self.isMeasuredFirst = isMeasuredFirst
  }

  /// True when the audible result depends on where the file ends.
  var needsItsEnd: Bool { conversion != nil || pace != nil }
}

/// The files to play, in an order. Opens the next one before it is needed.
final class PlayQueue {
  let items: [PlayItem]
  /// The numbers of the items, as they follow each other.
  private var order: [Int]
  /// True if the first item follows the last.
  var repeats = false
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
    order = Array(items.indices)
    self.cancellation = cancellation
    self.onNews = onNews
  }

  /// The item to begin with.
  var first: Int? { order.first }

  /// The item so many places after another, or before it; `nil` beyond the ends.
  func index(_ places: Int, from index: Int) -> Int? {
    guard let place = order.firstIndex(of: index) else { return nil }
    let wanted = place + places
    if order.indices.contains(wanted) { return order[wanted] }
    let count = order.count
    return repeats ? order[((wanted % count) + count) % count] : nil
  }

  /// Leaves the order to chance, after an item that comes first, or plays the items as they were named.
  func shuffle(_ isShuffled: Bool, from index: Int? = nil) {
    order = Array(items.indices)
    guard isShuffled else { return }
    order.shuffle()
    guard let index, let place = order.firstIndex(of: index) else { return }
    order.swapAt(0, place)
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

  /// Opens a file, or returns it if it was opened ahead. For a growing item, this is the part written so far.
  func track(at index: Int) throws(AudioFileError) -> Track {
    if let follower = follower(at: index) { return try follower.opened() }
    let ahead = opening
    opening = nil
    if let ahead, ahead.index == index { return try ahead.result() }
    return try Opening.track(items[index], index: index, cancellation)
  }

  /// Begins to open the file after another on another thread, if there is one.
  func prepare(after current: Int) {
    guard let index = index(1, from: current), opening?.index != index, follower(at: index) == nil
    else { return }
    opening = Opening(items[index], index: index, cancellation)
  }
}
