internal import AudioContainers
package import AudioIO
package import AudioModel
internal import AudioTags
internal import CFLAC
internal import SystemPackage

/// Reads FLAC, native or in Ogg, through libFLAC.
package final class FLACReader: AudioFileReader {
  package let source: SourceDescription
  package var clipping: Clipping { Clipping() }
  private var delivery: BlockDelivery<FLACBlockSource>

  package init(
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
    var tags = TagContents()
    tags.metadata = blocks.decoder.metadata.metadata
    let covers = try FLACPictures(of: input, inOgg: stream.inOgg)
    if covers.areDamaged {
      guard salvaging else { throw .malformed(input.path, reason: FLACDamage.metadataReason) }
      tags.warnings.append("a damaged picture is not carried")
    }
    tags.metadata.pictures = covers.pictures
    tags.notCarried = blocks.decoder.metadata.otherBlocks
    // Some taggers put ID3v2 in front; FLAC's own tags go before it.
    tags.complete(with: try TagReader.readLeadingTags(input, sampleRate: facts.spec.sampleRate))
    source = SourceDescription(
      spec: facts.spec, frameCount: length.frames, format: format, codec: "FLAC",
      sampleFormat: facts.sampleFormat,
      metadata: tags.metadata.takingChapterComments(sampleRate: facts.spec.sampleRate),
      warnings: facts.warnings + length.warnings + tags.warnings, notCarried: tags.notCarried,
      lengthBasis: length.isCounted ? .counted : .declared)
  }

  package func read<Sample: PCMSample>(into buffer: inout MutableSpan<Sample>)
    throws(AudioFileError) -> Int
  {
    try delivery.read(into: &buffer)
  }

  package func storage(
    of input: borrowing InputFile, countsPackets: Bool
  ) throws(AudioFileError) -> StorageDescription {
    if source.format.container == .ogg {
      return try OggStorage.describe(of: input, sampleRate: source.spec.sampleRate)
    }
    return try FLACStorage.describe(of: input, frameCount: source.frameCount)
  }

  package func checkEnd(of input: borrowing InputFile) throws(AudioFileError) {
    if source.format.container == .flac { try FLACEndCheck.check(input) }
  }
}
