internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import Dispatch
internal import ScaleAudio
internal import SystemPackage

/// A file whose length is measured during playback.
///
/// The measured stream takes over when the first stream ends, or cannot seek to a frame quickly.
final class MeasuredStream: FrameStream {
  private var stream: any FrameStream
  /// The error that follows the last frame.
  private var damage: AudioFileError?
  /// `nil` once its result has taken over.
  private var measurement: Measurement?
  private var position = 0
  /// True when the measured file took over at its end, where it is not read.
  private var isAtEnd = false

  var source: SourceDescription { stream.source }
  var clipping: Clipping { stream.clipping }
  var nonFiniteSamples: Int { stream.nonFiniteSamples }
  var seeking: Seeking { stream.seeking }

  /// A file at its first frame, whose length is estimated.
  init(_ stream: any FrameStream, _ measurement: Measurement) {
    (self.stream, self.measurement) = (stream, measurement)
  }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    if let measurement, measurement.isDamaged {
      try takeMeasured()
      try seek(toFrame: position)
    }
    if isAtEnd { return try end() }
    var count = 0
    do throws(AudioFileError) {
      count = try stream.read(into: buffer)
    } catch {
      // Only the measured file shows where the audio ends.
      guard try takeMeasured() else { throw error }
      try seek(toFrame: position)
      count = try stream.read(into: buffer)
    }
    if count == 0, try takeMeasured() {
      // Seeking to the end might take as long as decoding everything.
      isAtEnd = position >= stream.source.frameCount
      if isAtEnd { return try end() }
      try seek(toFrame: position)
      count = try stream.read(into: buffer)
    }
    if count == 0 { return try end() }
    position += count
    return count
  }

  /// Ends a read after the last frame: throws the damage, or returns 0.
  private func end() throws(AudioFileError) -> Int {
    if let damage { throw damage }
    return 0
  }

  /// Seeks to a frame; to the end if the file turns out to be shorter.
  func seek(toFrame frame: Int) throws(AudioFileError) {
    if let measurement, measurement.isDone || !isNear(frame) { try takeMeasured() }
    isAtEnd = false
    let isExact = stream.source.lengthBasis != .estimated
    position = isExact ? min(frame, stream.source.frameCount) : frame
    try stream.seek(toFrame: position)
  }

  /// True when a frame is reached without a noticeable wait.
  private func isNear(_ frame: Int) -> Bool {
    if stream.seeking == .direct { return true }
    return (position...position + 10 * spec.sampleRate).contains(frame) || frame == 0
  }

  /// Continues with the measured file once it is known; `false` if it was known before.
  @discardableResult
  private func takeMeasured() throws(AudioFileError) -> Bool {
    guard let measurement else { return false }
    self.measurement = nil
    (stream, damage) = try measurement.result()
    return true
  }
}

/// The exact length of a file, which another thread determines during playback.
final class Measurement: Sendable {
  private struct State: @unchecked Sendable {
    /// Used by the thread that measures until it is done, then by the one that takes it.
    var result: Result<(any FrameStream, damage: AudioFileError?), AudioFileError>?
    var source: SourceDescription?
    var isDamaged = false
  }

  private let state = Locked(State())
  private let isReady = DispatchSemaphore(value: 0)
  private let cancellation: Cancellation
  private let path: FilePath

  init(_ item: PlayItem, _ parent: Cancellation) {
    path = item.input.path
    cancellation = Cancellation(parent: parent)
    // Playback has priority.
    DispatchQueue(label: "scaleaudio.measurement", qos: .utility).async {
      [state, isReady, cancellation] in
      var new = State()
      do throws(AudioFileError) {
        let input = try item.input.opened(
          cancellation, raw: item.raw, tagEncoding: item.tagEncoding)
        let opened = try SalvagedStream.open(input) { () throws(AudioFileError) in
          try item.input.opened(cancellation, raw: item.raw, tagEncoding: item.tagEncoding)
        }
        new.result = .success(opened)
        (new.source, new.isDamaged) = (opened.0.source, opened.damage != nil)
      } catch {
        new.result = .failure(error)
      }
      state.withLock { $0 = new }
      isReady.signal()
    }
  }

  deinit { cancellation.cancel() }

  /// The file as measured; `nil` before it is, and if it cannot be.
  var source: SourceDescription? { state.withLock { $0.source } }

  /// True when damage was found.
  var isDamaged: Bool { state.withLock { $0.isDamaged } }

  var isDone: Bool { state.withLock { $0.result != nil } }

  /// Waits for the measured file, and the error that follows its last frame. Called once.
  func result() throws(AudioFileError) -> (any FrameStream, damage: AudioFileError?) {
    while isReady.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if cancellation.isCancelled { throw .cannotRead(path, .interrupted) }
    }
    let result = state.withLock { state in
      let result = state.result
      // Once it is played, its stream belongs to one thread.
      state.result = nil
      return State(result: result)
    }.result
    guard let result else { throw .cannotRead(path, .interrupted) }
    return try result.get()
  }
}
