internal import AudioContainers
package import AudioIO
package import AudioModel
internal import CVorbis
internal import SystemPackage

/// Reads Ogg Vorbis through libvorbisfile.
package final class VorbisReader: AudioFileReader {
  package let source: SourceDescription
  package var clipping: Clipping { delivery.blocks.clipping }
  package var nonFiniteSamples: Int { delivery.blocks.nonFiniteSamples }
  private var delivery: BlockDelivery<VorbisBlockSource>

  package init(
    _ input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) {
    let path = input.path
    let decoder = try Self.open(input)
    let facts = try VorbisStreamFacts(decoder, path: path, salvaging: salvaging)
    let length = try VorbisLength(of: input, decoder, spec: facts.spec, salvaging: salvaging)
    let blocks = VorbisBlockSource(
      decoder, spec: facts.spec, salvaging: salvaging, leadingFrames: length.leadingFrames,
      path: path)
    delivery = BlockDelivery(
      blocks, frameCount: length.frames, channelCount: facts.spec.channelCount, path: path)
    source = SourceDescription(
      spec: facts.spec, frameCount: length.frames, format: format, codec: "Vorbis",
      sampleFormat: nil, bitRate: facts.bitRate,
      metadata: facts.metadata.takingChapterComments(sampleRate: facts.spec.sampleRate),
      warnings: facts.warnings + length.warnings, lengthBasis: salvaging ? .counted : .declared)
  }

  /// Opens the file; one that ends before its headers do is told to be truncated.
  private static func open(
    _ input: borrowing InputFile
  ) throws(AudioFileError) -> VorbisDecoder {
    do throws(AudioFileError) {
      return try VorbisDecoder(input)
    } catch .cannotRead(let path, let cause) {
      throw .cannotRead(path, cause)
    } catch {
      if try OggStreamEnd(of: input)?.isWhole != true {
        throw .truncated(input.path, expected: nil, found: 0)
      }
      throw error
    }
  }

  package func read<Sample: PCMSample>(into buffer: inout MutableSpan<Sample>)
    throws(AudioFileError) -> Int
  {
    try delivery.read(into: &buffer)
  }

  package func storage(
    of input: borrowing InputFile, countsPackets: Bool
  ) throws(AudioFileError) -> StorageDescription {
    try OggStorage.describe(of: input, sampleRate: source.spec.sampleRate)
  }
}
