import AudioIO
import AudioPlayer
import Glibc
import ScaleAudio
import SystemPackage

/// The request of `scaleaudio play`.
struct PlayRequest {
  let input: InputOptions
  let settings: PlayerSettings
  let sound: PlayedSound
  /// The file of a time map, which replaces the length of what is heard.
  let map: FilePath?
  let output: PlayOutputOptions
  let follows: Bool
  /// True if marks, loops, speed and key are kept.
  let keepsState: Bool
  let tagEncoding: TextEncoding?
  let form: PlayRun.Form
  let isVerbose: Bool
}

/// One run of `scaleaudio play`, from its request to the exit status.
final class PlayRun {
  /// How events are shown.
  enum Form { case text, quiet, json }

  private let request: PlayRequest
  private let interruption: Interruption
  private let player: Player
  private let events: Locked<[PlayerEvent]>
  private var tally = Tally()
  private var output = StandardOutput()
  private var screen: PlayScreen?
  private var input: TerminalInput?
  private var keys = PlayKeys()
  /// Keys that wait until the screen shows what those before them did, and when it last began to lag behind.
  private var waitingKeys: [PlayKey] = []
  private var waitingStart: ContinuousClock.Instant?
  private static let longestWait = Duration.seconds(2)
  /// True if the screen shows what all commands did.
  private var isShown = false
  /// The request of the options, with the map.
  private var sound: PlayedSound
  private lazy var writing = PlayWriting(sound, cancellation: interruption.cancellation)
  private var hasEnded = false
  private var wasWaiting = false
  /// The frame at which it waited when that was last reported.
  private var waitingFrame = 0.0
  private var hasWaited = false
  private var hasStarted = false
  private var hasGrown = false
  /// The number of the file that is heard, if only an estimate of its length was reported.
  private var unmeasured: Int?
  private var isQuitting = false
  private var isStopped = false
  private var nextRecord = ContinuousClock.now

  init(_ request: PlayRequest, _ interruption: Interruption) {
    self.request = request
    self.interruption = interruption
    let events = Locked<[PlayerEvent]>([])
    self.events = events
    sound = request.sound
    player = Player { event in events.withLock { $0.append(event) } }
  }

  /// Plays everything, and returns the exit status.
  func run() -> Int32 {
    do {
      if let map = request.map {
        sound = sound.following(
          try TimeMapRequest(contentsOf: map, cancellation: interruption.cancellation))
      }
    } catch {
      let failure = StartFailure(error)
      failure.lines.forEach(notice)
      return interruption.signal == 0
        ? failure.status
        : tally.status(fileCount: nil, foundNothing: false, signal: interruption.signal)
    }
    let list = PlayInputs(
      request.input, sound, follows: request.follows, tagEncoding: request.tagEncoding,
      areMeasuredFirst: request.output.isFile, cancellation: interruption.cancellation)
    for problem in list.problems {
      switch problem {
      case .file(let error): fail(error)
      case .address(let text):
        tally.countFailure(isWorthRetrying: false)
        notice(text)
      }
    }
    if list.items.isEmpty, list.problems.isEmpty { notice(request.input.nothingFound) }
    if list.items.count > 1, request.follows {
      tally.countFailure(isWorthRetrying: false)
      notice("--follow plays one file, not \(list.items.count)")
    } else if !list.items.isEmpty, interruption.signal == 0 {
      play(list.items)
    }
    return tally.status(
      fileCount: nil, foundNothing: list.foundNothing, signal: interruption.signal)
  }

  // MARK: - Playing

  private func play(_ items: [PlayItem]) {
    if request.form == .text, Terminal.standardError.movesCursor {
      // The notes of one file do not change another.
      let keeps = request.keepsState && !request.output.isFile
      let store = keeps ? PracticeStore.userFolder.map { PracticeStore(folder: $0) } : nil
      screen = PlayScreen(Terminal.standardError, items, store.map { PlayNotes($0) })
    }
    input = TerminalInput(ownsWindow: screen != nil)
    if input == nil { screen = nil }
    defer { TerminalRestoration.restore() }
    for note in sound.notes { line(note) }
    player.start(
      items, request.settings, to: request.output.playerOutput,
      cancellation: interruption.cancellation)
    // A file is written, not heard.
    let controls = request.output.isFile ? nil : MediaControls(player)
    defer { controls?.stop() }
    while !hasEnded {
      for event in takeEvents() { handle(event) }
      if interruption.signal != 0 { player.perform(.stop) }
      if output.failure != nil { player.perform(.stop) }
      readKeys()
      let isSettled = player.isSettled
      let status = player.status
      // The start of a file is reported before its first status.
      for event in takeEvents() { handle(event) }
      reportProgress(status)
      for event in writing.takeEvents() { handle(event) }
      screen?.writing = writing.line
      let isDrawn =
        screen?.draw(status, levels: player.takeLevels(), atOnce: !waitingKeys.isEmpty) ?? true
      isShown = isSettled && (isDrawn || isShown)
      screen?.takeCommands().forEach(perform)
    }
    endWriting()
    let status = player.status
    screen?.clear()
    if request.isVerbose { line("underruns: \(status.underrunCount)") }
    var record = PlayRecord("ended")
    record.underruns = status.underrunCount
    write(record)
  }

  private func takeEvents() -> [PlayerEvent] {
    events.withLock { events in
      let taken = events
      events = []
      return taken
    }
  }

  private func handle(_ event: PlayerEvent) {
    switch event {
    case .started(let track):
      hasStarted = true
      unmeasured = track.source.lengthBasis == .estimated ? track.index : nil
      screen?.begin(track)
      write(PlayRecord(started: track))
      if screen == nil || request.isVerbose { line("playing  " + PlayText.line(of: track)) }
      if request.isVerbose { line("         " + FileLines.format(of: track.source)) }
    case .paused(let status): write(PlayRecord("paused", status))
    case .resumed(let status): write(PlayRecord("resumed", status))
    case .failed(_, let error): fail(error)
    case .opened(let name, let spec):
      screen?.begin(spec)
      write(PlayRecord(opened: name, spec))
      if request.isVerbose {
        line("output: \(escapedForTerminal(name)), \(spec.sampleRate) Hz \(spec.layout)")
      }
    case .moved(let name):
      write(name, "moved")
      line("the sound continues on \(escapedForTerminal(name))")
    case .grew(let growth):
      if !hasGrown {
        line("the sound broke off; its buffer grows, now to \(request.output.latency * growth) ms")
      }
      hasGrown = true
    case .stalled(let sentence, let status):
      var record = PlayRecord("stalled", status)
      record.error = sentence
      write(record)
      if let screen { screen.stall = escapedForTerminal(sentence) } else { notice(sentence) }
    case .continued(let status):
      write(PlayRecord("continued", status))
      if screen == nil { line("the sound goes on") }
    case .lost(let name):
      write(name, "lost")
      giveUpUnlessKeys("the output \(name) is gone")
    case .silenced(let error):
      giveUpUnlessKeys(PlayText.message(error), isWorthRetrying: error.isWorthRetrying)
    case .replaced(let item, let replacement):
      write(PlayRecord("replaced", item.input.path))
      let path = escapedForTerminal(item.input.path)
      line(
        replacement == .shorter
          ? "\(path): became shorter; playing from its start"
          : "\(path): replaced; playing the new file")
    case .ended: hasEnded = true
    }
  }

  private func write(_ device: String, _ event: String) {
    var record = PlayRecord(event, player.status)
    record.device = device
    write(record)
  }

  /// With keys, a person can resume what is heard; otherwise nobody can.
  private func giveUpUnlessKeys(_ message: String, isWorthRetrying: Bool = false) {
    let canGoOn =
      input != nil && player.status.state != .opening && screen != nil
      && player.status.frame > 0 && !request.output.isFile
    notice(message + (canGoOn ? "; press space to resume" : ""))
    if canGoOn { return }
    tally.countFailure(isWorthRetrying: isWorthRetrying)
    player.perform(.stop)
  }

  private func reportProgress(_ status: PlayerStatus) {
    reportWaiting(status)
    guard request.form == .json else { return }
    if let track = status.track, track.index == unmeasured,
      track.source.lengthBasis != .estimated
    {
      unmeasured = nil
      write(PlayRecord(measured: track))
    }
    if status.state == .playing, hasStarted, !status.isWaiting, !status.isStalled,
      ContinuousClock.now >= nextRecord
    {
      nextRecord = ContinuousClock.now + .seconds(1)
      write(PlayRecord("position", status))
    }
  }

  private func reportWaiting(_ status: PlayerStatus) {
    guard status.state != .ended else { return }
    // New audio may have been played since the last look.
    if wasWaiting, !status.isWaiting || status.frame != waitingFrame {
      wasWaiting = false
      write(PlayRecord("continued", status))
    }
    guard status.isWaiting, !wasWaiting else { return }
    (wasWaiting, waitingFrame) = (true, status.frame)
    write(PlayRecord("waiting", status))
    // The screen shows it once there is something to show.
    if !hasWaited, screen == nil || status.track == nil {
      line("waiting  for more; Ctrl-C ends it")
    }
    hasWaited = true
  }

  // MARK: - Keys

  private func readKeys() {
    // Redrawn at 30 Hz at most.
    guard let input else {
      usleep(33_000)
      return
    }
    let start = ContinuousClock.now
    takeWaitingKeys()
    if waitingKeys.isEmpty { keys.takesText = screen?.takesText ?? false }
    waitingKeys += keys.keys(in: input.read(waitingMilliseconds: 33))
    takeWaitingKeys()
    if input.renew() { screen?.redrawAll() }
    let rest = 33_000 - Int((ContinuousClock.now - start) / .microseconds(1))
    if rest > 1000 { usleep(UInt32(min(rest, 10_000))) }
  }

  private func takeWaitingKeys() {
    while let key = waitingKeys.first, !waits(for: key) {
      waitingKeys.removeFirst()
      take(key)
      if key.beginsText, screen?.takesText != true { waitingKeys = keys.withoutText(waitingKeys) }
    }
    if waitingKeys.isEmpty { waitingStart = nil }
    let urgent = waitingKeys.filter(\.overtakes)
    waitingKeys.removeAll(where: urgent.contains(.quit) ? { _ in true } : \.overtakes)
    urgent.forEach(take)
  }

  private func take(_ key: PlayKey) {
    guard let key = screen == nil ? key : screen?.take(key) else { return }
    if key == .quit { quit() } else { act(key) }
  }

  /// True if a key has to wait: the screen does not show the place yet at which it acts. The limit is one for all that
  /// wait, until the screen has caught up.
  private func waits(for key: PlayKey) -> Bool {
    guard let screen, key.needsPlace else { return false }
    if isShown, screen.isReady(for: key) {
      waitingStart = nil
      return false
    }
    let start = waitingStart ?? .now
    waitingStart = start
    return .now - start < Self.longestWait
  }

  private func perform(_ command: Player.Command) {
    isShown = false
    player.perform(command)
  }

  /// Ends, or asks once while a file is being written.
  private func quit() {
    if !isQuitting, let writing = writing.line {
      isQuitting = true
      return notice("\(writing): q again stops it and removes the partial file")
    }
    isStopped = true
    player.perform(.stop)
  }

  private func act(_ key: PlayKey) {
    if key == .write {
      if let reason = writing.start(player.status) { notice(reason) }
      return
    }
    PlayText.commands(for: key).forEach(perform)
  }

  // MARK: - Writing

  private func handle(_ event: PlayWriting.Event) {
    switch event {
    case .started(let work): write(PlayRecord("writing", work, percent: 0))
    case .progress(let work, let percent): write(PlayRecord("writing", work, percent: percent))
    case .finished(let work):
      isQuitting = false
      write(PlayRecord("written", work, percent: 100))
      line("written  \(FileLines.names(work))")
    case .failed(_, .cancelled): break
    case .failed(let path, let error):
      isQuitting = false
      let message = PlayWriting.message(error)
      var record = PlayRecord("failed")
      (record.output, record.errorClass, record.error) = (path.string, error.errorClass, message)
      write(record)
      notice(message)
      if interruption.signal == 0 {
        tally.countFailure(isWorthRetrying: error.isWorthRetrying)
      }
    }
  }

  /// Waits for what is being written when everything was heard; stops it if playing was stopped.
  private func endWriting() {
    while !isStopped, interruption.signal == 0, output.failure == nil, writing.line != nil {
      for event in writing.takeEvents() { handle(event) }
      readKeys()
      screen?.writing = writing.line
      screen?.draw(player.status, levels: [])
    }
    if writing.cancel() { line("stopped writing; the partial file is removed") }
    for event in writing.takeEvents() { handle(event) }
  }

  // MARK: - Lines

  private func line(_ text: String) {
    if request.form != .text { return }
    print(text)
  }

  private func fail(_ error: AudioFileError) {
    tally.countFailure(isWorthRetrying: error.isWorthRetrying)
    var record = PlayRecord("failed", error.path)
    record.errorClass = error.errorClass
    record.error = PlayText.message(error)
    write(record)
    notice(PlayText.message(error))
  }

  private func notice(_ text: String) { print("scaleaudio: " + escapedForTerminal(text)) }

  private func print(_ text: String) {
    if let screen {
      screen.print(text)
    } else {
      Terminal.standardError.write(text + "\n")
    }
  }

  private func write(_ record: PlayRecord) {
    guard request.form == .json, output.failure == nil else { return }
    output.write(record.jsonLine)
    guard let failure = output.failure else { return }
    if failure != .brokenPipe { notice("standard output: \(failure.words)") }
    tally.countFailure(isWorthRetrying: false)
  }
}

extension PlayOutputOptions {
  /// The output to which the player sends the sound.
  var playerOutput: PlayerOutput {
    let request = request
    let seconds = Double(latency) / 1000
    // 60, 120, 240 ms.
    let most = latency <= 60 ? 4 : latency <= 120 ? 2 : 1
    // On a busy machine, decoded frames may come late.
    let load = AvailableCores.load
    let first = latency > 60 ? 1 : load > 2 ? 4 : load > 1 ? 2 : 1
    return PlayerOutput(isFixed: isFile, firstGrowth: first, mostGrowth: isFile ? 1 : most) {
      (spec, growth) throws(SoundError) in
      try SoundOutputs.open(request, spec: spec, latency: seconds * Double(growth))
    }
  }

  /// True if the sound goes into a file.
  var isFile: Bool { output != nil && output != "null" }

  private var request: SoundRequest {
    guard let output else { return device.map { .device($0) } ?? .automatic }
    if output == "null" { return .null }
    return .file(RawArgument.path(of: output), replacing: overwrite)
  }
}
