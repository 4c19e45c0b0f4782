internal import AudioIO
internal import AudioModel
internal import ScaleAudio
internal import TimeScaling

/// The thread of a player: opens files, fills the queue of the output, and does what it is asked to.
final class PlayerEngine {
  let player: Player
  let queue: PlayQueue
  let outlet: PlayerOutlet
  var status = PlayerStatus()
  /// The tracks that are decoded; `nil` before the first file and at the end.
  var sequence: TrackSequence?
  var renderer: Renderer?
  private let start: TypedTime?
  private let engine: LiveEngine
  var isStopped = false
  /// Files that could not be read to their end.
  var broken: Set<Int> = []
  /// True if another program, or the machine, paused the sound.
  var isHeldBack = false
  /// The first file that is opened only when everything before it was heard, because it is yet to come.
  private var pending: Int?

  init(_ player: Player, _ queue: PlayQueue, _ settings: PlayerSettings, _ output: PlayerOutput) {
    self.player = player
    self.queue = queue
    outlet = PlayerOutlet(player, output, volume: settings.volume)
    start = settings.start
    engine = settings.usesVocoder ? .vocoder : .best
    status.rate = settings.rate
    status.semitones = settings.semitones
    status.volume = settings.volume
    status.loopsTrack = settings.loopsTrack
  }

  /// Plays until the end, or until it is asked to stop.
  func run() {
    if let track = open(from: 0, by: 1) {
      let frame = start.map { Int($0.frames(at: track.source.spec.sampleRate)) } ?? 0
      status.state = .playing
      begin(track, at: min(max(0, frame), track.source.frameCount))
    } else {
      isStopped = true
    }
    while !isStopped {
      for message in player.takeMessages() { handle(message) }
      if isStopped { break }
      followReplacement()
      let hasRoom = renderer?.fill(outlet.queue) ?? false
      outlet.startIfNeeded(isPlaying: status.state == .playing)
      publish()
      if isAtEnd, !goOn() { break }
      let isBusy = status.state == .playing && outlet.output != nil
      player.wait(milliseconds: hasRoom ? 0 : isBusy ? 10 : 50)
    }
    queue.stopFollowing()
    outlet.close()
    status.state = .ended
    player.publish(status)
    player.report(.ended)
  }

  // MARK: - Files

  /// Opens the first file that can be played, from a place in a direction.
  func open(from index: Int, by step: Int) -> Track? {
    var index = index
    while queue.items.indices.contains(index), !isStopped {
      if let follower = queue.follower(at: index) {
        if let track = follow(follower, index: index) { return track.unscaled(status.hearsSource) }
        index += step
        continue
      }
      do throws(AudioFileError) {
        let track = try queue.track(at: index)
        broken.remove(index)
        return track.unscaled(status.hearsSource)
      } catch {
        player.report(.failed(queue.items[index], error))
        index += step
      }
    }
    return nil
  }

  /// Begins to play at a frame of an open file; what is queued was discarded or heard.
  ///
  /// With a splice, it continues the output that is open.
  func begin(_ track: Track, at frame: Int, splice: Splice? = nil) {
    if status.isWaiting {
      status.isWaiting = false
      if status.state == .playing { outlet.resume() }
    }
    do {
      if splice == nil, try !outlet.open(for: track.source.spec) { return hold(track, at: frame) }
    } catch {
      player.report(.silenced(error))
      return hold(track, at: frame)
    }
    var (track, frame) = (track, frame)
    do throws(AudioFileError) {
      if broken.contains(track.index) {
        track = try queue.track(at: track.index).unscaled(status.hearsSource)
        broken.remove(track.index)
      }
      try track.stream.seek(toFrame: track.limited(frame))
      // An estimate may have been too long.
      frame = track.limited(frame)
    } catch {
      player.report(.failed(track.item, error))
      broken.insert(track.index)
      guard let next = open(from: track.index + 1, by: 1) else {
        (sequence, renderer) = (nil, nil)
        return
      }
      return begin(next, at: 0)
    }
    guard let spec = outlet.output?.spec else { return }
    let sequence = TrackSequence(
      track, frame: frame, outputLayout: spec.layout,
      nextTrack: { [unowned self] in nextTrack(after: $0) },
      onFailure: { [unowned self] track, error in
        // A file that changes is opened again.
        if track.item.follows { return }
        broken.insert(track.index)
        player.report(.failed(track.item, error))
      })
    sequence.loopsTrack = status.loopsTrack
    if status.track === track || status.track?.index == track.index {
      sequence.setLoop(status.loop)
    }
    self.sequence = sequence
    renderer = Renderer(
      sequence, rate: heardRate, semitones: heardSemitones, engine: engine,
      outputRate: spec.sampleRate, firstOutput: outlet.queue?.written ?? 0, splice: splice)
    queue.prepare(track.index + 1)
  }

  /// The rate and the pitch that are heard.
  var heardRate: Double { status.hearsSource ? 1 : status.rate }
  var heardSemitones: Double { status.hearsSource ? 0 : status.semitones }

  /// After the queued samples, switches to the source of the current sound, or back, at the same moment; `false` if
  /// nothing was made yet.
  func splice(unscaled isUnscaled: Bool) -> Bool {
    guard let renderer, let end = outlet.queue?.written,
      let position = renderer.table.position(of: end)
    else { return false }
    let splice = renderer.splice(at: end)
    begin(
      position.track.unscaled(isUnscaled),
      at: position.track.frame(position.frame, unscaled: isUnscaled), splice: splice)
    return true
  }

  /// Waits at a frame until an output can be opened.
  func hold(_ track: Track, at frame: Int) {
    (sequence, renderer) = (nil, nil)
    status.track = track
    status.frame = Double(frame)
    status.state = .paused
  }

  private func nextTrack(after track: Track) -> Track? {
    pending = nil
    if let follower = queue.follower(at: track.index) {
      if let next = follower.next(after: track) { return next }
      guard follower.isComplete else {
        pending = track.index + 1
        return nil
      }
      reportFailure(of: follower, index: track.index)
      if track.isPartial, let whole = repeated(by: follower),
        (try? whole.stream.seek(toFrame: 0)) != nil
      {
        return whole
      }
    }
    if let follower = queue.follower(at: track.index + 1), !follower.isReady {
      pending = track.index + 1
      return nil
    }
    let next = open(from: track.index + 1, by: 1)
    if let next { queue.prepare(next.index + 1) }
    return next
  }

  /// True if everything that was decoded was played, or is on its way to an output that stays.
  private var isAtEnd: Bool {
    guard status.state == .playing else { return false }
    guard let renderer else { return outlet.output != nil || status.track == nil }
    guard renderer.isAtEnd else { return false }
    return (sequence?.following != nil && outlet.isFixed) || outlet.queue?.filled == 0
  }

  /// Goes on with the next file; `false` at the end.
  private func goOn() -> Bool {
    if waitForMore() { return true }
    let following = sequence?.following
    if following == nil || !outlet.isFixed {
      outlet.drain()
      publish()
    }
    let later = pending
    pending = nil
    guard let next = following ?? later.flatMap({ open(from: $0, by: 1) }) else { return false }
    begin(next, at: 0)
    return true
  }

  // MARK: - Position

  /// Publishes what is heard now.
  func publish() {
    if let renderer, let position = renderer.table.position(of: outlet.heardFrames) {
      renderer.table.trim(before: outlet.heardFrames)
      if status.track !== position.track {
        if status.track?.index != position.track.index {
          (status.loop, status.loopStart) = (nil, nil)
        }
        let isNew = status.track?.index != position.track.index || hasNotStarted
        status.track = position.track
        if isNew { player.report(.started(position.track)) }
        hasNotStarted = false
      }
      let source = position.track.source
      status.frame =
        source.lengthBasis == .estimated
        ? position.frame : min(position.frame, Double(source.frameCount))
    }
    status.underrunCount = outlet.underrunCount
    player.publish(status)
  }

  private var hasNotStarted = true
}
