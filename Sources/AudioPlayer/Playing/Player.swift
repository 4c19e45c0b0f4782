package import AudioIO
package import AudioModel
internal import Dispatch
package import ScaleAudio
internal import TimeScaling

/// How a player begins.
package struct PlayerSettings: Sendable {
  /// Input frames / output frames, within ``Player/rateRange``.
  package var rate = 1.0
  /// The pitch shift, within ``Player/semitoneRange``.
  package var semitones = 0.0
  /// The engine that changes rate and pitch.
  package var engine = StretchSettings.Engine.vocoder
  package var volume = Volume()
  /// The number of times that each file is played; `Int.max` without end.
  package var rounds = 1
  /// True if the first file follows the last.
  package var loopsList = false
  /// True if the order of the files is left to chance.
  package var isShuffled = false
  /// The tags that set the level.
  package var gain = GainSource.off
  /// The start position in the first file.
  package var start: TypedTime?

  package init() {}
}

/// The destination of the sound.
package struct PlayerOutput: Sendable {
  /// Opens an output that takes samples like these, or as near to them as it can, and holds so many times the usual.
  package let open: @Sendable (AudioSpec, Int) throws(SoundError) -> any SoundOutput
  /// The first output's size, and the largest after the sound broke off, as multiples of the usual.
  package let (firstGrowth, mostGrowth): (Int, Int)
  /// True if it is opened once, for all files: a file has one rate.
  package let isFixed: Bool

  package init(
    isFixed: Bool = false, firstGrowth: Int = 1, mostGrowth: Int = 1,
    open: @escaping @Sendable (AudioSpec, Int) throws(SoundError) -> any SoundOutput
  ) {
    self.isFixed = isFixed
    (self.firstGrowth, self.mostGrowth) = (min(firstGrowth, mostGrowth), mostGrowth)
    self.open = open
  }
}

/// An event of a player.
package enum PlayerEvent: Sendable {
  /// A file begins to be heard.
  case started(Track)
  /// The sound was paused or goes on, by a command or by another program.
  case paused(PlayerStatus)
  case resumed(PlayerStatus)
  /// A file cannot be played, or not to its end.
  case failed(PlayItem, AudioFileError)
  /// The sound goes to an output of this name, which takes such samples.
  case opened(String, AudioSpec)
  /// The sound moved to an output of this name.
  case moved(String)
  /// The sound broke off; the output now holds so many times the usual.
  case grew(Int)
  /// The output accepts no sound, for a reason in a sentence; later it accepts some again.
  case stalled(String, PlayerStatus)
  case continued(PlayerStatus)
  /// The output of this name is gone; playing pauses.
  case lost(String)
  /// Nothing can be heard, for this reason.
  case silenced(SoundError)
  /// Another file is at the path that is followed, or it became shorter; it is played from its start.
  case replaced(PlayItem, Replacement)
  /// Everything was heard, or there is nothing to hear.
  case ended
}

/// A rate that grows while a loop repeats.
package struct Trainer: Hashable, Sendable {
  /// A step that is added to the rate after so many rounds, up to a goal.
  package var step: Double
  package var rounds: Int
  package var goal: Double

  package init(step: Double, rounds: Int = 2, goal: Double = 1) {
    (self.step, self.rounds, self.goal) = (step, max(1, rounds), goal)
  }
}

/// The state of a player.
package struct PlayerStatus: Sendable {
  package enum State: Sendable { case opening, playing, paused, ended }

  package var state = State.opening
  /// The file that is heard; `nil` before the first.
  package var track: Track?
  /// The frame of the file that is heard.
  package var frame = 0.0
  package var rate = 1.0
  package var semitones = 0.0
  /// True if the source is played, without rate, pitch and conversion.
  package var hearsSource = false
  package var volume = Volume()
  /// The start of a loop, or the whole loop, in frames.
  package var loopStart: Int?
  package var loop: Range<Int>?
  package var loopsTrack = false
  package var loopsList = false
  package var isShuffled = false
  /// True if a file follows.
  package var hasNext = false
  /// The gain by tags of the file that is heard, in dB; 0 if none is applied.
  package var gain = 0.0
  /// The round of the loop that is heard, from 1.
  package var round = 1
  package var between = LoopBreak.nothing
  /// The seconds since the end of a round, until the next begins.
  package var breakSeconds: Double?
  package var trainer: Trainer?
  /// True if all that a growing file has was played.
  package var isWaiting = false
  /// True if the output accepts no sound, though it should.
  package var isStalled = false
  /// How often the output had nothing to play.
  package var underrunCount = 0

  package init() {}
}

/// Plays files one after another.
///
/// A thread decodes; the output takes samples from a short queue. Every call returns at once and takes effect soon.
package final class Player: Sendable {
  /// The rates, input frames / output frames.
  package static var rateRange: ClosedRange<Double> { StretchSettings.liveRateRange }

  /// The pitch shifts, in semitones.
  package static var semitoneRange: ClosedRange<Double> { StretchSettings.liveSemitoneRange }

  package enum Command: Sendable {
    case play, pause, toggle
    /// Goes to a frame of the file that is heard.
    case seek(frame: Int)
    /// Goes to the start of one of so many equal parts of the file that is heard; to its end after the last.
    case seekPart(Int, of: Int)
    /// Goes to the chapter that is as many places further, or back: first to the start of the one that is heard, unless it
    /// began within the last 2 s.
    case skipChapters(Int)
    /// Goes on or back, from what is heard.
    case move(seconds: Double)
    /// Goes to the file that is as many places further; nothing happens beyond either end.
    case skip(Int)
    /// Goes to the file of this number, from 0.
    case go(Int)
    case setRate(Double)
    /// Changes the rate by so many steps of 0.05, or by a factor.
    case changeRate(steps: Int)
    case scaleRate(Double)
    /// Changes the rate by so many hundredths.
    case shiftRate(hundredths: Int)
    case setSemitones(Double)
    case changeSemitones(Double)
    /// Goes from what is heard to the source at the same moment, and back.
    case compare
    case setVolume(Volume)
    /// Changes the volume by so many steps of 5 %.
    case changeVolume(steps: Int)
    case toggleMute
    /// Sets the start of a loop, then its end, then removes both.
    case markLoop
    case setLoop(Range<Int>?)
    /// Moves the start and the end of the loop by so many seconds.
    case moveLoop(start: Double, end: Double)
    /// Sets what is heard between the rounds of a loop, or nothing if that is set.
    case toggleBetween(LoopBreak)
    /// Sets the sound between the rounds of a loop.
    case setBetween(LoopBreak)
    /// Sets the next trainer: none, then 1, 2 and 5 % every second round, up to the rate of the file, or a quarter further.
    case nextTrainer
    case setLoopsTrack(Bool)
    case setLoopsList(Bool)
    /// Repeats the file, then the list, then neither.
    case nextRepeat
    case setShuffled(Bool)
    case toggleShuffled
    case stop
  }

  private let mailbox = Locked<(waiting: [PlayerMessage], isEmptied: Bool)>(([], true))
  private let shared = Locked(PlayerStatus())
  private let sound = Locked<SoundQueue?>(nil)
  private let wake = DispatchSemaphore(value: 0)
  private let onEvent: @Sendable (PlayerEvent) -> Void

  /// A player that calls `onEvent` from its own thread.
  package init(onEvent: @escaping @Sendable (PlayerEvent) -> Void) { self.onEvent = onEvent }

  /// Begins to play files from the first; called once.
  package func start(
    _ items: [PlayItem], _ settings: PlayerSettings, to output: PlayerOutput,
    cancellation: Cancellation = Cancellation()
  ) {
    DispatchQueue(label: "scaleaudio.player").async { [self] in
      let queue = PlayQueue(items, cancellation: cancellation) { [wake] in wake.signal() }
      let engine = PlayerEngine(self, queue, settings, output)
      engine.run()
    }
  }

  package func perform(_ command: Command) { post(.command(command)) }

  /// True if ``status`` has what all commands so far did.
  package var isSettled: Bool { mailbox.withLock { $0.waiting.isEmpty && $0.isEmptied } }

  package var status: PlayerStatus { shared.withLock { $0 } }

  /// The levels of each channel of what was played since the last call; empty before the first output is open.
  package func takeLevels() -> [ChannelLevel] { sound.withLock { $0 }?.takeLevels() ?? [] }

  // MARK: - For the thread that plays

  func post(_ message: PlayerMessage) {
    mailbox.withLock { $0.waiting.append(message) }
    wake.signal()
  }

  func takeMessages() -> [PlayerMessage] {
    mailbox.withLock { mailbox in
      let taken = mailbox.waiting
      mailbox = ([], mailbox.isEmptied && taken.isEmpty)
      return taken
    }
  }

  /// Notes that what was taken is done and published.
  func noteDone() { mailbox.withLock { $0.isEmptied = true } }

  func wakeUp() { wake.signal() }
  func wait(milliseconds: Int) { _ = wake.wait(timeout: .now() + .milliseconds(milliseconds)) }
  func publish(_ status: PlayerStatus) { shared.withLock { $0 = status } }
  func publish(_ queue: SoundQueue?) { sound.withLock { $0 = queue } }
  func report(_ event: PlayerEvent) { onEvent(event) }
}

/// A request to the thread that plays.
enum PlayerMessage: Sendable {
  case command(Player.Command)
  /// Something happened to the output of this number.
  case output(Int, SoundEvent)
  /// The source of a conversion is as loud as its result by this factor.
  case sourceLevel(Float, measurement: Int)
}
