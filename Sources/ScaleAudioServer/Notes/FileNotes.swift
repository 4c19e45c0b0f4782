internal import AudioIO
internal import ScaleAudio
internal import SystemPackage

/// The notes about the served files, in the store that `play` uses too.
final class FileNotes: Sendable {
  /// The notes about a file as the page gets them.
  struct Shown: Encodable {
    let id: String
    /// Grows with every change of the notes that this server hears of.
    let revision: Int
    let marks: [PracticeNotes.Mark]
    let loops: [PracticeNotes.Loop]
    let speed, semitones: Double?
    /// The reason for which nothing can be changed.
    var refusal: Problem?
  }

  /// New values for some of the notes.
  struct Changes: Decodable {
    private enum Key: String, CodingKey { case marks, loops, speed, semitones, from, revision }

    let marks: [PracticeNotes.Mark]?
    let loops: [PracticeNotes.Loop]?
    /// `nil` where nothing is said of it; a value of `nil` is the usual one.
    let speed, semitones: Double??
    let from: String?
    /// The revision that they are changes of; `nil` to change any.
    let revision: Int?

    init(from decoder: any Decoder) throws {
      let all = try decoder.container(keyedBy: Key.self)
      func number(_ key: Key) throws -> Double?? {
        guard all.contains(key) else { return nil }
        return .some(try all.decodeIfPresent(Double.self, forKey: key))
      }
      marks = try all.decodeIfPresent([PracticeNotes.Mark].self, forKey: .marks)
      loops = try all.decodeIfPresent([PracticeNotes.Loop].self, forKey: .loops)
      (speed, semitones) = (try number(.speed), try number(.semitones))
      from = try all.decodeIfPresent(String.self, forKey: .from)
      revision = try all.decodeIfPresent(Int.self, forKey: .revision)
    }

    func apply(to notes: inout PracticeNotes) {
      if let marks { notes.marks = marks }
      if let loops { notes.loops = loops }
      if let speed { notes.speed = speed }
      if let semitones { notes.semitones = semitones }
    }

    /// True if they can be stored.
    var isSound: Bool {
      var notes = PracticeNotes(name: "")
      apply(to: &notes)
      return notes.isSound
    }
  }

  private struct Kept {
    var stored = PracticeStore.Stored.nothing
    var revision = 0
    /// The files that have this audio, by their ids.
    var files: Set<String> = []
  }

  private struct State {
    var identities: [String: (file: FileLibrary.File, identity: AudioIdentity)] = [:]
    var kept: [AudioIdentity: Kept] = [:]
    var watcher: FolderWatcher?
  }

  private let store: PracticeStore?
  private let isReadOnly: Bool
  private let events: EventLog
  private let state = Locked(State())

  /// The notes in a store; without one, nothing is kept.
  init(_ store: PracticeStore?, isReadOnly: Bool, _ events: EventLog) {
    (self.store, self.isReadOnly, self.events) = (store, isReadOnly, events)
    guard let store else { return }
    // A folder has to be there to be watched.
    if !isReadOnly { UserFolder.make(store.folder) }
    let watcher = FolderWatcher([store.folder]) { [weak self] in self?.look(in: store) }
    state.withLock { $0.watcher = watcher }
  }

  /// The notes about a file.
  func notes(
    of file: FileLibrary.File, _ cancellation: Cancellation
  ) throws(AudioFileError) -> Shown {
    guard let store else { return shown(file.id, Kept()) }
    let identity = try identity(of: file, cancellation)
    return state.withLock { state in
      var kept = state.kept[identity] ?? Kept()
      kept.files.insert(file.id)
      take(store.stored(identity), &kept, from: nil)
      state.kept[identity] = kept
      return shown(file.id, kept)
    }
  }

  /// Changes the notes about a file, and notifies all pages; the newest change of a value counts. Returns `nil` for changes of
  /// a revision that is not the last.
  func change(
    _ file: FileLibrary.File, _ changes: Changes, _ cancellation: Cancellation
  ) throws(AudioFileError) -> Shown? {
    guard let store, !isReadOnly else { return shown(file.id, Kept()) }
    let identity = try identity(of: file, cancellation)
    return try state.withLock { (state) throws(AudioFileError) -> Shown? in
      var kept = state.kept[identity] ?? Kept()
      kept.files.insert(file.id)
      take(store.stored(identity), &kept, from: nil)
      if let revision = changes.revision, revision != kept.revision {
        state.kept[identity] = kept
        return nil
      }
      let stored = try store.change(identity, name: file.name) { changes.apply(to: &$0) }
      take(stored, &kept, from: changes.from)
      state.kept[identity] = kept
      return shown(file.id, kept)
    }
  }

  /// The event that notifies pages that the notes about a file have changed; they then ask for them.
  private struct Change: Encodable {
    let id: String
    let revision: Int
    /// The page that made the change, by the name that it gave itself.
    let from: String?
  }

  /// Takes what is stored now, and notifies all pages if it is something else than before.
  private func take(_ stored: PracticeStore.Stored, _ kept: inout Kept, from page: String?) {
    if kept.stored == stored { return }
    kept.stored = stored
    kept.revision += 1
    for id in kept.files.sorted() {
      events.post("notes", Change(id: id, revision: kept.revision, from: page))
    }
  }

  /// Looks for changes by other programs.
  private func look(in store: PracticeStore) {
    state.withLock { state in
      for (identity, var kept) in state.kept {
        take(store.stored(identity), &kept, from: nil)
        state.kept[identity] = kept
      }
    }
  }

  private func identity(
    of file: FileLibrary.File, _ cancellation: Cancellation
  ) throws(AudioFileError) -> AudioIdentity {
    if let known = state.withLock({ $0.identities[file.id] }), known.file == file {
      return known.identity
    }
    let identity = try AudioIdentity(of: file.opened()) { cancellation.isCancelled }
    state.withLock { state in
      if let before = state.identities[file.id]?.identity {
        state.kept[before]?.files.remove(file.id)
      }
      state.identities[file.id] = (file, identity)
    }
    return identity
  }

  private func shown(_ id: String, _ kept: Kept) -> Shown {
    var notes = PracticeNotes(name: "")
    var refusal: Problem?
    switch kept.stored {
    case .nothing: break
    case .notes(let stored): notes = stored
    case .unusable(let path, isLater: true):
      refusal = Problem(
        cause: "\(path.printable) is of a later version", remedy: "update scaleaudio")
    case .unusable(let path, isLater: false):
      refusal = Problem(
        cause: "\(path.printable) is damaged", remedy: "move it away to begin again")
    }
    if store == nil {
      refusal = Problem(cause: "this server keeps nothing about files")
    } else if isReadOnly {
      refusal = Problem(cause: "this server is read-only")
    }
    return Shown(
      id: id, revision: kept.revision, marks: notes.marks, loops: notes.loops, speed: notes.speed,
      semitones: notes.semitones, refusal: refusal)
  }
}
