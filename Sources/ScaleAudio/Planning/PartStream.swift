internal import AudioIO
internal import AudioModel

/// A part of a source.
struct SourcePart: Hashable {
  /// The frames of the whole source.
  let frames: Range<Int>
  /// The description of the whole source.
  let whole: SourceDescription
  /// The part, described like a file, with metadata relative to its start.
  let source: SourceDescription

  init(_ frames: Range<Int>, of whole: SourceDescription) {
    self.frames = frames
    self.whole = whole
    var source = whole
    source.frameCount = frames.count
    source.metadata = whole.metadata.part(
      frames, of: whole.frameCount, sampleRate: whole.spec.sampleRate)
    self.source = source
  }
}

/// Presents a part of a source as a whole source.
///
/// A part that extends to the end of its source is read to the end, to detect damage there.
final class PartStream: FrameStream {
  private let reader: any FrameStream
  let source: SourceDescription
  /// The part, without the silence before it.
  private let frames: Range<Int>
  private let isToEnd: Bool
  /// Frames of silence before the first frame of the source.
  private let silence: Int
  private var silenceLeft = 0
  /// Frames left; `nil` until the reader has reached the start.
  private var framesLeft: Int?

  /// A reader of a part, given a reader of the whole source at its start.
  init(_ reader: any FrameStream, _ part: SourcePart) {
    self.reader = reader
    source = part.source
    frames = part.frames
    isToEnd = frames.upperBound == part.whole.frameCount
    silence = 0
  }

  /// A reader of frames of `whole`, whose metadata is unchanged. Frames before 0 are silence.
  init(_ reader: any FrameStream, _ frames: Range<Int>, of whole: SourceDescription) {
    self.reader = reader
    var source = whole
    source.frameCount = frames.count
    self.source = source
    silence = max(0, -frames.lowerBound)
    self.frames = max(0, frames.lowerBound)..<max(0, frames.upperBound)
    isToEnd = frames.upperBound == whole.frameCount
  }

  var clipping: Clipping { reader.clipping }
  var nonFiniteSamples: Int { reader.nonFiniteSamples }
  var seeking: Seeking { reader.seeking }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    if framesLeft == nil { try seek(toFrame: 0) }
    let left = framesLeft ?? 0
    let channels = source.spec.channelCount
    if silenceLeft > 0 {
      let count = min(silenceLeft, buffer.sampleCount / channels)
      buffer.silence(0..<count * channels)
      silenceLeft -= count
      return count
    }
    let wanted = min(buffer.sampleCount / channels, left)
    if wanted == 0 {
      return left == 0 && isToEnd ? try reader.read(into: buffer) : 0
    }
    let count = try reader.read(into: buffer.extracting(0..<wanted * channels))
    framesLeft = left - count
    return count
  }

  func seek(toFrame frame: Int) throws(AudioFileError) {
    // A newly opened source is at its start.
    let place = max(0, frame - silence)
    if framesLeft != nil || frames.lowerBound + place > 0 {
      try reader.seek(toFrame: frames.lowerBound + place)
    }
    framesLeft = frames.count - place
    silenceLeft = max(0, silence - frame)
  }

  func checkEnd(of input: borrowing InputFile) throws(AudioFileError) {
    try reader.checkEnd(of: input)
  }
}
