import AudioIO
import AudioPlayer
import ScaleAudio
import SystemPackage

/// The notes about the file that is heard, with the store behind them.
final class PlayNotes {
  private let store: PracticeStore
  private var identity: AudioIdentity?
  private(set) var current = PracticeNotes(name: "")
  /// The state of the stored file when it was read or written here, and when it is looked at again.
  private var stamp: FileStamp?
  private var nextLook = ContinuousClock.now
  private static let lookInterval = Duration.seconds(1)
  /// The reason for which nothing is kept about this file.
  private(set) var refusal: String?

  init(_ store: PracticeStore) { self.store = store }

  /// Begins with another file, whose identity is yet to come.
  func begin(_ track: Track) {
    identity = nil
    current = PracticeNotes(name: Self.name(track))
    refusal =
      track.item.isPipe || track.item.follows ? "nothing is kept about what is not a file yet" : nil
  }

  private static func name(_ track: Track) -> String {
    track.item.input.path.lastComponent?.string ?? track.item.input.path.string
  }

  /// Takes the identity of the audio; true when what is kept has become known.
  func take(_ found: AudioIdentity?) -> Bool {
    guard let found, identity == nil, refusal == nil else { return false }
    identity = found
    stamp = store.stamp(of: found)
    let added = current
    switch store.stored(found) {
    case .nothing:
      current = PracticeNotes(name: added.name)
      keep(added)
    case .notes(let notes):
      current = notes
      current.name = added.name
      if !added.marks.isEmpty || !added.loops.isEmpty || notes.name != added.name { keep(added) }
    case .unusable(let path, let isLater): refusal = Self.refusal(path, isLater: isLater)
    }
    return true
  }

  private static func refusal(_ path: FilePath, isLater: Bool) -> String {
    let shown = escapedForTerminal(path)
    // A window has room for the reason, and maybe not for the path.
    return isLater
      ? "notes of a later version stay as they are, and nothing new is kept: \(shown)"
      : "damaged notes stay as they are, and nothing new is kept; move them away to begin again: \(shown)"
  }

  /// Keeps what was noted before the identity was known.
  private func keep(_ added: PracticeNotes) {
    change { notes in
      notes.marks += added.marks
      notes.loops += added.loops
    }
  }

  /// True once it is known what is kept.
  var isKnown: Bool { identity != nil && refusal == nil }

  /// Changes what is kept, and stores it. Another player, or the page of `serve`, may have changed it in the meantime.
  func change(_ body: (inout PracticeNotes) -> Void) {
    guard let identity, refusal == nil else { return body(&current) }
    do throws(AudioFileError) {
      let stored = try store.change(identity, name: current.name, body)
      switch stored {
      case .notes(let notes): current = notes
      case .nothing: body(&current)
      case .unusable(let path, let isLater):
        body(&current)
        refusal = Self.refusal(path, isLater: isLater)
      }
      // Another program may have written since; the next look finds out.
      stamp = nil
    } catch {
      body(&current)
      refusal = "what is kept cannot be stored: \(PlayText.message(error))"
    }
  }

  /// Takes marks and loops that another program has changed, and returns whether there are any.
  func takeChanges() -> Bool {
    guard let identity, refusal == nil, ContinuousClock.now >= nextLook else { return false }
    nextLook = .now + Self.lookInterval
    let now = store.stamp(of: identity)
    guard now != stamp else { return false }
    stamp = now
    guard case .notes(let notes) = store.stored(identity),
      notes.marks != current.marks || notes.loops != current.loops
    else { return false }
    (current.marks, current.loops) = (notes.marks, notes.loops)
    return true
  }

  /// The marks and loops as rows of the list.
  var sections: [PlayScene.Section] {
    current.marks.map {
      PlayScene.Section(
        kind: .mark, start: $0.start, length: 0, title: escapedForTerminal($0.title), isKept: true)
    }
      + current.loops.map {
        PlayScene.Section(
          kind: .loop, start: $0.start, length: $0.end - $0.start,
          title: escapedForTerminal($0.title), isKept: true)
      }
  }

  /// Writes labels and a cue sheet beside the file; returns lines for people.
  func export(_ track: Track) -> [String] {
    guard !current.marks.isEmpty || !current.loops.isEmpty else {
      return ["nothing to export; m keeps a moment, k a loop"]
    }
    let base = track.item.input.path
    guard case .file = track.item.input, let stem = base.stem else { return [] }
    let (count, most) = (current.marks.count + current.loops.count, PracticeNotes.mostCueTracks)
    let dropped = count > most ? ", the first \(most) of \(count): a cue sheet has no more" : ""
    return [
      (".labels.txt", current.labels, ""), (".marks.cue", current.cueSheet, dropped),
    ].map { ending, text, rest in
      let path = base.removingLastComponent().appending(stem + ending)
      do throws(AudioFileError) {
        let file = try OutputFile(path: path)
        do {
          try file.descriptor.writeAll(Array(text.utf8))
        } catch {
          throw AudioFileError.cannotWrite(path, error as? Errno ?? .ioError)
        }
        try file.commit(replacing: false)
        return "written  \(escapedForTerminal(path))\(rest)"
      } catch {
        if case .outputExists = error {
          return "scaleaudio: \(escapedForTerminal(path)) already exists; move it away first"
        }
        return "scaleaudio: " + escapedForTerminal(PlayText.message(error))
      }
    }
  }
}
