internal import AudioModel

/// The player's reactions to commands and to events of its output.
extension PlayerEngine {
  func handle(_ message: PlayerMessage) {
    switch message {
    case .command(let command): handle(command)
    case .output(let number, let event) where number == outlet.number: handle(event)
    case .output: break
    }
  }

  private func handle(_ command: Player.Command) {
    switch command {
    case .play: resume()
    case .pause:
      isHeldBack = false
      pause()
    case .toggle: status.state == .playing ? handle(.pause) : resume()
    case .seek(let frame): seek(to: frame)
    case .move(let seconds):
      publish()
      guard let rate = status.track?.source.spec.sampleRate else { return }
      seek(to: Int((status.frame + seconds * Double(rate)).rounded()))
    case .skip(let places): skip(places)
    case .setRate(let rate):
      status.rate = min(max(rate, Player.rateRange.lowerBound), Player.rateRange.upperBound)
      applyRate()
    case .setSemitones(let semitones):
      let range = Player.semitoneRange
      status.semitones = min(max(semitones, range.lowerBound), range.upperBound)
      applyRate()
    case .compare: compare()
    case .setVolume(let volume):
      status.volume = volume
      outlet.set(volume)
    case .markLoop: markLoop()
    case .setLoop(let range): setLoop(range)
    case .setLoopsTrack(let loops):
      status.loopsTrack = loops
      sequence?.loopsTrack = loops
      // The end may have been decoded already.
      if loops, sequence?.track.index != status.track?.index || sequence?.isAtEnd == true {
        publish()
        seek(to: Int(status.frame))
      }
    case .stop: isStopped = true
    }
  }

  /// Sets a rate or a pitch, which is then heard.
  private func applyRate() {
    if status.hearsSource { compare() }
    renderer?.set(rate: status.rate, semitones: status.semitones)
  }

  private func compare() {
    publish()
    guard let track = status.track else { return }
    let isUnscaled = !status.hearsSource
    let other = track.unscaled(isUnscaled)
    if isUnscaled, other === track, status.rate == 1, status.semitones == 0 { return }
    status.hearsSource = isUnscaled
    if other === track {
      renderer?.set(rate: heardRate, semitones: heardSemitones)
      return
    }
    func moved(_ frame: Int) -> Int { track.frame(Double(frame), unscaled: isUnscaled) }
    status.loop = status.loop.map { range in
      let start = moved(range.lowerBound)
      return start..<max(start + 1, moved(range.upperBound))
    }
    status.loopStart = status.loopStart.map(moved)
    let frame = track.frame(status.frame, unscaled: isUnscaled)
    if renderer == nil {
      hold(other, at: frame)
    } else if status.state == .paused || !splice(unscaled: isUnscaled) {
      restart(other, at: frame)
    }
  }

  private func pause() {
    guard status.state == .playing else { return }
    outlet.pause()
    publish()
    status.state = .paused
  }

  private func resume() {
    guard status.state == .paused else { return }
    isHeldBack = false
    status.state = .playing
    if outlet.output == nil, let track = status.track {
      begin(track, at: Int(status.frame))
    } else {
      outlet.resume()
    }
  }

  /// Goes to a frame of the file that is heard.
  private func seek(to frame: Int) {
    publish()
    guard var track = status.track else { return }
    // The end of a file that grows is where it is now.
    if frame >= track.source.frameCount, let newest = follower?.newest?.track {
      track = newest
      follower?.take(track)
    }
    let end = track.source.frameCount
    let frame = frame == status.track?.source.frameCount ? end : min(max(0, frame), end)
    // The end of a file that repeats is its start.
    restart(track, at: frame == end && status.loopsTrack && follower == nil ? 0 : frame)
  }

  /// Discards what is queued, and plays from a frame of a file.
  private func restart(_ track: Track, at frame: Int) {
    outlet.discard()
    if status.track?.index != track.index { (status.loop, status.loopStart) = (nil, nil) }
    if outlet.output == nil, status.state == .paused {
      hold(track, at: frame)
    } else {
      begin(track, at: frame)
      status.frame = Double(frame)
    }
  }

  private func skip(_ places: Int) {
    publish()
    guard let current = status.track, places != 0 else { return }
    let target = min(max(current.index + places, 0), queue.items.count - 1)
    if target == current.index {
      if places < 0 { seek(to: 0) }
      return
    }
    guard let track = open(from: target, by: places.signum()) else { return }
    restart(track, at: 0)
  }

  private func markLoop() {
    publish()
    if status.loop != nil { return setLoop(nil) }
    let frame = Int(status.frame)
    guard let first = status.loopStart else {
      status.loopStart = frame
      return
    }
    guard frame != first else { return }
    setLoop(min(first, frame)..<max(first, frame))
  }

  private func setLoop(_ range: Range<Int>?) {
    publish()
    guard let track = status.track, let asked = range, !asked.isEmpty else {
      (status.loop, status.loopStart) = (nil, nil)
      sequence?.setLoop(nil)
      return
    }
    let range = asked.clamped(to: 0..<max(1, track.source.frameCount))
    (status.loop, status.loopStart) = (range, range.lowerBound)
    let isAhead = sequence?.track.index == track.index && (sequence?.frame ?? 0) <= range.upperBound
    if isAhead, sequence?.isAtEnd == false, range.contains(Int(status.frame)) {
      sequence?.setLoop(range)
    } else {
      restart(track, at: range.contains(Int(status.frame)) ? Int(status.frame) : range.lowerBound)
    }
  }

  private func handle(_ event: SoundEvent) {
    switch event {
    case .moved(let name): player.report(.moved(name))
    case .corked(true), .suspended(true):
      if status.state == .playing {
        pause()
        isHeldBack = true
      }
    case .corked(false), .suspended(false): if isHeldBack { resume() }
    case .lost(let name):
      outlet.abandon()
      publish()
      (sequence, renderer) = (nil, nil)
      status.state = .paused
      player.report(.lost(name))
    }
  }
}
