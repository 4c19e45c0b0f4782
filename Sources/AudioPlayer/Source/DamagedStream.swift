internal import AudioIO
internal import AudioModel

/// The frames of a damaged file up to the damage, which is thrown after the last one.
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
