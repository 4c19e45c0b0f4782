internal import AudioIO
internal import AudioModel

/// A part of a source.
struct SourcePart: Hashable {
  /// The frames of the whole source.
  let frames: Range<Int>
  /// The description of the whole source.
  let whole: SourceDescription
  /// The description of the part, as if it were a file: its metadata is moved to it.
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

/// Reads a part of a source, as if it were all.
///
/// A part to the end of its source is read to the end, so that damage there is found.
final class PartReader: AudioFileReader {
  private let reader: any AudioFileReader
  private let part: SourcePart
  /// Frames left; `nil` until the reader has gone to the start.
  private var framesLeft: Int?

  init(_ reader: any AudioFileReader, _ part: SourcePart) {
    self.reader = reader
    self.part = part
  }

  var source: SourceDescription { part.source }
  var clipping: Clipping { reader.clipping }
  var nonFiniteSamples: Int { reader.nonFiniteSamples }
  var seeking: Seeking { reader.seeking }

  func read<Sample: PCMSample>(
    into buffer: inout MutableSpan<Sample>
  ) throws(AudioFileError) -> Int {
    if framesLeft == nil { try seek(toFrame: 0) }
    let left = framesLeft ?? 0
    let channels = source.spec.channelCount
    let wanted = min(buffer.count / channels, left)
    if wanted == 0 {
      let isToEnd = left == 0 && part.frames.upperBound == part.whole.frameCount
      return isToEnd ? try reader.read(into: &buffer) : 0
    }
    var wantedSpan = buffer.extracting(0..<wanted * channels)
    let count = try reader.read(into: &wantedSpan)
    framesLeft = left - count
    return count
  }

  func seek(toFrame frame: Int) throws(AudioFileError) {
    // A source is at its start when it is opened.
    if framesLeft != nil || part.frames.lowerBound + frame > 0 {
      try reader.seek(toFrame: part.frames.lowerBound + frame)
    }
    framesLeft = part.frames.count - frame
  }

  func storage(
    of input: borrowing InputFile, countsPackets: Bool
  ) throws(AudioFileError) -> StorageDescription {
    try reader.storage(of: input, countsPackets: countsPackets)
  }

  func checkEnd(of input: borrowing InputFile) throws(AudioFileError) {
    try reader.checkEnd(of: input)
  }
}
