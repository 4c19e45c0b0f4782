internal import AudioFiles
internal import AudioIO
internal import Dispatch
internal import ScaleAudio

/// A file that is opened on a thread of its own.
final class Opening: Sendable {
  let index: Int
  private let outcome = Locked<Result<Track, AudioFileError>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  init(_ item: PlayItem, index: Int, _ cancellation: Cancellation) {
    self.index = index
    DispatchQueue(label: "scaleaudio.opening").async { [outcome, isDone] in
      let result: Result<Track, AudioFileError>
      do throws(AudioFileError) {
        result = .success(try Self.track(item, index: index, cancellation))
      } catch {
        result = .failure(error)
      }
      outcome.withLock { $0 = result }
      isDone.signal()
    }
  }

  /// The file; waits until it is open. Called once.
  func result() throws(AudioFileError) -> Track {
    isDone.wait()
    guard let outcome = outcome.withLock({ $0 }) else { throw .cannotRead("", .canceled) }
    return try outcome.get()
  }

  static func track(
    _ item: PlayItem, index: Int, _ cancellation: Cancellation
  ) throws(AudioFileError) -> Track {
    try track(
      item, index: index,
      of: try item.input.opened(cancellation, raw: item.raw, tagEncoding: item.tagEncoding),
      grows: item.follows, cancellation)
  }

  /// Files of at most this many bytes are measured before playback.
  private static let maximumMeasuredBytes = 1 << 19

  /// The track of an open file; for a growing file, only its complete frames. A damaged pipe is refused.
  static func track(
    _ item: PlayItem, index: Int, of input: consuming InputFile, grows: Bool,
    _ cancellation: Cancellation
  ) throws(AudioFileError) -> Track {
    (input.raw, input.tagEncoding) = (item.raw, item.tagEncoding)
    if grows || item.isPipe {
      let stream =
        grows
        ? try AudioFile.growingReader(for: input)
        : try AudioFile.reader(for: input, salvaging: false)
      return try Track(index: index, item: item, stream: stream, isPartial: grows)
    }
    let isLong =
      input.size > maximumMeasuredBytes && !item.needsItsEnd && !item.isMeasuredFirst
    let (stream, damage) = try SalvagedStream.open(
      input, estimates: isLong ? .ofAnyPass : .none
    ) { () throws(AudioFileError) in
      try item.input.opened(cancellation, raw: item.raw, tagEncoding: item.tagEncoding)
    }
    guard stream.source.lengthBasis == .estimated, damage == nil else {
      return try Track(index: index, item: item, stream: stream, damage: damage)
    }
    return try Track(
      index: index, item: item, stream: stream, measurement: Measurement(item, cancellation))
  }
}
