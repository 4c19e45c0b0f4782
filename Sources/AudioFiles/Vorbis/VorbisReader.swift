internal import AudioModel
internal import CVorbis
internal import SystemPackage

/// Reads Ogg Vorbis through libvorbisfile.
final class VorbisReader: AudioFileReader {
  let source: SourceDescription
  private(set) var clippedSamples = 0
  private(set) var nonFiniteSamples = 0
  private let path: FilePath
  private let blocks: VorbisBlockSource
  private var framesLeft: Int
  /// Frames of silence still to be delivered before the block.
  private var silenceLeft = 0
  /// Samples of the block that were delivered.
  private var blockOffset = 0
  private var hasEnded = false

  init(
    _ input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) {
    path = input.path
    let decoder = try Self.open(input)
    let facts = try VorbisStreamFacts(decoder, path: path, salvaging: salvaging)
    let length = try VorbisLength(of: input, decoder, spec: facts.spec, salvaging: salvaging)
    blocks = VorbisBlockSource(
      decoder, spec: facts.spec, salvaging: salvaging, leadingFrames: length.leadingFrames,
      path: path)
    framesLeft = length.frames
    source = SourceDescription(
      spec: facts.spec, frameCount: length.frames, format: format, codec: "Vorbis",
      sampleFormat: nil, bitRate: facts.bitRate,
      metadata: facts.metadata.takingChapterComments(sampleRate: facts.spec.sampleRate),
      warnings: facts.warnings + length.warnings)
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

  func read<Sample: PCMSample>(into buffer: inout MutableSpan<Sample>) throws(AudioFileError) -> Int
  {
    let channels = source.spec.channelCount
    let wanted = min(buffer.count / channels, framesLeft) * channels
    var done = 0
    while done < wanted {
      if silenceLeft > 0 {
        let count = min(silenceLeft * channels, wanted - done)
        for index in done..<done + count { buffer[index] = .silence }
        silenceLeft -= count / channels
        done += count
      } else if blockOffset < blocks.block.count {
        let count = min(blocks.block.count - blockOffset, wanted - done)
        deliver(count, into: &buffer, at: done)
        done += count
      } else if try !advance() {
        throw .truncated(
          path, expected: source.frameCount,
          found: source.frameCount - framesLeft + done / channels)
      }
    }
    framesLeft -= done / channels
    if framesLeft == 0, !hasEnded {
      var isMore = blockOffset < blocks.block.count || silenceLeft > 0
      if !isMore { isMore = try advance() }
      if isMore {
        throw .malformed(
          path, reason: "there are more than the \(source.frameCount) frames that it declares")
      }
    }
    return done / channels
  }

  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  private func deliver<Sample: PCMSample>(
    _ count: Int, into buffer: inout MutableSpan<Sample>, at start: Int
  ) {
    var (clipped, nonFinite) = (clippedSamples, nonFiniteSamples)
    for index in 0..<count {
      buffer[start + index] = Sample(
        decoded: Double(blocks.block[blockOffset + index]), clipped: &clipped,
        nonFinite: &nonFinite)
    }
    (clippedSamples, nonFiniteSamples) = (clipped, nonFinite)
    blockOffset += count
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
