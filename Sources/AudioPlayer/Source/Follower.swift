internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import Dispatch
internal import ScaleAudio

/// Watches a source that grows during playback: a recording in progress, or data from a pipe.
///
/// A thread reopens the source when it has grown. Each opening sees the bytes available at that moment, and counts the
/// frames that are complete. When a pipe has ended, the last opening covers the whole file.
final class Follower: Sendable {
  private struct State {
    /// The newest opening that has audio, and the time of that opening.
    var newest: Track?
    var since = ContinuousClock.now
    /// Set when the newest opening is another file, or the file became shorter.
    var replacement: Replacement?
    var failure: AudioFileError? { didSet { hasFailed = hasFailed || failure != nil } }
    private(set) var hasFailed = false
    /// True when no more openings will follow.
    var isComplete = false
    /// The frame to which the next opening's stream seeks before it is handed over.
    var start = 0
    var isStopped = false
  }

  private let item: PlayItem
  private let index: Int
  private let cancellation: Cancellation
  private let pipe: PipeSpool?
  private let state: Locked<State>
  private let wake: DispatchSemaphore

  /// The polling intervals before and after the first opening, and the pause after an opening, as a multiple of the
  /// opening's own time.
  private static let (firstInterval, interval, rest) = (
    Duration.milliseconds(20), Duration.milliseconds(250), 4
  )
  /// A file of fewer bytes may have no header yet.
  private static var headerBytes: Int { 1 << 16 }
  /// The length that must be buffered, or the time without growth, before playback begins or continues.
  static var lead: Duration { .seconds(1) }

  /// Calls `onNews` when the file has changed.
  init(
    _ item: PlayItem, index: Int, _ cancellation: Cancellation,
    onNews: @escaping @Sendable () -> Void
  ) {
    let (state, wake) = (Locked(State()), DispatchSemaphore(value: 0))
    (self.item, self.index, self.cancellation) = (item, index, cancellation)
    (self.state, self.wake) = (state, wake)
    var pipe: PipeSpool?
    do throws(AudioFileError) {
      if item.isPipe {
        pipe = try PipeSpool(
          item.input == .standardInput ? nil : item.input.path,
          isCancelled: { cancellation.isCancelled }, onEnd: { wake.signal() })
      }
    } catch {
      state.withLock { ($0.failure, $0.isComplete) = (error, true) }
    }
    self.pipe = pipe
    if isComplete { return }
    DispatchQueue(label: "scaleaudio.follower").async { [self] in
      if let pipe = self.pipe { watch(pipe, onNews) } else { watchFile(onNews) }
    }
  }

  private func watchFile(_ onNews: () -> Void) {
    var seen: FileStatus?
    while !isStopped {
      let start = ContinuousClock.now
      let status = FileStatus(path: item.input.path)
      if let status, status.stamp != seen?.stamp || status.identity != seen?.identity {
        open(status, seen)
        seen = status
        onNews()
      } else if status == nil, seen == nil {
        state.withLock { $0.failure = .cannotOpen(item.input.path, .noSuchFileOrDirectory) }
        return onNews()
      }
      wait(since: start, atLeast: Self.interval)
    }
  }

  private func watch(_ pipe: PipeSpool, _ onNews: () -> Void) {
    var seen = 0
    while !isStopped {
      let start = ContinuousClock.now
      let progress = pipe.progress
      if progress.isEnded {
        openWhole(pipe, progress.failure)
        return onNews()
      }
      // The result of a conversion depends on the length.
      if !item.needsItsEnd, progress.byteCount > seen {
        seen = progress.byteCount
        if let track = try? opening(of: pipe, grows: true) {
          take(newest: track)
          onNews()
        }
      }
      wait(since: start, atLeast: newest == nil ? Self.firstInterval : Self.interval)
    }
    pipe.stop()
  }

  private func wait(since start: ContinuousClock.Instant, atLeast interval: Duration) {
    let pause = max(interval, (ContinuousClock.now - start) * Self.rest)
    _ = wake.wait(timeout: .now() + .milliseconds(Int(pause / .milliseconds(1))))
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  func stop() {
    state.withLock { $0.isStopped = true }
    wake.signal()
  }

  /// The newest opening, and the time since it was made.
  var newest: (track: Track, age: Duration)? {
    state.withLock { state in
      state.newest.map { ($0, ContinuousClock.now - state.since) }
    }
  }

  /// True when enough is buffered to start playback.
  var isReady: Bool {
    if !item.isPipe || isComplete { return newest != nil }
    guard let (track, age) = newest else { return false }
    return age >= Self.lead
      || Double(track.source.frameCount) / Double(track.source.spec.sampleRate)
        >= Self.lead / .seconds(1)
  }

  /// True when the file is complete.
  var isComplete: Bool { state.withLock { $0.isComplete } }

  /// True when it cannot be played, or not to its end.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// The reason why it cannot be played, or not to its end; only at the first call.
  func takeFailure() -> AudioFileError? {
    state.withLock { state in
      let failure = state.failure
      state.failure = nil
      return failure
    }
  }

  /// How the file was replaced since the last call; `nil` if it was not.
  func takeReplacement() -> Replacement? {
    state.withLock { state in
      let replacement = state.replacement
      state.replacement = nil
      return replacement
    }
  }

  /// The newest opening if it continues after the end of another one, its stream at that end.
  func next(after track: Track) -> Track? {
    if item.needsItsEnd { return nil }
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
    guard (try? newest.stream.seek(toFrame: end)) != nil else { return nil }
    return Track(newest, start: end)
  }

  /// Records which opening is played.
  func take(_ track: Track) { state.withLock { $0.start = track.source.frameCount } }

  /// Opens it as it is now, from its start.
  func opened() throws(AudioFileError) -> Track {
    guard let pipe else { return try Opening.track(item, index: index, cancellation) }
    return try opening(of: pipe, grows: !isComplete || hasFailed)
  }

  private func opening(of pipe: PipeSpool, grows: Bool) throws(AudioFileError) -> Track {
    try Opening.track(item, index: index, of: try pipe.input(), grows: grows, cancellation)
  }

  /// Opens the data of a pipe that has ended; if it is damaged, its decodable part.
  private func openWhole(_ pipe: PipeSpool, _ failure: AudioFileError?) {
    var failure = failure
    do throws(AudioFileError) {
      let track = try opening(of: pipe, grows: failure != nil)
      take(newest: track)
    } catch {
      failure = failure ?? error
      if !item.needsItsEnd, let track = try? opening(of: pipe, grows: true) {
        take(newest: track)
      }
    }
    state.withLock { ($0.failure, $0.isComplete) = (failure, true) }
  }

  private func open(_ status: FileStatus, _ seen: FileStatus?) {
    var replacement: Replacement?
    if let seen, newest != nil {
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
      take(newest: try Opening.track(item, index: index, cancellation))
    } catch {
      // A frame that is still being written may be complete at the next attempt.
      let hasNone = newest == nil && replacement == nil
      if hasNone, status.stamp.size >= Self.headerBytes { state.withLock { $0.failure = error } }
    }
  }

  /// Makes an opening the newest one if it has more frames than the previous one.
  private func take(newest track: Track) {
    guard track.source.frameCount > 0 else { return }
    let start = min(state.withLock { $0.start }, track.source.frameCount)
    guard start == 0 || (try? track.stream.seek(toFrame: start)) != nil else { return }
    state.withLock { state in
      let count = state.newest?.source.frameCount ?? 0
      guard track.source.frameCount > count || !track.isPartial else { return }
      (state.newest, state.since) = (Track(track, start: start), .now)
    }
  }
}

/// The kind of change that replaced a followed file.
package enum Replacement: Sendable {
  /// The path names another file now.
  case another
  /// The file became shorter.
  case shorter
}
