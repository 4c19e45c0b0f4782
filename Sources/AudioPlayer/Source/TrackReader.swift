internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import Dispatch
internal import ScaleAudio
internal import SystemPackage
internal import TimeScaling

/// Reads the frames of a track, in any order.
protocol TrackReader: AnyObject {
  var source: SourceDescription { get }

  /// Fills `buffer` with the next frames, and returns how many; 0 only at the end.
  func read(into buffer: inout MutableSpan<Float>) throws(AudioFileError) -> Int
  func seek(toFrame frame: Int) throws(AudioFileError)
}

/// Reads a file as it is.
///
/// While its length is estimated, a measurement runs beside it. What that opens takes over where this reader ends, or
/// cannot go to a frame at once.
final class PlainReader: TrackReader {
  private var reader: any FrameStream
  /// The error that follows the last frame.
  private var damage: AudioFileError?
  private var measurement: Measurement?
  private var position = 0
  var source: SourceDescription { reader.source }

  init(
    _ reader: any FrameStream, damage: AudioFileError? = nil, measurement: Measurement? = nil
  ) {
    (self.reader, self.damage, self.measurement) = (reader, damage, measurement)
  }

  func read(into buffer: inout MutableSpan<Float>) throws(AudioFileError) -> Int {
    if let measurement, measurement.isDamaged {
      try takeMeasured()
      try seek(toFrame: position)
    }
    var count = 0
    do throws(AudioFileError) {
      count = try reader.read(into: &buffer)
    } catch {
      // Only the measured file shows what is audio, up to its end.
      guard try takeMeasured() else { throw error }
      try seek(toFrame: position)
      count = try reader.read(into: &buffer)
    }
    // To go to the end might take as long as to decode everything.
    if count == 0, try takeMeasured(), position < reader.source.frameCount {
      try seek(toFrame: position)
      count = try reader.read(into: &buffer)
    }
    if count == 0, let damage { throw damage }
    position += count
    return count
  }

  func seek(toFrame frame: Int) throws(AudioFileError) {
    if let measurement, measurement.isDone || !isNear(frame) { try takeMeasured() }
    let isExact = reader.source.lengthBasis != .estimated
    position = isExact ? min(frame, reader.source.frameCount) : frame
    try reader.seek(toFrame: position)
  }

  /// Whether a frame is reached without a wait that is noticed.
  private func isNear(_ frame: Int) -> Bool {
    if reader.seeking == .direct { return true }
    return (position...position + 10 * reader.source.spec.sampleRate).contains(frame) || frame == 0
  }

  /// Continues with the measured file once it is known; `false` if it was known before.
  @discardableResult
  private func takeMeasured() throws(AudioFileError) -> Bool {
    guard let measurement else { return false }
    self.measurement = nil
    (reader, damage) = try measurement.result()
    return true
  }
}

/// The exact length of a file, which another thread finds while the file is played already.
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
    // The sound comes first.
    DispatchQueue(label: "scaleaudio.measurement", qos: .utility).async {
      [state, isReady, cancellation] in
      var new = State()
      do throws(AudioFileError) {
        let input = try item.input.opened(cancellation, raw: item.raw)
        let opened = try AudioFile.listeningReader(for: input)
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

  /// Whether damage was found.
  var isDamaged: Bool { state.withLock { $0.isDamaged } }

  var isDone: Bool { state.withLock { $0.result != nil } }

  /// Waits for the reader of the measured file, and the error that follows its last frame. Called once.
  func result() throws(AudioFileError) -> (any FrameStream, damage: AudioFileError?) {
    while isReady.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if cancellation.isCancelled { throw .cannotRead(path, .interrupted) }
    }
    let result = state.withLock { state in
      let result = state.result
      // Once it is played, its reader belongs to one thread.
      state.result = nil
      return State(result: result)
    }.result
    guard let result else { throw .cannotRead(path, .interrupted) }
    return try result.get()
  }
}

/// Reads what a conversion of a file makes.
final class ConvertedReader: TrackReader {
  let scaled: ConvertedStream
  private let path: FilePath
  /// The error that follows the last frame.
  private let damage: AudioFileError?
  var source: SourceDescription { scaled.source }

  /// A reader of a file that is open.
  init(
    _ reader: any FrameStream, _ settings: ConversionSettings, path: FilePath,
    damage: AudioFileError?
  ) throws(AudioFileError) {
    (self.path, self.damage) = (path, damage)
    scaled = try fileErrors(path) { () throws(ConversionError) in
      try ConvertedStream.forListening(reader, settings: settings, path: path)
    }
  }

  func read(into buffer: inout MutableSpan<Float>) throws(AudioFileError) -> Int {
    let count = try fileErrors(path) { () throws(ConversionError) in
      try scaled.read(into: &buffer)
    }
    if count == 0, let damage { throw damage }
    return count
  }

  func seek(toFrame frame: Int) throws(AudioFileError) {
    try fileErrors(path) { () throws(ConversionError) in try scaled.seek(toFrame: frame) }
  }
}

/// The pace of a file whose length is asked for by a duration or a map.
enum Pace {
  /// What the live engine makes of the frames of a file; `nil` if it leaves them as they are.
  static func map(
    of source: SourceDescription, _ time: TimeRequest, path: FilePath
  ) throws(AudioFileError) -> TimeMap? {
    let map = try fileErrors(path) { () throws(ConversionError) in
      try ConvertedStream.stretching(source, time, path: path)
    }
    guard let points = map?.points else { return nil }
    for (one, next) in zip(points, points.dropFirst()) {
      let rate = (next.source - one.source) / (next.output - one.output)
      // Decimal fractions are not exact.
      let slack = 1e-9
      let range = LiveEngine.rateRange
      guard rate >= range.lowerBound * (1 - slack), rate <= range.upperBound * (1 + slack) else {
        throw .cannotHold(
          path,
          reason: "it would play at a rate of \(rate), which is not within "
            + "\(range.lowerBound) to \(range.upperBound); convert goes further")
      }
    }
    return points.count == 2 && points[1].source == points[1].output ? nil : map
  }
}

/// Does some work, with errors that name the file.
private func fileErrors<Result>(
  _ path: FilePath, _ work: () throws(ConversionError) -> Result
) throws(AudioFileError) -> Result {
  do throws(ConversionError) {
    return try work()
  } catch {
    throw error.fileError ?? .cannotHold(path, reason: error.cause, remedy: error.remedy)
  }
}
