internal import AudioFiles
internal import AudioIO
internal import AudioModel

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

/// The frames of a damaged file that can be read before and after the damage, with a mark where that begins.
final class SalvagedStream: FrameStream {
  private let stream: any FrameStream
  let source: SourceDescription

  var clipping: Clipping { stream.clipping }
  var nonFiniteSamples: Int { stream.nonFiniteSamples }
  var seeking: Seeking { stream.seeking }

  private init(_ stream: any FrameStream, damagedAt frame: Int, warnings: [AudioWarning]) {
    var source = stream.source
    source.metadata.marks.append(Metadata.Mark(start: Double(frame), label: "damage"))
    // The damage is reported as an error.
    source.warnings = warnings
    (self.stream, self.source) = (stream, source)
  }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    try stream.read(into: buffer)
  }

  func seek(toFrame frame: Int) throws(AudioFileError) { try stream.seek(toFrame: frame) }

  /// Opens a file to be played. If it is damaged in the middle, it is read past the damage where that yields more, and
  /// the error is returned with it.
  static func open(
    _ input: borrowing InputFile, estimates: ReadingOptions.Estimates = .none
  ) throws(AudioFileError) -> (any FrameStream, damage: AudioFileError?) {
    let (stream, damage) = try AudioFile.listeningReader(for: input, estimates: estimates)
    guard case .malformed? = damage,
      let whole = try? AudioFile.reader(for: input, salvaging: true, seeksNearby: true),
      whole.source.frameCount > stream.source.frameCount
    else { return (stream, damage) }
    let salvaged = SalvagedStream(
      whole, damagedAt: stream.source.frameCount, warnings: stream.source.warnings)
    return (salvaged, damage)
  }
}
