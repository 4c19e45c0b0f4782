internal import AudioIO
internal import AudioModel

/// Playing a file that grows.
extension PlayerEngine {
  /// The watcher of the file that is decoded or heard, if it grows.
  var follower: Follower? {
    (sequence?.track ?? status.track).flatMap { queue.follower(at: $0.index) }
  }

  /// Waits until an item that grows has something to play; `nil` if the player is stopped before, or if it is not
  /// audio.
  func follow(_ follower: Follower, index: Int) -> Track? {
    let start = ContinuousClock.now
    while !isStopped {
      for case .command(.stop) in player.takeMessages() { isStopped = true }
      if follower.isReady, let (track, _) = follower.newest {
        follower.take(track)
        return track
      }
      if follower.isComplete || follower.hasFailed {
        reportFailure(of: follower, index: index)
        return nil
      }
      outlet.pause()
      status.isWaiting = true
      // A pipe mostly has something at once.
      let isPipe = queue.items[index].isPipe
      if !isPipe || ContinuousClock.now - start > Follower.lead { player.publish(status) }
      player.wait(milliseconds: 20)
    }
    return nil
  }

  /// Reports once why an item that grows cannot be played to its end.
  func reportFailure(of follower: Follower, index: Int) {
    guard let failure = follower.takeFailure(), !queue.cancellation.isCancelled else { return }
    player.report(.failed(queue.items[index], failure))
  }

  /// Plays a file from its start that took the place of the one that is followed.
  func followReplacement() {
    guard let follower, let (track, _) = follower.newest,
      let replacement = follower.takeReplacement()
    else { return }
    player.report(.replaced(track.item, replacement))
    follower.take(track)
    outlet.discard()
    (status.loop, status.loopStart) = (nil, nil)
    status.track = nil
    begin(track, at: 0)
  }

  /// All that came, from its start, if each file repeats.
  func repeated(by follower: Follower) -> Track? {
    status.loopsTrack ? follower.newest.map { Track($0.track, start: 0) } : nil
  }

  /// Waits for more of what grows, after everything there was is heard; `false` if none will come.
  func waitForMore() -> Bool {
    guard let follower, let heard = sequence?.track ?? status.track else { return false }
    let isComplete = follower.isComplete
    if isComplete, follower.next(after: heard) == nil {
      reportFailure(of: follower, index: heard.index)
      guard heard.isPartial, let track = repeated(by: follower) else { return false }
      begin(track, at: 0)
      return true
    }
    if !status.isWaiting {
      outlet.drain()
      publish()
      (status.track, status.frame) = (heard, Double(heard.source.frameCount))
      (sequence, renderer) = (nil, nil)
      status.isWaiting = true
    }
    outlet.pause()
    guard let (track, age) = follower.newest else { return true }
    let more = Double(track.source.frameCount) - status.frame
    guard more >= 1 else { return true }
    let lead = Follower.lead / .seconds(1) * Double(track.source.spec.sampleRate)
    if more >= lead || age >= Follower.lead || isComplete {
      follower.take(track)
      begin(track, at: Int(status.frame))
    }
    return true
  }
}
