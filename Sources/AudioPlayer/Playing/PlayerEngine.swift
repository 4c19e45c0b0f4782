internal import AudioIO
internal import AudioModel
internal import Dispatch
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
  private let engine: StretchSettings.Engine
  private let gain: GainSource
  var isStopped = false
  /// Files that could not be read to their end.
  var broken: Set<Int> = []
  /// Files that failed since something was heard: a list of only such files does not repeat.
  private var silent: Set<Int> = []
  /// The number of rounds of loops that were heard.
  private var heardRound = 0
  /// True if another program, or the machine, paused the sound.
  var isHeldBack = false
  /// The number of times that each file is played, and that the file being decoded, of this number, was begun.
  private var rounds: Int
  private var begun = (file: 0, times: 1)
  /// The first file that is opened only when everything before it was heard, because it is yet to come.
  private var pending: Int?

  init(_ player: Player, _ queue: PlayQueue, _ settings: PlayerSettings, _ output: PlayerOutput) {
    self.player = player
    self.queue = queue
    outlet = PlayerOutlet(player, output, volume: settings.volume)
    start = settings.start
    engine = settings.engine
    gain = settings.gain
    status.rate = settings.rate
    status.semitones = settings.semitones
    status.volume = settings.volume
    status.loopsTrack = settings.rounds > 1
    (status.loopsList, status.isShuffled) = (settings.loopsList, settings.isShuffled)
    queue.repeats = settings.loopsList
    queue.shuffle(settings.isShuffled)
    rounds = settings.rounds
  }

  /// Plays until the end, or until it is asked to stop.
  func run() {
    if let track = open(from: queue.first, by: 1) {
      let frame = start.map { Int($0.frames(at: track.source.spec.sampleRate)) } ?? 0
      status.state = .playing
      begin(track, at: min(max(0, frame), track.source.frameCount))
    } else {
      isStopped = true
    }
    while !isStopped {
      for message in player.takeMessages() { handle(message) }
      // The thread that would ask it to stop may wait for a reader of its output.
      if queue.cancellation.isCancelled { isStopped = true }
      if isStopped { break }
      noteTurn()
      followReplacement()
      let hasRoom = renderer?.fill(outlet.queue) ?? false
      outlet.startIfNeeded(isPlaying: status.state == .playing)
      noteStall()
      publish()
      player.noteDone()
      growAfterUnderrun()
      if isAtEnd, !goOn() { break }
      let isBusy = status.state == .playing && outlet.output != nil
      player.wait(milliseconds: hasRoom ? 0 : isBusy ? 10 : 50)
    }
    queue.stopFollowing()
    if isStopped { outlet.fadeOut() }
    outlet.close()
    status.state = .ended
    player.publish(status)
    player.report(.ended)
  }

  // MARK: - Files

  /// Opens the first file that can be played, from a number in a direction.
  func open(from first: Int?, by step: Int) -> Track? {
    var next = first
    // In a list that repeats, no file is tried twice.
    var tries = 0
    while let index = next, tries < queue.items.count, !isStopped {
      next = queue.index(step, from: index)
      tries += 1
      if silent.count >= queue.items.count { return nil }
      if let follower = queue.follower(at: index) {
        if let track = follow(follower, index: index) {
          // In a list that repeats, its stream may be at its end.
          let whole = Track(track, start: 0).unscaled(status.hearsSource)
          if (try? whole.stream.seek(toFrame: 0)) != nil { return whole }
        }
        silent.insert(index)
        continue
      }
      do throws(AudioFileError) {
        let track = try queue.track(at: index)
        broken.remove(index)
        return track.unscaled(status.hearsSource)
      } catch {
        silent.insert(index)
        player.report(.failed(queue.items[index], error))
      }
    }
    return nil
  }

  /// Begins to play at a frame of an open file; what is queued was heard, or is replaced.
  ///
  /// With a splice, it continues the output that is open.
  func begin(
    _ track: Track, at frame: Int, splice: Splice? = nil, replacing isReplacing: Bool = false
  ) {
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
      silent.insert(track.index)
      guard let next = open(from: queue.index(1, from: track.index), by: 1) else {
        (sequence, renderer) = (nil, nil)
        if isReplacing {
          _ = outlet.takeBack()
          outlet.release()
        }
        return
      }
      return begin(next, at: 0, replacing: isReplacing)
    }
    guard let spec = outlet.output?.spec else { return }
    do {
      if splice == nil { try reserve(track, from: frame) }
    } catch {
      player.report(.silenced(error))
      return hold(track, at: frame)
    }
    if begun.file != track.index { begun = (track.index, 1) }
    if matched != track.index { (match, matched) = (LevelMatch(), track.index) }
    beginning = SoundMonitor.now
    let sequence = TrackSequence(
      track, frame: frame, outputLayout: spec.layout, fadesJumps: outlet.fades,
      round: heardRound,
      repeats: { [unowned self] in takeRound() },
      nextTrack: { [unowned self] track, isSilent in
        // A list that repeats ends after a round without sound; what is heard clears it.
        if isSilent { silent.insert(track.index) }
        return nextTrack(after: track)
      },
      gain: { [gain] in ReplayGain(of: $0.source.metadata, gain).factor },
      match: match,
      onFailure: { [unowned self] track, error in
        // A file that changes is opened again.
        if track.item.follows { return }
        broken.insert(track.index)
        silent.insert(track.index)
        player.report(.failed(track.item, error))
      })
    if status.track === track || status.track?.index == track.index {
      sequence.setLoop(status.loop)
    }
    sequence.between = status.between
    self.sequence = sequence
    let renderer = Renderer(
      sequence, rate: heardRate, semitones: heardSemitones, engine: engine,
      outputRate: spec.sampleRate, firstOutput: isReplacing ? 0 : outlet.queue?.written ?? 0,
      splice: splice, level: status.hearsSource ? sourceLevel : 1,
      hearsSource: status.hearsSource, match: match)
    self.renderer = renderer
    if isReplacing {
      // The queued sound goes on meanwhile.
      renderer.prepare()
      renderer.fade(from: outlet.takeBack())
      renderer.fill(outlet.queue)
      outlet.release()
    }
    queue.prepare(after: track.index)
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
    if isUnscaled { measureSource(of: position.track) }
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
        pending = queue.index(1, from: track.index)
        return nil
      }
      reportFailure(of: follower, index: track.index)
      if track.isPartial, let whole = repeated(by: follower),
        (try? whole.stream.seek(toFrame: 0)) != nil
      {
        return whole
      }
    }
    let following = queue.index(1, from: track.index)
    if let following, let follower = queue.follower(at: following), !follower.isReady {
      pending = following
      return nil
    }
    let next = open(from: following, by: 1)
    if let next {
      do {
        try reserve(next, from: 0)
      } catch {
        player.report(.silenced(error))
        return nil
      }
      begun = (next.index, 1)
      queue.prepare(after: next.index)
    }
    return next
  }

  /// Throws if the output cannot take all rounds of a track, which begins at a frame.
  private func reserve(_ track: Track, from frame: Int) throws(SoundError) {
    guard let output = outlet.output, outlet.isFixed else { return }
    let count = track.source.frameCount
    let frames =
      track.outputFrames(of: min(frame, count)..<count)
      + track.outputFrames(of: 0..<count) * Double(status.loopsTrack ? rounds - 1 : 0)
    let ratio = Double(output.spec.sampleRate) / Double(track.source.spec.sampleRate)
    try output.reserve(frames: frames / heardRate * ratio)
  }

  /// Begins another round of the file that is decoded; `false` if it does not repeat any more.
  func takeRound() -> Bool {
    guard status.loopsTrack, begun.times < rounds else { return false }
    begun.times += 1
    return true
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
        if isNew {
          status.gain = ReplayGain(of: position.track.source.metadata, gain).decibels
          noteOrder()
          player.report(.started(position.track))
        }
        hasNotStarted = false
      }
      let source = position.track.source
      countRounds(position)
      if position.frame > 0 { silent = [] }
      status.frame =
        source.lengthBasis == .estimated
        ? position.frame : min(position.frame, Double(source.frameCount))
    }
    status.underrunCount = outlet.underrunCount
    player.publish(status)
  }

  /// Counts the rounds of a loop, and has the trainer change the rate.
  private func countRounds(_ position: PositionTable.Position) {
    let rate = Double(outlet.output?.spec.sampleRate ?? 1)
    status.breakSeconds = position.stillFrames.map { $0 / max(1, rate) }
    let begun = position.round - heardRound
    heardRound = position.round
    guard status.loop != nil, !status.hearsSource else { return }
    for _ in 0..<max(0, begun) {
      status.round += 1
      guard let trainer = status.trainer, (status.round - 1) % trainer.rounds == 0,
        status.rate < trainer.goal
      else { continue }
      set(rate: min(trainer.goal, ((status.rate + trainer.step) * 1000).rounded() / 1000))
    }
  }

  private var hasNotStarted = true
  /// The levels of the file that is heard, and the factor of its source while that is compared with the result.
  private var match = LevelMatch()
  private var sourceLevel: Float = 1
  private var matched: Int?
  /// Counts the measurements of a source, so that an earlier one is known.
  private var measurement = 0
  private var measuredIndex: Int?
  /// Stops the last measurement of a source.
  private var measuring: Cancellation?
  private let sourceLevels = DispatchQueue(label: "scaleaudio.source-level", qos: .utility)
  private var knownUnderruns = 0
  /// When the sound began or went on: what it lacks soon after that is no fault of the buffer.
  private var beginning = 0.0
  private static let beginningSeconds = 0.5

  private var lastTurn = 0.0

  /// Notes the time of a turn: after a stop of the process or of the machine, missing sound is no fault of the buffer.
  private func noteTurn() {
    let now = SoundMonitor.now
    if lastTurn > 0, now - lastTurn > Self.beginningSeconds { beginning = now }
    lastTurn = now
  }

  /// Reports an output that accepts no sound, and its next delivery. A seek or another output is none.
  private func noteStall() {
    let isPlaying = status.state == .playing && !status.isWaiting
    if !status.isStalled {
      guard isPlaying, let stall = outlet.stall(since: beginning) else { return }
      status.isStalled = true
      return player.report(.stalled(stall, status))
    }
    if isPlaying, !outlet.hasDelivered { return }
    status.isStalled = false
    // Sound that was missing meanwhile is no fault of the buffer.
    beginning = SoundMonitor.now
    if isPlaying { player.report(.continued(status)) }
  }

  /// Has the output hold more when the sound broke off.
  private func growAfterUnderrun() {
    let count = outlet.underrunCount
    defer { knownUnderruns = count }
    guard count > knownUnderruns, status.state == .playing, !status.isWaiting, !status.isStalled,
      SoundMonitor.now - beginning > Self.beginningSeconds, renderer != nil
    else { return }
    let (growth, isInPlace) = outlet.grow()
    guard let growth else { return }
    if !isInPlace { reopen() }
    player.report(.grew(growth))
  }

  /// Plays on from another output, which may hold more.
  func reopen() {
    guard let track = status.track, renderer != nil else { return }
    let frame = Int(status.frame)
    outlet.abandon()
    begin(track, at: frame)
  }

  /// Notes whether a file follows.
  func noteOrder() {
    status.hasNext = status.track.flatMap { queue.index(1, from: $0.index) } != nil
  }
}

/// The player's reactions to commands and to events of its output.
extension PlayerEngine {
  func handle(_ message: PlayerMessage) {
    switch message {
    case .command(let command): handle(command)
    case .sourceLevel(let level, let measurement):
      take(sourceLevel: level, measurement: measurement)
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
    case .go(let index): go(to: index, by: 1)
    case .seekPart(let part, let count): seek(toPart: part, of: count)
    case .skipChapters(let places): skipChapters(places)
    case .setRate(let rate): set(rate: rate)
    case .changeRate(let steps): set(rate: ((status.rate * 20).rounded() + Double(steps)) / 20)
    case .scaleRate(let factor): set(rate: status.rate * factor)
    case .shiftRate(let hundredths):
      set(rate: ((status.rate * 100).rounded() + Double(hundredths)) / 100)
    case .setSemitones(let semitones): set(semitones: semitones)
    case .changeSemitones(let semitones):
      // Sums of hundredths stay hundredths.
      set(semitones: ((status.semitones + semitones) * 100).rounded() / 100)
    case .compare: compare()
    case .setVolume(let volume): set(volume)
    case .changeVolume(let steps):
      let level = ((status.volume.level * 20).rounded() + Double(steps)) / 20
      set(Volume(level: level, isMuted: status.volume.isMuted))
    case .toggleMute:
      set(Volume(level: status.volume.level, isMuted: !status.volume.isMuted))
    case .markLoop: markLoop()
    case .setLoop(let range): setLoop(range)
    case .moveLoop(let start, let end): moveLoop(start: start, end: end)
    case .toggleBetween(let between):
      set(between: status.between == between ? .nothing : between)
    case .setBetween(let between): set(between: between)
    case .nextTrainer: nextTrainer()
    case .setLoopsTrack(let loops): set(loopsTrack: loops)
    case .setLoopsList(let loops): set(loopsList: loops)
    case .nextRepeat:
      let (wasFile, wasList) = (status.loopsTrack, status.loopsList)
      set(loopsTrack: !wasFile && !wasList)
      set(loopsList: wasFile && queue.items.count > 1)
    case .setShuffled(let isShuffled): set(isShuffled: isShuffled)
    case .toggleShuffled: set(isShuffled: !status.isShuffled)
    case .stop: isStopped = true
    }
  }

  func set(rate: Double) {
    status.rate = min(max(rate, Player.rateRange.lowerBound), Player.rateRange.upperBound)
    applyRate()
  }

  private func set(semitones: Double) {
    let range = Player.semitoneRange
    status.semitones = min(max(semitones, range.lowerBound), range.upperBound)
    applyRate()
  }

  private func set(between: LoopBreak) {
    status.between = between
    sequence?.between = between
    if between == .nothing { endBreak() }
  }

  /// Ends the pause or the clicks that are heard.
  private func endBreak() {
    publish()
    guard status.breakSeconds != nil, let track = status.track else { return }
    restart(track, at: status.loop?.lowerBound ?? Int(status.frame))
  }

  private func nextTrainer() {
    let steps = [0.01, 0.02, 0.05]
    let next = status.trainer.map { trainer in steps.first { $0 > trainer.step } } ?? steps[0]
    let goal = status.rate < 1 ? 1 : min(Player.rateRange.upperBound, status.rate + 0.25)
    status.trainer = next.map { Trainer(step: $0, goal: goal) }
  }

  private func set(_ volume: Volume) {
    status.volume = volume
    outlet.set(volume)
  }

  private func set(loopsTrack loops: Bool) {
    status.loopsTrack = loops
    rounds = .max
    // The end may have been decoded already.
    if loops, sequence?.track.index != status.track?.index || sequence?.isAtEnd == true {
      publish()
      seek(to: Int(status.frame))
    }
  }

  private func set(loopsList loops: Bool) {
    (status.loopsList, queue.repeats) = (loops, loops)
    changeOrder()
  }

  private func set(isShuffled: Bool) {
    guard isShuffled != status.isShuffled else { return }
    status.isShuffled = isShuffled
    queue.shuffle(isShuffled, from: status.track?.index)
    changeOrder()
  }

  /// Has another file follow than the one that may have been decoded already.
  private func changeOrder() {
    publish()
    noteOrder()
    guard let track = status.track else { return }
    queue.prepare(after: track.index)
    if let sequence,
      sequence.track.index != track.index || sequence.isAtEnd || sequence.following != nil
    {
      seek(to: Int(status.frame))
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
      sourceLevel = match.factor
      renderer?.set(level: isUnscaled ? sourceLevel : 1, hearsSource: isUnscaled)
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
      if isUnscaled { measureSource(of: track) }
      restart(other, at: frame)
    }
  }

  /// Finds the factor by which the source of a conversion is as loud as its result. Their streams are elsewhere then:
  /// what plays on seeks first. Where seeking may take long, another opening of the file is measured on another thread.
  private func measureSource(of result: Track) {
    sourceLevel = 1
    measurement += 1
    measuredIndex = result.index
    measuring?.cancel()
    let source = result.unscaled(true)
    guard let layout = outlet.output?.spec.layout, source !== result, !source.item.follows,
      !source.item.isPipe
    else { return }
    // The same second of both.
    let half = result.source.spec.sampleRate / 2
    let frame = min(max(0, Int(status.frame)), result.source.frameCount)
    let heard = max(0, frame - half)..<min(result.source.frameCount, frame + half)
    func place(_ frame: Int) -> Int { result.frame(Double(frame), unscaled: true) }
    let other = place(heard.lowerBound)..<max(place(heard.lowerBound), place(heard.upperBound))
    if source.stream.seeking == .direct, result.stream.seeking == .direct {
      sourceLevel = LevelMatch.factor(source, other, result, heard, in: layout)
      return
    }
    let cancellation = Cancellation(parent: queue.cancellation)
    measuring = cancellation
    // One after another: switching to and fro opens the file once at a time.
    sourceLevels.async { [player, measurement] in
      guard !cancellation.isCancelled,
        let opened = try? Opening.track(result.item, index: result.index, cancellation)
      else { return }
      let factor = LevelMatch.factor(opened.unscaled(true), other, opened, heard, in: layout)
      player.post(.sourceLevel(factor, measurement: measurement))
    }
  }

  /// Plays the source as loud as its result, unless something else is heard meanwhile.
  func take(sourceLevel level: Float, measurement number: Int) {
    guard number == measurement, status.hearsSource, status.track?.index == measuredIndex else {
      return
    }
    sourceLevel = level
    renderer?.set(level: level, hearsSource: true)
  }

  private func pause() {
    guard status.state == .playing else { return }
    outlet.pause()
    publish()
    status.state = .paused
    player.report(.paused(status))
  }

  private func resume() {
    guard status.state == .paused else { return }
    defer { if status.state == .playing { player.report(.resumed(status)) } }
    isHeldBack = false
    beginning = SoundMonitor.now
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
    restart(track, at: frame == end && follower == nil && takeRound() ? 0 : frame)
  }

  private func seek(toPart part: Int, of count: Int) {
    publish()
    guard let frames = status.track?.source.frameCount, count > 0 else { return }
    // The first frame of that part.
    seek(to: frames / count * part + (frames % count * part + count - 1) / count)
  }

  private func skipChapters(_ places: Int) {
    publish()
    guard let track = status.track else { return }
    let starts = track.chapterStarts
    if places > 0 {
      let next = starts.filter { $0 > status.frame + 1 }
      guard let start = next.dropFirst(places - 1).first ?? next.last else { return }
      seek(to: Int(start))
    } else if places < 0 {
      // Soon after its start, a chapter is left for the one before.
      let grace = Double(track.source.spec.sampleRate * 2)
      let before = starts.filter { $0 < status.frame - grace }
      seek(to: Int(before.dropLast(-places - 1).last ?? 0))
    }
  }

  /// Plays from a frame of a file in place of what is queued.
  private func restart(_ track: Track, at frame: Int) {
    if status.track?.index != track.index { (status.loop, status.loopStart) = (nil, nil) }
    if outlet.output == nil, status.state == .paused {
      hold(track, at: frame)
    } else {
      begin(track, at: frame, replacing: true)
      status.frame = Double(frame)
    }
  }

  private func skip(_ places: Int) {
    publish()
    guard let current = status.track, places != 0 else { return }
    guard let target = queue.index(places, from: current.index) else {
      if places < 0 { seek(to: 0) }
      return
    }
    go(to: target, by: places.signum())
  }

  private func go(to index: Int, by step: Int) {
    publish()
    guard queue.items.indices.contains(index) else { return }
    if index == status.track?.index { return seek(to: 0) }
    silent = []
    guard let track = open(from: index, by: step) else { return }
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

  private func moveLoop(start: Double, end: Double) {
    guard let track = status.track else { return }
    let rate = Double(track.source.spec.sampleRate)
    func moved(_ frame: Int, by seconds: Double) -> Int {
      min(max(0, frame + Int((seconds * rate).rounded())), track.source.frameCount)
    }
    guard let loop = status.loop else {
      status.loopStart = status.loopStart.map { moved($0, by: start) }
      return
    }
    let first = moved(loop.lowerBound, by: start)
    let last = moved(loop.upperBound, by: end)
    // A loop has 10 ms at least.
    guard Double(last - first) >= rate / 100 else { return }
    setLoop(first..<last, keepsRound: true)
  }

  private func setLoop(_ range: Range<Int>?, keepsRound: Bool = false) {
    publish()
    if !keepsRound { status.round = 1 }
    guard let track = status.track, let asked = range, !asked.isEmpty else {
      (status.loop, status.loopStart) = (nil, nil)
      sequence?.setLoop(nil)
      endBreak()
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
    case .cannotGrow: if status.state == .playing { reopen() }
    case .lost(let name):
      outlet.abandon()
      publish()
      (sequence, renderer) = (nil, nil)
      status.state = .paused
      player.report(.lost(name))
    }
  }
}

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
    (status.loop, status.loopStart) = (nil, nil)
    status.track = nil
    begin(track, at: 0, replacing: true)
  }

  /// All that came, from its start, if each file repeats.
  func repeated(by follower: Follower) -> Track? {
    guard let whole = follower.newest, takeRound() else { return nil }
    return Track(whole.track, start: 0)
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
