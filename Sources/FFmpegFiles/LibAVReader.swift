package import AudioIO
package import AudioModel
internal import SystemPackage

/// A reader of the formats that FFmpeg's libraries decode.
package final class LibAVReader: AudioFileReader {
  package var source: SourceDescription { opened.description }
  package private(set) var clipping = Clipping()
  package private(set) var nonFiniteSamples = 0
  private let path: FilePath
  let opened: LibAVSource
  private let input: InputFile
  /// The blocks from the current one on.
  private var blocks: LibAVBlockSource
  private var framesLeft: Int
  /// The range of the track being delivered.
  private var rangeIndex = 0
  /// The next decoded frame, counting silence.
  private var position = 0
  /// Remaining frames of silence before the block.
  private var silenceLeft = 0
  /// Frames of the block that have been used.
  private var blockOffset = 0

  package init(
    _ input: borrowing InputFile, format: AudioFormat, track: Int?, salvaging: Bool,
    estimating: Bool = false
  ) throws(AudioFileError) {
    path = input.path
    opened = try LibAVSource(
      input, format: format, track: track, salvaging: salvaging, estimating: estimating)
    self.input = try InputFile(input, bytes: 0..<input.size)
    blocks = opened.blocks
    framesLeft = opened.description.frameCount
  }

  package var seeking: Seeking { .decoding }

  package func seek(toFrame frame: Int) throws(AudioFileError) {
    if frame < source.frameCount - framesLeft {
      blocks = try LibAVBlockSource(input, opened.opening)
      guard try advance() else { throw shortage(found: 0) }
      (silenceLeft, rangeIndex, position) = (0, 0, 0)
      framesLeft = source.frameCount
    }
    var left = frame - (source.frameCount - framesLeft)
    framesLeft -= left
    while left > 0, try reachRange() {
      let count = min(framesAhead, left)
      use(count)
      left -= count
    }
    if left > 0 { throw shortage(found: -left) }
  }

  package func read<Sample: PCMSample>(
    into buffer: inout MutableSpan<Sample>
  ) throws(AudioFileError) -> Int {
    let wanted = min(buffer.count / source.spec.channelCount, framesLeft)
    var done = 0
    while done < wanted, try reachRange() {
      let count = min(framesAhead, wanted - done)
      deliver(count, into: &buffer, at: done)
      use(count)
      done += count
    }
    if done < wanted, rangeIndex < opened.ranges.count { throw shortage(found: done) }
    framesLeft -= done
    if framesLeft == 0, done > 0, let declared = opened.declaredFrames { try checkEnd(declared) }
    return done
  }

  package func checkEnd(of input: borrowing InputFile) throws(AudioFileError) {
    let demuxer = opened.opening.probe.names.first
    if try LibAVExtent.isStreamCut(input, demuxer: demuxer) {
      throw .truncated(path, expected: nil, found: nil)
    }
  }

  /// Decodes up to the next frame of the audio; `false` at the end.
  private func reachRange() throws(AudioFileError) -> Bool {
    while rangeIndex < opened.ranges.count {
      let range = opened.ranges[rangeIndex]
      let left = silenceLeft > 0 ? silenceLeft : blockFramesLeft
      if position >= range.upperBound {
        rangeIndex += 1
      } else if left == 0 {
        guard try advance() else { return false }
      } else if position < range.lowerBound {
        use(min(left, range.lowerBound - position))
      } else {
        return true
      }
    }
    return false
  }

  /// Frames of the audio that are decoded and not used, where there are some.
  private var framesAhead: Int {
    min(
      silenceLeft > 0 ? silenceLeft : blockFramesLeft,
      opened.ranges[rangeIndex].upperBound - position)
  }

  private var blockFramesLeft: Int {
    (blocks.decoder.block?.frameCount ?? 0) - blockOffset
  }

  private func deliver<Sample: PCMSample>(
    _ count: Int, into buffer: inout MutableSpan<Sample>, at start: Int
  ) {
    let channels = source.spec.channelCount
    if silenceLeft > 0 {
      for index in start * channels..<(start + count) * channels { buffer[index] = .silence }
    } else if let block = blocks.decoder.block {
      var (clipping, nonFinite) = (clipping, nonFiniteSamples)
      block.interleave(
        from: blockOffset, count: count, into: &buffer, at: start, clipping: &clipping,
        nonFinite: &nonFinite)
      (self.clipping, nonFiniteSamples) = (clipping, nonFinite)
    }
  }

  /// Advances past frames of the silence or the block.
  private func use(_ count: Int) {
    position += count
    if silenceLeft > 0 { silenceLeft -= count } else { blockOffset += count }
  }

  /// Decodes the next block; `false` at the end.
  private func advance() throws(AudioFileError) -> Bool {
    guard let silence = try blocks.next() else { return false }
    silenceLeft = silence
    blockOffset = 0
    return true
  }

  private func shortage(found: Int) -> AudioFileError {
    .truncated(
      path, expected: source.frameCount, found: source.frameCount - framesLeft + found)
  }

  /// Throws if the track continues beyond the length that its container declares.
  ///
  /// Anything that cannot be decoded is not part of the track: tags, or the padding of the last
  /// packet.
  private func checkEnd(_ declared: Int) throws(AudioFileError) {
    do throws(AudioFileError) {
      repeat { position += blockFramesLeft } while try advance()
    } catch .cannotRead(let path, let cause) {
      throw .cannotRead(path, cause)
    } catch {
      return
    }
    if position > declared {
      throw .malformed(
        path, reason: "it contains more than the \(source.frameCount) frames it declares")
    }
  }
}
