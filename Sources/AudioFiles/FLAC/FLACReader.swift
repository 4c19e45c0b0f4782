internal import AudioModel
internal import CFLAC
internal import SystemPackage

/// Reads FLAC, native or in Ogg, through libFLAC.
final class FLACReader: AudioFileReader {
  let source: SourceDescription
  var clippedSamples: Int { 0 }
  private let path: FilePath
  private let blocks: FLACBlockSource
  private let bitDepth: Int
  private var framesLeft: Int
  /// Frames of silence still to be delivered before the block.
  private var silenceLeft = 0
  /// Frames of the block that were delivered.
  private var blockOffset = 0
  private var hasEnded = false

  init(
    _ input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) {
    path = input.path
    var stream = try FLACBlockSource.Expectation(input, format: format, salvaging: salvaging)
    stream.checksMD5 = !salvaging
    blocks = try FLACBlockSource(input, stream)
    let facts = try FLACStreamFacts(blocks.decoder.metadata, path: path)
    bitDepth = facts.bitDepth
    let length = try FLACLength(
      of: input, stream, declared: blocks.decoder.metadata.declaredFrames,
      sampleRate: facts.spec.sampleRate)
    framesLeft = length.frames
    var tags = TagContents()
    tags.metadata = blocks.decoder.metadata.metadata
    tags.notCarried = blocks.decoder.metadata.otherBlocks
    // Some taggers put ID3v2 in front; FLAC's own tags go before it.
    tags.complete(with: try TagReader.readLeadingTags(input, sampleRate: facts.spec.sampleRate))
    source = SourceDescription(
      spec: facts.spec, frameCount: length.frames, format: format, codec: "FLAC",
      sampleFormat: facts.sampleFormat,
      metadata: tags.metadata.takingChapterComments(sampleRate: facts.spec.sampleRate),
      warnings: facts.warnings + length.warnings + tags.warnings, notCarried: tags.notCarried)
  }

  func read<Sample: PCMSample>(into buffer: inout MutableSpan<Sample>) throws(AudioFileError) -> Int
  {
    let channels = source.spec.channelCount
    let wanted = min(buffer.count / channels, framesLeft)
    var done = 0
    while done < wanted {
      if silenceLeft > 0 {
        let count = min(silenceLeft, wanted - done)
        for index in done * channels..<(done + count) * channels { buffer[index] = .silence }
        silenceLeft -= count
        done += count
      } else if blockOffset < blocks.decoder.block.frameCount {
        let count = min(blocks.decoder.block.frameCount - blockOffset, wanted - done)
        blocks.decoder.block.interleave(
          from: blockOffset, count: count, bitDepth: bitDepth, into: &buffer, at: done)
        blockOffset += count
        done += count
      } else if try !advance() {
        // Only a file that has changed since it was counted ends here.
        throw .truncated(
          path, expected: source.frameCount, found: source.frameCount - framesLeft + done)
      }
    }
    framesLeft -= done
    if framesLeft == 0, !hasEnded, try advance() {
      throw .malformed(path, reason: "it has changed while it was read")
    }
    return done
  }

  /// Goes on to the next block; `false` at the end.
  private func advance() throws(AudioFileError) -> Bool {
    guard let silence = try blocks.next() else {
      hasEnded = true
      return false
    }
    silenceLeft = silence
    blockOffset = 0
    return true
  }
}
