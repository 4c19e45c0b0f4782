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
    if let loop = status.loop {
      // The frames of a loop are those of what plays.
      if let conversion = sound.conversion, conversion.time != .unchanged || conversion.part != nil
      {
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

  private func run(_ conversion: Conversion) {
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
        _ = try conversion.run(cancellation: cancellation) { progress in
          let now = min(100, progress.frames * 100 / max(1, progress.totalFrames))
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
