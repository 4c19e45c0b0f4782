internal import AudioModel
internal import CFLAC
internal import SystemPackage

/// Reads FLAC, native or in Ogg, through libFLAC.
final class FLACReader: AudioFileReader {
  let source: SourceDescription
  var clippedSamples: Int { 0 }
  private var delivery: BlockDelivery<FLACBlockSource>

  init(
    _ input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) {
    var stream = try FLACBlockSource.Expectation(input, format: format, salvaging: salvaging)
    stream.checksMD5 = !salvaging
    let blocks = try FLACBlockSource(input, stream)
    let facts = try FLACStreamFacts(blocks.decoder.metadata, path: input.path)
    let length = try FLACLength(
      of: input, stream, declared: blocks.decoder.metadata.declaredFrames,
      sampleRate: facts.spec.sampleRate)
    delivery = BlockDelivery(
      blocks, frameCount: length.frames, channelCount: facts.spec.channelCount, path: input.path)
    source = SourceDescription(
      spec: facts.spec, frameCount: length.frames, format: format, codec: "FLAC",
      sampleFormat: facts.sampleFormat, metadata: blocks.decoder.metadata.metadata,
      warnings: facts.warnings + length.warnings)
  }

  func read<Sample: PCMSample>(into buffer: inout MutableSpan<Sample>) throws(AudioFileError) -> Int
  {
    try delivery.read(into: &buffer)
  }
}
