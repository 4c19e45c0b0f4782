internal import AudioContainers
internal import AudioIO
internal import AudioModel

/// Reads what another reader reads, but for its first frames.
final class TrimmedReader: AudioFileReader {
  let source: SourceDescription
  var clipping: Clipping { reader.clipping }
  var nonFiniteSamples: Int { reader.nonFiniteSamples }
  private let reader: any AudioFileReader
  private var framesToSkip: Int

  /// Leaves out the first `frames` frames.
  init(_ reader: any AudioFileReader, leavingOut frames: Int) {
    self.reader = reader
    framesToSkip = min(max(0, frames), reader.source.frameCount)
    var source = reader.source
    source.frameCount -= framesToSkip
    self.source = source
  }

  func read<Sample: PCMSample>(into buffer: inout MutableSpan<Sample>) throws(AudioFileError) -> Int
  {
    let channels = source.spec.channelCount
    var scratch: [Sample] = []
    while framesToSkip > 0 {
      let count = min(framesToSkip, 4096)
      if scratch.isEmpty { scratch = .silence(count * channels) }
      var span = scratch.mutableSpan
      var part = span._mutatingExtracting(first: count * channels)
      let got = try reader.read(into: &part)
      if got == 0 { break }
      framesToSkip -= got
    }
    return try reader.read(into: &buffer)
  }

  func storage(
    of input: borrowing InputFile, countsPackets: Bool
  ) throws(AudioFileError) -> StorageDescription {
    try OggStorage.describe(of: input, sampleRate: source.spec.sampleRate)
  }
}
