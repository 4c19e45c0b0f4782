import AudioPlayer
import ScaleAudio

/// The texts of `play`, and the meaning of its keys at a moment.
enum PlayText {
  /// `Artist - Title`, or the title in the playlist, or the name of the file.
  static func name(of track: Track) -> String {
    let metadata = track.source.metadata
    if let title = metadata.values("TITLE").first, !title.isEmpty {
      let artist = metadata.values("ARTIST").first.map { "\($0) - " } ?? ""
      return escapedForTerminal(artist + title)
    }
    return name(of: track.item)
  }

  /// The title in its tags.
  static func title(of track: Track) -> String? {
    track.source.metadata.values("TITLE").first { !$0.isEmpty }.map { escapedForTerminal($0) }
  }

  /// The title in a playlist, or the name of the file.
  static func name(of item: PlayItem) -> String {
    if let title = item.title { return escapedForTerminal(title) }
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
    // Damage is played up to, and no option plays more.
    case .salvage: error.message
    default: error.fullMessage
    }
  }

  /// The starts of chapters, or else of marks or tracks, in frames and in order.
  static func chapters(of track: Track) -> [Double] {
    let metadata = track.source.metadata
    if !metadata.chapters.isEmpty { return metadata.chapters.map(\.start).sorted() }
    if !metadata.marks.isEmpty { return metadata.marks.map(\.start).sorted() }
    return metadata.cueSheet?.tracks.dropLast().map(\.offset).sorted() ?? []
  }

  /// The command of a key for the player at this moment.
  static func commands(for key: PlayKey, _ status: PlayerStatus) -> [Player.Command] {
    switch key {
    case .toggle: return [.toggle]
    case .move(let seconds): return [.move(seconds: seconds)]
    case .file(let places): return [.skip(places)]
    case .tenth(let tenth):
      let count = status.track?.source.frameCount ?? 0
      return [.seek(frame: count / 10 * tenth + count % 10 * tenth / 10)]
    case .chapter(let direction): return chapter(direction, status)
    case .rate(let steps):
      return [.setRate(((status.rate * 20).rounded() + Double(steps)) / 20)]
    case .octaveOfRate(let direction):
      return [.setRate(direction > 0 ? status.rate * 2 : status.rate / 2)]
    case .resetRate: return [.setRate(1), .setSemitones(0)]
    case .semitone(let steps): return [.setSemitones(status.semitones + Double(steps))]
    case .volume(let steps):
      var volume = status.volume
      volume.level = min(max(((volume.level * 20).rounded() + Double(steps)) / 20, 0), 1)
      return [.setVolume(volume)]
    case .mute:
      var volume = status.volume
      volume.isMuted.toggle()
      return [.setVolume(volume)]
    case .markLoop: return [.markLoop]
    case .loopTrack: return [.setLoopsTrack(!status.loopsTrack)]
    case .column(let column, let columns):
      let count = status.track?.source.frameCount ?? 0
      // The first frame for which that column is shown.
      let part = (count % columns * column + columns - 1) / columns
      return [.seek(frame: count / columns * column + part)]
    case .compare: return [.compare]
    case .quit: return [.stop]
    case .help, .switchTime, .write, .press, .drag, .release, .cursor: return []
    }
  }

  private static func chapter(_ direction: Int, _ status: PlayerStatus) -> [Player.Command] {
    guard let track = status.track else { return [] }
    let starts = chapters(of: track)
    if direction > 0 {
      guard let next = starts.first(where: { $0 > status.frame + 1 }) else { return [] }
      return [.seek(frame: Int(next))]
    }
    // Soon after its start, a chapter is left for the one before.
    let grace = Double(track.source.spec.sampleRate * 2)
    return [.seek(frame: Int(starts.last { $0 < status.frame - grace } ?? 0))]
  }
}
