import AudioIO
import AudioPlayer
internal import Dispatch
import ScaleAudio
import SystemPackage

/// Writes what is heard into a file while it plays, as `convert` does.
final class PlayWriting: @unchecked Sendable {
  /// An event of a file that is being written.
  enum Event {
    case started(Conversion)
    case progress(Conversion, percent: Int)
    case finished(Conversion)
    case failed(FilePath, ConversionError)
  }

  private struct State {
    var events: [Event] = []
    var isRunning = false
    var line: String?
  }

  private let sound: PlayedSound
  private let state = Locked(State())
  private let cancellation: Cancellation
  private let isDone = DispatchSemaphore(value: 0)

  init(_ sound: PlayedSound, cancellation: Cancellation) {
    self.sound = sound
    self.cancellation = Cancellation(parent: cancellation)
  }

  /// The file that is being written, for people; `nil` if none is.
  var line: String? { state.withLock { $0.line } }

  func takeEvents() -> [Event] {
    state.withLock { state in
      let events = state.events
      state.events = []
      return events
    }
  }

  /// Begins to convert a file as it sounds now; returns the reason if it cannot.
  func start(_ status: PlayerStatus) -> String? {
    guard let track = status.track else { return nil }
    if state.withLock({ $0.isRunning }) { return "a file is being written; wait for it" }
    guard case .file(let path) = track.item.input, !track.item.isPipe else {
      return "input from a pipe is not written; save it to a file first"
    }
    guard var settings = sound.settings(rate: status.rate, semitones: status.semitones) else {
      let method = sound.settings.method.kind.rawValue
      let base = sound.pace == nil ? "--method \(method)" : "the length of the file"
      return "a rate on top of \(base) is only heard; Backspace resets it"
    }
    let isPart = sound.conversion.map { $0.time != .unchanged || $0.part != nil } ?? false
    if !isPart, let rounds = PlayRounds(status) { return start(rounds, path, track.item, status) }
    if let loop = status.loop {
      // The frames of a loop are those of what plays.
      if isPart {
        return "a loop in a part or in another length is only heard; l removes it"
      }
      settings.part = TimeRange(
        from: .afterStart(.frames(loop.lowerBound)), to: .afterStart(.frames(loop.upperBound)))
    }
    guard
      settings.part != nil || settings.channels != .unchanged || settings.method.semitones != 0
        || settings.time != .unchanged
    else { return "nothing to write: the rate and the pitch are those of the file" }
    var request = BatchRequest(inputs: [.path(path)], settings: settings)
    (request.files.raw, request.files.tagEncoding) = (track.item.raw, track.item.tagEncoding)
    request.shown = sound.shown
    do throws(PlanningError) {
      let batch = try Batch(request, cancellation: cancellation)
      guard let job = batch.jobs.first else { return "\(path.printable): not found" }
      if let refusal = job.refusal { return refusal.fullMessage }
      run(job.work)
      return nil
    } catch {
      return error.fullMessage
    }
  }

  /// Begins to write the rounds of a loop; returns the reason if it cannot.
  private func start(
    _ rounds: PlayRounds, _ path: FilePath, _ item: PlayItem, _ status: PlayerStatus
  ) -> String? {
    let settings = rounds.steps.compactMap {
      sound.settings(rate: $0.rate, semitones: status.semitones)
    }
    guard settings.count == rounds.steps.count, let output = PlayRounds.output(of: path) else {
      return "these rounds are only heard"
    }
    if FileStatus(path: output) != nil {
      return "\(output.printable): already exists; move it away first"
    }
    var files = FilePolicy()
    (files.raw, files.tagEncoding) = (item.raw, item.tagEncoding)
    run(Conversion(input: .file(path), output: .file(output), settings: settings[0])) {
      [cancellation, files] (_, onPercent) throws(ConversionError) in
      try rounds.write(
        .file(path), settings, files: files, to: output, cancellation: cancellation,
        onProgress: onPercent)
    }
    return nil
  }

  private func run(_ conversion: Conversion) {
    run(conversion) { [cancellation] (conversion, onPercent) throws(ConversionError) in
      _ = try conversion.run(cancellation: cancellation) { progress in
        onPercent(min(100, progress.frames * 100 / max(1, progress.totalFrames)))
      }
    }
  }

  private func run(
    _ conversion: Conversion,
    _ work:
      @escaping @Sendable (Conversion, (Int) -> Void) throws(ConversionError) -> Void
  ) {
    let name = escapedForTerminal(conversion.output.path)
    state.withLock { state in
      state.isRunning = true
      state.line = "writing \(name) 0%"
      state.events.append(.started(conversion))
    }
    DispatchQueue(label: "scaleaudio.writing", qos: .utility).async { [self] in
      var percent = 0
      let event: Event
      do throws(ConversionError) {
        try work(conversion) { now in
          if now == percent { return }
          percent = now
          state.withLock { state in
            state.line = "writing \(name) \(now)%"
            state.events.append(.progress(conversion, percent: now))
          }
        }
        event = .finished(conversion)
      } catch {
        event = .failed(conversion.output.path, error)
      }
      state.withLock { state in
        (state.isRunning, state.line) = (false, nil)
        state.events.append(event)
      }
      isDone.signal()
    }
  }

  /// The cause and a remedy that `play` offers.
  static func message(_ error: ConversionError) -> String {
    if case .replaceOrSkip = error.remedy { return error.message }
    return error.fullMessage
  }

  /// Stops what is written, and returns when nothing is left of it; whether there was something.
  func cancel() -> Bool {
    guard state.withLock({ $0.isRunning }) else { return false }
    cancellation.cancel()
    isDone.wait()
    return true
  }
}
