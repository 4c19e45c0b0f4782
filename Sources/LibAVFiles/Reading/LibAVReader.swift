package import AudioIO
package import AudioModel
internal import SystemPackage

/// A reader of the formats that FFmpeg's libraries decode.
package final class LibAVReader: FrameStream {
  package var source: SourceDescription { opened.description }
  package private(set) var clipping = Clipping()
  package private(set) var nonFiniteSamples = 0
  private let path: FilePath
  let opened: LibAVSource
  private let input: InputFile
  /// The blocks from the current one on.
  private var blocks: LibAVBlockSource
  private var framesLeft: Int
  /// The number of frames; of an estimated length, more than there can be.
  private let frameLimit: Int
  /// The error that follows the frames that were delivered last.
  private var failure: AudioFileError?
  /// The range of the track being delivered.
  private var rangeIndex = 0
  /// The next decoded frame, counting silence.
  private var position = 0
  /// Remaining frames of silence before the block.
  private var silenceLeft = 0
  /// Frames of the block that have been used.
  private var blockOffset = 0
  /// The packets at which decoding can begin; `nil` if there are none, or once they have turned out not to suffice.
  private lazy var packets = opened.packets
  /// Whether the current frame was found, perhaps by times that are rounded.
  private var isPlaceRounded = false
  /// Whether a distant frame is found without decoding what is before it.
  private lazy var findsFrames = opened.findsFrames
  /// Whether decoding began with a packet of the index.
  private var isAfterSeeking = false

  package init(
    _ input: borrowing InputFile, format: AudioFormat,
    holding: (_ isLossless: Bool, _ formatName: String) -> AudioFormat, _ options: ReadingOptions
  ) throws(AudioFileError) {
    path = input.path
    opened = try LibAVSource(input, format: format, holding: holding, options)
    self.input = try InputFile(input, bytes: 0..<input.size)
    blocks = opened.blocks
    frameLimit =
      opened.description.lengthBasis == .estimated
      ? LibAVLength.maximumFrames : opened.description.frameCount
    framesLeft = frameLimit
  }

  private var isEstimated: Bool { source.lengthBasis == .estimated }

  package var seeking: Seeking { packets == nil && !findsFrames ? .decoding : .direct }

  package func seek(toFrame frame: Int) throws(AudioFileError) {
    failure = nil
    let current = frameLimit - framesLeft
    let isNear = (current...current + Self.nearFrames).contains(frame)
    if !isNear, try !seekDirectly(toFrame: frame),
      try !find(frame: frame, from: current), frame < current
    {
      blocks = try LibAVBlockSource(input, opened.opening)
      guard try advance() else { throw shortage(found: 0) }
      (silenceLeft, rangeIndex, position) = (0, 0, 0)
      (isAfterSeeking, isPlaceRounded) = (false, false)
      framesLeft = frameLimit
    }
    var left = frame - (frameLimit - framesLeft)
    framesLeft -= left
    while left > 0, try reachRange() {
      let count = min(framesAhead, left)
      use(count)
      left -= count
    }
    if left > 0, !isEstimated { throw shortage(found: -left) }
  }

  package func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    if let failure { throw failure }
    let wanted = min(buffer.sampleCount / source.spec.channelCount, framesLeft)
    var done = 0
    do throws(AudioFileError) {
      while done < wanted, try reachRange() {
        let count = min(framesAhead, wanted - done)
        deliver(count, into: buffer, at: done)
        use(count)
        done += count
      }
      if done < wanted, rangeIndex < opened.ranges.count, !isEstimated {
        // The end is as far off as the time of the packet.
        guard isPlaceRounded,
          framesLeft - done <= source.spec.sampleRate / LibAVDecoder.timesPerSecond
        else { throw shortage(found: done) }
        let channels = source.spec.channelCount
        buffer.silence(done * channels..<wanted * channels)
        done = wanted
      }
    } catch {
      if done == 0 { throw error }
      failure = error
      framesLeft -= done
      return done
    }
    framesLeft -= done
    if framesLeft == 0, done > 0, !isPlaceRounded, let declared = opened.declaredFrames {
      try checkEnd(declared)
    }
    return done
  }

  package func checkEnd(of input: borrowing InputFile) throws(AudioFileError) {
    let demuxer = opened.opening.probe.names.first
    if try LibAVExtent.isStreamCut(input, demuxer: demuxer) {
      throw .truncated(path, expected: nil, found: nil)
    }
  }

  /// Frames that are decoded faster than a packet is looked up.
  private static let nearFrames = 4096

  /// Goes to a frame, or shortly before the end, by the index of packets; `false` if the reader stays where it is.
  private func seekDirectly(toFrame frame: Int) throws(AudioFileError) -> Bool {
    // No packet begins at the end.
    guard let packets, let (range, target) = decodedFrame(min(frame, source.frameCount - 1)),
      let start = try packets.start(
        for: target, in: blocks.decoder.track.stream, of: input)
    else { return false }
    let mayDiffer = opened.mayDiffer && isDistant(from: 0, to: frame)
    guard try blocks.decoder.seek(to: start, needsTwin: packets.needsTwin && !mayDiffer) else {
      self.packets = nil
      // The decoder has lost its place.
      if frame >= source.frameCount - framesLeft, try !decodeAgain() { throw shortage(found: 0) }
      return false
    }
    (isAfterSeeking, isPlaceRounded) = (true, false)
    (rangeIndex, position) = (range, start.frame)
    (silenceLeft, blockOffset) = (0, 0)
    framesLeft = source.frameCount - min(frame, source.frameCount - 1)
    while position < target {
      if blockFramesLeft == 0, try !advance() { throw shortage(found: 0) }
      use(min(blockFramesLeft, target - position))
    }
    return true
  }

  /// Seconds of audio that are decoded within the time in which a listener notices no delay.
  private static let nearSeconds = 20

  private func isDistant(from current: Int, to frame: Int) -> Bool {
    frame - current > Self.nearSeconds * source.spec.sampleRate
  }

  /// Goes to a distant frame; `false` if the reader stays where it is.
  private func find(frame: Int, from current: Int) throws(AudioFileError) -> Bool {
    guard findsFrames, isDistant(from: frame < current ? 0 : current, to: frame),
      let (range, target) = decodedFrame(min(frame, frameLimit - 1))
    else { return false }
    guard try blocks.decoder.seek(finding: target, in: input) else {
      findsFrames = false
      // The decoder has lost its place.
      if frame >= current, try !decodeAgain() { throw shortage(found: 0) }
      return false
    }
    (isAfterSeeking, isPlaceRounded) = (false, true)
    (rangeIndex, position, silenceLeft) = (range, target, 0)
    blockOffset = min(max(0, target - (blocks.decoder.decodedFrames - blockFrames)), blockFrames)
    framesLeft = frameLimit - min(frame, frameLimit - 1)
    return true
  }

  /// The decoded frame of a frame of the audio, and the number of its range; `nil` for none.
  private func decodedFrame(_ frame: Int) -> (range: Int, frame: Int)? {
    var left = frame
    for (index, range) in opened.ranges.enumerated() {
      if left < range.count { return (index, range.lowerBound + left) }
      left -= range.count
    }
    return nil
  }

  /// Decodes from the start up to the block that holds the current frame; `false` if there is none.
  private func decodeAgain() throws(AudioFileError) -> Bool {
    packets = nil
    (isAfterSeeking, isPlaceRounded) = (false, false)
    blocks = try LibAVBlockSource(input, opened.opening)
    repeat {
      guard try blocks.next() != nil else { return false }
    } while blocks.decoder.decodedFrames <= position
    silenceLeft = 0
    blockOffset = position - (blocks.decoder.decodedFrames - blockFrames)
    return true
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

  private var blockFrames: Int { blocks.decoder.block?.frameCount ?? 0 }

  private var blockFramesLeft: Int { blockFrames - blockOffset }

  private func deliver(_ count: Int, into buffer: FrameBuffer, at start: Int) {
    func interleave<Sample: PCMSample>(_ block: LibAVBlock, _: Sample.Type) {
      var (clipping, nonFinite) = (clipping, nonFiniteSamples)
      buffer.withSamples(of: Sample.self) { samples in
        block.interleave(
          from: blockOffset, count: count, into: &samples, at: start, clipping: &clipping,
          nonFinite: &nonFinite)
      }
      (self.clipping, nonFiniteSamples) = (clipping, nonFinite)
    }
    if silenceLeft > 0 {
      let channels = source.spec.channelCount
      buffer.silence(start * channels..<(start + count) * channels)
    } else if let block = blocks.decoder.block {
      interleave(block, buffer.format.sampleType)
    }
  }

  /// Advances past frames of the silence or the block.
  private func use(_ count: Int) {
    position += count
    if silenceLeft > 0 { silenceLeft -= count } else { blockOffset += count }
  }

  /// Decodes the next block; `false` at the end.
  private func advance() throws(AudioFileError) -> Bool {
    guard let silence = try blocks.next() else {
      // Some demuxers do not find the last packet of their index, such as that of FLAC in CAF.
      return isAfterSeeking && position < opened.decodedFrames ? try decodeAgain() : false
    }
    if blocks.decoder.isUncertain { return try decodeAgain() }
    silenceLeft = silence
    blockOffset = 0
    return true
  }

  private func shortage(found: Int) -> AudioFileError {
    .truncated(
      path, expected: isEstimated ? nil : source.frameCount, found: frameLimit - framesLeft + found)
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
