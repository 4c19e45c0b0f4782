internal import AudioIO
internal import AudioModel

/// Playing a file that grows.
extension PlayerEngine {
  /// How much has to be there, or how long the file has to stay as it is, before the sound goes on.
  private static var lead: Duration { .seconds(1) }

  /// Begins to follow the first file. Returns it as soon as it has something to play; `nil` if the player is stopped before,
  /// or if it is no audio.
  func follow() -> Track? {
    let follower = Follower(queue.items[0], queue.cancellation) { [player] in player.wakeUp() }
    self.follower = follower
    while !isStopped {
      for case .command(.stop) in player.takeMessages() { isStopped = true }
      if let (track, _) = follower.newest {
        status.isWaiting = false
        follower.take(track)
        return track
      }
      if let failure = follower.failure {
        player.report(.failed(queue.items[0], failure))
        return nil
      }
      status.isWaiting = true
      player.publish(status)
      player.wait(milliseconds: 50)
    }
    return nil
  }

  /// Plays a file from its start that took the place of the one that is followed.
  func followReplacement() {
    guard let follower, let (track, _) = follower.newest,
      let replacement = follower.takeReplacement()
    else { return }
    player.report(.replaced(queue.items[0], replacement))
    follower.take(track)
    outlet.discard()
    (status.loop, status.loopStart) = (nil, nil)
    status.track = nil
    begin(track, at: 0)
  }

  /// Waits for more of the file that is followed, after everything there was is heard; `false` if none is.
  func waitForMore() -> Bool {
    guard let follower else { return false }
    if !status.isWaiting {
      outlet.drain()
      publish()
      if let track = stream?.track {
        (status.track, status.frame) = (track, Double(track.source.frameCount))
      }
      (stream, renderer) = (nil, nil)
      status.isWaiting = true
    }
    outlet.pause()
    guard let (track, age) = follower.newest, let spec = status.track?.source.spec else {
      return true
    }
    let more = Double(track.source.frameCount) - status.frame
    guard more >= 1 else { return true }
    if more >= Self.lead / .seconds(1) * Double(spec.sampleRate) || age >= Self.lead {
      follower.take(track)
      begin(track, at: Int(status.frame))
    }
    return true
  }
}
