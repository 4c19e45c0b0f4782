import AudioPlayer
import ScaleAudio

/// The texts of `play`, and the meaning of its keys at a moment.
enum PlayText {
  /// The title in its tags.
  static func title(of track: Track) -> String? {
    track.source.metadata.values("TITLE").first { !$0.isEmpty }.map { escapedForTerminal($0) }
  }

  /// The title in a playlist, or the name of the file.
  static func name(of item: PlayItem) -> String {
    if let title = item.title { return escapedForTerminal(title) }
    if case .standardInput = item.input { return "standard input" }
    let path = item.input.path
    return escapedForTerminal(path.lastComponent.map { FilePath(root: nil, [$0]) } ?? path)
  }

  /// `song.flac (3:20)`
  static func line(of track: Track) -> String {
    escapedForTerminal(track.item.input.path) + " (\(length(of: track.source)))"
  }

  /// `3:20`, or `~3:20` while that is an estimate.
  static func length(of source: SourceDescription) -> String {
    let seconds = source.spec.seconds(frames: source.frameCount)
    return (source.lengthBasis == .estimated ? "~" : "")
      + Quantities.clock(Int(seconds.rounded()))
  }

  /// The cause and a remedy that `play` offers.
  static func message(_ error: some ErrorWithRemedy) -> String {
    switch error.remedy {
    case .replaceOrSkip: error.message + "; --overwrite replaces it"
    // Audio after damage is played anyway, so `--salvage` would add nothing.
    case .salvage: error.message
    case .retry: error.message + "; play it again"
    default: error.fullMessage
    }
  }

  /// The commands of a key for the player. They say what changes and not what it becomes, so that each of several keys that
  /// come at once counts.
  static func commands(for key: PlayKey) -> [Player.Command] {
    switch key {
    case .toggle: [.toggle]
    case .move(let seconds): [.move(seconds: seconds)]
    case .file(let places): [.skip(places)]
    case .tenth(let tenth): [.seekPart(tenth, of: 10)]
    case .chapter(let direction): [.skipChapters(direction)]
    case .rate(let steps): [.changeRate(steps: steps)]
    case .octaveOfRate(let direction): [.scaleRate(direction > 0 ? 2 : 0.5)]
    case .resetRate: [.setRate(1), .setSemitones(0)]
    case .semitone(let steps): [.changeSemitones(Double(steps))]
    case .volume(let steps): [.changeVolume(steps: steps)]
    case .mute: [.toggleMute]
    case .markLoop: [.markLoop]
    case .repeat: [.nextRepeat]
    case .shuffle: [.toggleShuffled]
    case .item(let index): [.go(index)]
    case .column(let column, let columns): [.seekPart(column, of: columns)]
    case .compare: [.compare]
    case .quit: [.stop]
    case .percent(let hundredths): [.shiftRate(hundredths: hundredths)]
    case .cents(let cents): [.changeSemitones(Double(cents) / 100)]
    case .moveLoop(let start, let end): [.moveLoop(start: start, end: end)]
    case .trainer: [.nextTrainer]
    case .pauseBetween: [.toggleBetween(.pause)]
    case .between(let between): [.toggleBetween(between)]
    case .loop(let range): [.setLoop(range)]
    case .seek(let frame): [.seek(frame: frame)]
    case .help, .switchTime, .write, .press, .drag, .release: []
    case .zoom, .hold, .search, .text, .enter, .erase, .escape: []
    case .nudge, .unit, .tap, .countIn, .phrase, .phraseLoop, .mark, .keep, .remove, .export: []
    }
  }

  /// Input / output of a length that is the same for all files; `nil` for others.
  static func speed(of time: TimeRequest) -> Double? {
    switch time {
    case .factor(let factor), .speed(let factor), .tempo(let factor): factor.speed
    default: nil
    }
  }
}
