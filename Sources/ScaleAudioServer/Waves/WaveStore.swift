internal import AudioIO
internal import AudioModel
internal import Dispatch
internal import ScaleAudio
internal import SystemPackage

/// Makes the pyramids of files, each once, and keeps them in a folder.
final class WaveStore: Sendable {
  /// Called while a pyramid is made and when it ends, with the pixels of level 0 that are ready, and whether no more
  /// will follow.
  typealias Progress =
    @Sendable (_ id: String, _ ready: Int, _ pixels: Int, _ isEnded: Bool) -> Void

  private struct Opened: Sendable {
    let file: FileLibrary.File
    let wave: Wave
  }
  private struct State: Sendable {
    /// Open pyramids by the id of the file, and the ids in the order of their last use.
    var opened: [String: Opened] = [:]
    var order: [String] = []
    /// Passes that wait, the next one last.
    var waiting: [@Sendable () -> Void] = []
    var running = 0
  }
  /// Passes side by side, and pyramids kept open.
  private static let (maximumRunning, maximumOpened) = (2, 64)

  private let cache: WaveCache?
  private let budget: CoreBudget
  private let partLevels: Int
  private let cancellation: Cancellation
  private let onProgress: Progress
  private let state = Locked(State())

  /// A store that keeps pyramids in `cache`; without one, while they are open. Idle cores of the budget read parts of
  /// long files, each of the frames of a pixel of the level `partLevels`.
  init(
    cache: WaveCache?, budget: CoreBudget = .shared, partLevels: Int = 7,
    cancellation: Cancellation,
    onProgress: @escaping Progress
  ) {
    (self.cache, self.budget, self.partLevels) = (cache, budget, partLevels)
    self.cancellation = cancellation
    self.onProgress = onProgress
  }

  /// The pyramid of a file, which may still be growing; the first to ask starts it.
  func wave(of file: FileLibrary.File) throws(AudioFileError) -> Wave {
    if let known = known(file) { return known }
    let input = try file.opened()
    guard let stamp = input.stamp else { throw .notAFile(file.path) }
    if let kept = cache?.wave(of: input.identity, stamp) { return remember(kept, file).wave }
    let reader = try file.reader(seeksNearby: false)
    let source = reader.source
    guard
      let layout = WaveLayout(
        frameCount: source.frameCount, channelCount: source.spec.channelCount,
        sampleRate: source.spec.sampleRate)
    else { throw .cannotHold(file.path, reason: "too long for a picture", remedy: nil) }
    let place: WaveCache.Place
    if let cache {
      place = try cache.place(for: input.identity, stamp)
    } else {
      place = WaveCache.Place(unnamed: try Spool.makeFile())
    }
    let wave = Wave(layout, in: try place.duplicate(), isComplete: layout.frameCount == 0)
    let (kept, isNew) = remember(wave, file)
    guard isNew, layout.frameCount > 0 else { return kept }
    let identity = input.identity
    let pass = WavePass(
      wave, reader: reader, header: layout.header(of: identity, stamp), partLevels: partLevels,
      budget: budget, cancellation: cancellation
    ) { [onProgress] in onProgress(file.id, wave.ready(0), layout.pixels[0], wave.isEnded) }
    start {
      let isComplete = pass.run { () throws(AudioFileError) in
        // Another file may have taken its place.
        let input = try file.opened()
        guard input.identity == identity, input.stamp == stamp else { throw .changed(file.path) }
        return try file.reader(seeksNearby: false)
      }
      if isComplete { try? place.publish() }
    }
    return kept
  }

  private func known(_ file: FileLibrary.File) -> Wave? {
    state.withLock { state in
      guard let opened = state.opened[file.id], opened.file == file else { return nil }
      state.order.removeAll { $0 == file.id }
      state.order.append(file.id)
      return opened.wave
    }
  }

  /// Keeps a pyramid; that of another request for the same file if it came first.
  private func remember(_ wave: Wave, _ file: FileLibrary.File) -> (wave: Wave, isNew: Bool) {
    state.withLock { state in
      if let opened = state.opened[file.id], opened.file == file { return (opened.wave, false) }
      state.opened[file.id] = Opened(file: file, wave: wave)
      state.order.removeAll { $0 == file.id }
      state.order.append(file.id)
      // One that grows is held by its pass.
      if state.order.count > Self.maximumOpened { state.opened[state.order.removeFirst()] = nil }
      return (wave, true)
    }
  }

  private func start(_ pass: @escaping @Sendable () -> Void) {
    let begins = state.withLock { state in
      state.waiting.append(pass)
      if state.running >= Self.maximumRunning { return false }
      state.running += 1
      return true
    }
    if begins {
      DispatchQueue(label: "scaleaudio.waves", qos: .utility).async { self.runPasses() }
    }
  }

  /// Runs the passes that wait: what was asked for last comes first.
  private func runPasses() {
    while let pass = next() { pass() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      if let pass = state.waiting.popLast() { return pass }
      state.running -= 1
      return nil
    }
  }
}
