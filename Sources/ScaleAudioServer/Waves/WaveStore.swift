internal import AudioIO
internal import AudioModel
internal import Dispatch
internal import ScaleAudio
internal import SystemPackage

/// Makes the pyramids of files, each once, and keeps them in a folder.
final class WaveStore: Sendable {
  /// Called while a pyramid is made and when it ends, with the pixels of level 0 that are ready.
  typealias Progress = @Sendable (_ id: String, _ ready: Int, _ pixels: Int) -> Void

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
  private static let (mostRunning, mostOpened) = (2, 64)
  private static let blockFrames = 16_384

  private let cache: WaveCache?
  private let cancellation: Cancellation
  private let onProgress: Progress
  private let state = Locked(State())

  /// A store that keeps pyramids in `cache`; without one, while they are open.
  init(cache: WaveCache?, cancellation: Cancellation, onProgress: @escaping Progress) {
    self.cache = cache
    self.cancellation = cancellation
    self.onProgress = onProgress
  }

  /// The pyramid of a file, which may still be growing; the first to ask starts it.
  func wave(of file: FileLibrary.File) throws(AudioFileError) -> Wave {
    if let known = known(file) { return known }
    let input = try file.opened()
    guard let stamp = input.stamp else { throw .notAFile(file.path) }
    if let kept = cache?.wave(of: input.identity, stamp) { return remember(kept, file).wave }
    let reader = try file.reader()
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
    let pass = Pass(
      id: file.id, reader: reader, writer: WaveWriter(wave), place: place,
      header: layout.header(of: input.identity, stamp), cancellation: cancellation,
      onProgress: onProgress)
    start { pass.run() }
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
      if state.order.count > Self.mostOpened { state.opened[state.order.removeFirst()] = nil }
      return (wave, true)
    }
  }

  private func start(_ pass: @escaping @Sendable () -> Void) {
    let begins = state.withLock { state in
      state.waiting.append(pass)
      if state.running >= Self.mostRunning { return false }
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

extension WaveStore {
  /// One reading of a file from its first frame to its last.
  private final class Pass: @unchecked Sendable {
    private let id: String
    private let reader: any AudioFileReader
    private var writer: WaveWriter
    private let place: WaveCache.Place
    private let header: [UInt8]
    private let cancellation: Cancellation
    private let onProgress: Progress
    private let clock = ContinuousClock()

    init(
      id: String, reader: any AudioFileReader, writer: WaveWriter, place: WaveCache.Place,
      header: [UInt8], cancellation: Cancellation, onProgress: @escaping Progress
    ) {
      (self.id, self.reader, self.writer, self.place) = (id, reader, writer, place)
      (self.header, self.cancellation, self.onProgress) = (header, cancellation, onProgress)
    }

    func run() {
      // A pass gives way to what is heard: conversions see that a core is taken.
      CoreBudget.shared.occupy()
      defer {
        CoreBudget.shared.release()
        writer.wave.end()
        report()
      }
      guard (try? read()) != nil else {
        // Damage ends the picture; facts name it.
        try? writer.end()
        return
      }
      if !cancellation.isCancelled { try? place.publish() }
    }

    private func read() throws {
      let channels = writer.wave.layout.channelCount
      let frames = max(16, min(WaveStore.blockFrames, (1 << 18) / channels))
      var block = [Int16](repeating: 0, count: frames * channels)
      var last = clock.now
      while !cancellation.isCancelled {
        var samples = block.mutableSpan
        let count = try reader.read(into: &samples)
        if count == 0 { break }
        block.withUnsafeBufferPointer {
          writer.append(UnsafeBufferPointer(rebasing: $0[..<(count * channels)]))
        }
        let now = clock.now
        if now - last >= .milliseconds(100) {
          last = now
          try writer.flush()
          report()
        }
      }
      try writer.finish(header)
    }

    private func report() {
      let wave = writer.wave
      onProgress(id, wave.ready(0), wave.layout.pixels[0])
    }
  }
}
