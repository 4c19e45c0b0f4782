internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import Dispatch
internal import ScaleAudio

/// Watches a file that grows while it is played, such as a recording in progress.
///
/// A thread opens the file again when it is longer. Each opening sees the bytes that were there at that moment, of which it counts
/// what can be decoded whole.
final class Follower: Sendable {
  private struct State {
    /// The newest opening that has audio, and since when there is one.
    var newest: Track?
    var since = ContinuousClock.now
    /// Whether the newest is another file than those before, or one that became shorter.
    var replacement: Replacement?
    var failure: AudioFileError?
    /// Where the reader of the next opening goes before it is handed over.
    var start = 0
    var isStopped = false
  }

  private let state = Locked(State())
  private let stopping = DispatchSemaphore(value: 0)

  /// How often the file is looked at, and how long it is left alone after an opening, in openings.
  private static let (interval, rest) = (Duration.milliseconds(250), 4)
  /// A file of fewer bytes may have no header yet.
  private static var headerBytes: Int { 1 << 16 }

  /// Calls `onNews` when there is something new.
  init(_ item: PlayItem, _ cancellation: Cancellation, onNews: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "scaleaudio.follower").async { [state, stopping] in
      var seen: FileStatus?
      while !state.withLock({ $0.isStopped }) {
        let start = ContinuousClock.now
        let status = FileStatus(path: item.input.path)
        if let status, status.stamp != seen?.stamp || status.identity != seen?.identity {
          Self.open(item, status, seen, cancellation, state)
          seen = status
          onNews()
        } else if status == nil, seen == nil {
          state.withLock { $0.failure = .cannotOpen(item.input.path, .noSuchFileOrDirectory) }
          return onNews()
        }
        let took = ContinuousClock.now - start
        let pause = max(Self.interval, took * Self.rest)
        _ = stopping.wait(timeout: .now() + .milliseconds(Int(pause / .milliseconds(1))))
      }
    }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    stopping.signal()
  }

  /// The newest opening, and how long it has been there.
  var newest: (track: Track, age: Duration)? {
    state.withLock { state in
      state.newest.map { ($0, ContinuousClock.now - state.since) }
    }
  }

  /// Why the file can never be played.
  var failure: AudioFileError? { state.withLock { $0.failure } }

  /// How the file was replaced since the last call; `nil` if it was not.
  func takeReplacement() -> Replacement? {
    state.withLock { state in
      let replacement = state.replacement
      state.replacement = nil
      return replacement
    }
  }

  /// The newest opening if it goes on after the end of another one, its reader at that end.
  func next(after track: Track) -> Track? {
    let end = track.source.frameCount
    let newest = state.withLock { state -> Track? in
      guard state.replacement == nil, let newest = state.newest, newest.source.frameCount > end,
        newest.source.spec == track.source.spec
      else { return nil }
      state.start = newest.source.frameCount
      return newest
    }
    guard let newest else { return nil }
    if newest.start == end { return newest }
    guard (try? newest.reader.seek(toFrame: end)) != nil else { return nil }
    return Track(newest, start: end)
  }

  /// Says which opening is played.
  func take(_ track: Track) { state.withLock { $0.start = track.source.frameCount } }

  private static func open(
    _ item: PlayItem, _ status: FileStatus, _ seen: FileStatus?, _ cancellation: Cancellation,
    _ state: Locked<State>
  ) {
    var replacement: Replacement?
    if let seen, state.withLock({ $0.newest != nil }) {
      if status.identity != seen.identity {
        replacement = .another
      } else if status.stamp.size < seen.stamp.size {
        replacement = .shorter
      }
    }
    if let replacement {
      state.withLock { ($0.replacement, $0.start, $0.newest) = (replacement, 0, nil) }
    }
    do throws(AudioFileError) {
      let track = try Opening.track(item, index: 0, cancellation)
      guard track.source.frameCount > 0 else { return }
      let start = min(state.withLock { $0.start }, track.source.frameCount)
      try track.reader.seek(toFrame: start)
      state.withLock { state in
        if let newest = state.newest, newest.source.frameCount >= track.source.frameCount { return }
        (state.newest, state.since) = (Track(track, start: start), .now)
      }
    } catch {
      // What is written at this moment may be whole at the next.
      let hasNone = state.withLock { $0.newest == nil && replacement == nil }
      if hasNone, status.stamp.size >= headerBytes { state.withLock { $0.failure = error } }
    }
  }
}

/// What happened to a file that is followed.
package enum Replacement: Sendable {
  /// The path is that of another file.
  case another
  /// It became shorter.
  case shorter
}
