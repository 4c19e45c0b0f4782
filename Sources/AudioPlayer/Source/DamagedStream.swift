internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import ScaleAudio

/// The frames of a damaged file, and the damage, which is thrown after the last one.
final class DamagedStream: FrameStream {
  private let stream: any FrameStream
  private let damage: AudioFileError

  var source: SourceDescription { stream.source }
  var clipping: Clipping { stream.clipping }
  var nonFiniteSamples: Int { stream.nonFiniteSamples }
  var seeking: Seeking { stream.seeking }

  init(_ stream: any FrameStream, _ damage: AudioFileError) {
    (self.stream, self.damage) = (stream, damage)
  }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let count = try stream.read(into: buffer)
    if count == 0 { throw damage }
    return count
  }

  func seek(toFrame frame: Int) throws(AudioFileError) { try stream.seek(toFrame: frame) }
}

/// The frames of a file, also those that can be read behind damage in its middle, which is thrown after the last one.
///
/// Damage that is known when the file is opened has a mark.
final class SalvagedStream: FrameStream {
  private var stream: any FrameStream
  private let input: InputFile
  let source: SourceDescription
  /// Opens the file once more, to be read behind damage; `nil` once it is.
  private var reopen: (() throws(AudioFileError) -> any FrameStream)?
  private var damage: AudioFileError?
  private var position = 0

  var clipping: Clipping { stream.clipping }
  var nonFiniteSamples: Int { stream.nonFiniteSamples }
  var seeking: Seeking { stream.seeking }

  private init(
    _ stream: any FrameStream, _ source: SourceDescription, _ input: consuming InputFile,
    reopen: (() throws(AudioFileError) -> any FrameStream)? = nil
  ) {
    (self.stream, self.source, self.reopen) = (stream, source, reopen)
    self.input = input
  }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    var count = 0
    do throws(AudioFileError) {
      count = try stream.read(into: buffer)
    } catch {
      // Bytes written over the file meanwhile are no damage.
      if error.isDamage { try input.checkUnchanged() }
      guard case .malformed = error, let reopen, let whole = try? reopen(),
        Self.isWorth(whole, from: position)
      else { throw error }
      self.reopen = nil
      try whole.seek(toFrame: position)
      (stream, damage) = (whole, error)
      count = try whole.read(into: buffer)
    }
    if count == 0, let damage { throw damage }
    position += count
    return count
  }

  func seek(toFrame frame: Int) throws(AudioFileError) {
    try stream.seek(toFrame: frame)
    position = frame
  }

  /// True if a quarter of a second or more can be read from a frame on. Less is what a decoder makes of damage at an end.
  private static func isWorth(_ stream: any FrameStream, from frame: Int) -> Bool {
    stream.source.frameCount - frame >= stream.spec.sampleRate / 4
  }

  /// Opens a file to be played, and returns with it the damage that is known.
  ///
  /// - Parameter reopen: Opens the file once more.
  static func open(
    _ input: consuming InputFile, estimates: ReadingOptions.Estimates = .none,
    reopen: @escaping () throws(AudioFileError) -> InputFile
  ) throws(AudioFileError) -> (any FrameStream, damage: AudioFileError?) {
    let (stream, damage) = try AudioFile.listeningReader(for: input, estimates: estimates)
    guard let damage else {
      let identity = input.identity
      let lasting = SalvagedStream(stream, stream.source, input) { () throws(AudioFileError) in
        let again = try reopen()
        // Another file that took its place has other sound.
        guard again.identity == identity else { throw .changed(again.path) }
        return try AudioFile.reader(for: again, salvaging: true, seeksNearby: true)
      }
      return (lasting, nil)
    }
    guard case .malformed = damage,
      let whole = try? AudioFile.reader(for: input, salvaging: true, seeksNearby: true),
      isWorth(whole, from: stream.source.frameCount)
    else { return (stream, damage) }
    var source = whole.source
    source.metadata.marks.append(
      Metadata.Mark(start: Double(stream.source.frameCount), label: "damage"))
    // The damage is reported as an error.
    source.warnings = stream.source.warnings
    return (SalvagedStream(whole, source, input), damage)
  }
}
