internal import AudioContainers
internal import AudioIO
internal import AudioModel

/// A reader of the first of several files that were joined, whose container ends it.
final class FirstFileReader: FrameStream {
  let source: SourceDescription
  var clipping: Clipping { reader.clipping }
  var nonFiniteSamples: Int { reader.nonFiniteSamples }
  var seeking: Seeking { reader.seeking }
  private let reader: any FrameStream
  private let first: InputFile

  /// A reader of the bytes before `end`, where another file begins.
  init(
    _ input: borrowing InputFile, end: Int,
    open: (borrowing InputFile) throws(AudioFileError) -> any FrameStream
  ) throws(AudioFileError) {
    let first = try InputFile(input, bytes: 0..<end)
    let reader = try open(first)
    var source = reader.source
    source.warnings.append(
      .source("the file contains a second file from byte \(end); ignored"))
    self.first = first
    self.reader = reader
    self.source = source
  }

  func seek(toFrame frame: Int) throws(AudioFileError) { try reader.seek(toFrame: frame) }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    try reader.read(into: buffer)
  }

  func checkEnd(of input: borrowing InputFile) throws(AudioFileError) {
    try reader.checkEnd(of: first)
  }
}
