/// A source's samples rounded to 16 bits as they are read, for what is scaled in `Double`.
struct RoundedSource {
  private let reader: any AudioFileReader
  private var scratch: [Int16] = []

  init(_ reader: any AudioFileReader) { self.reader = reader }

  /// Fills `buffer` with the next frames; returns how many, 0 only at the end.
  mutating func read(into buffer: inout MutableSpan<Double>) throws(AudioFileError) -> Int {
    if scratch.count != buffer.count { scratch = Array(repeating: 0, count: buffer.count) }
    let reader = reader
    var block = scratch.mutableSpan
    let frames = try reader.read(into: &block)
    for i in 0..<frames * reader.source.spec.channelCount { buffer[i] = block[i].normalized }
    return frames
  }
}
