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
  /// The number of frames; if the length is estimated, more than the file can have.
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
  /// The way to find a distant frame; `nil` if only decoding finds it, or after a failed attempt.
  private lazy var way = opened.seeking
  /// True when the current frame was found by times, which may be rounded.
  private var isPlaceRounded = false

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

  package var seeking: Seeking { way == nil ? .decoding : .direct }

  package func seek(toFrame frame: Int) throws(AudioFileError) {
    failure = nil
    let current = frameLimit - framesLeft
    if try !jump(to: frame, from: current), frame < current { try rewind() }
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
        // The end is only as exact as the packet's time.
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

  /// The number of frames that are decoded in less time than looking up a packet takes.
  private static let nearFrames = 4096
  /// Seconds of audio that are decoded without a noticeable delay.
  private static let nearSeconds = 20

  /// Seeks to a distant frame, or to one shortly before it; `false` if the position is unchanged.
  private func jump(to frame: Int, from current: Int) throws(AudioFileError) -> Bool {
    guard let way else { return false }
    var isRounded = false
    var (start, near) = (current, Self.nearFrames)
    switch way {
    case .index: break
    case .times, .counting:
      // Decoding reaches frames near the start, or shortly ahead, exactly.
      if frame < current { start = 0 }
      near = Self.nearSeconds * source.spec.sampleRate
      if case .times = way { isRounded = true }
    }
    // No packet begins at the end.
    let last = min(frame, frameLimit - 1)
    guard !(start...start + near).contains(frame), let (range, target) = decodedFrame(last) else {
      return false
    }
    let isReached: Bool
    switch way {
    case .index(let index):
      guard let start = try index.start(for: target, in: blocks.decoder.track.stream, of: input)
      else { return false }
      isReached = try blocks.decoder.seek(to: start, for: target)
    case .times: isReached = try blocks.decoder.seek(byTimeTo: target)
    case .counting: isReached = try blocks.decoder.seek(byCountingTo: target)
    }
    guard isReached else {
      // The decoder has lost its place.
      self.way = nil
      try rewind()
      return true
    }
    (rangeIndex, position, silenceLeft) = (range, target, 0)
    blockOffset = min(max(0, target - (blocks.decoder.decodedFrames - blockFrames)), blockFrames)
    framesLeft = frameLimit - last
    isPlaceRounded = isRounded
    return true
  }

  /// Restarts at the first frame.
  private func rewind() throws(AudioFileError) {
    blocks = try LibAVBlockSource(input, opened.opening)
    (rangeIndex, position, isPlaceRounded) = (0, 0, false)
    framesLeft = frameLimit
    guard try advance() else { throw shortage(found: 0) }
    silenceLeft = 0
  }

  /// The decoded frame for a frame of the audio, and the number of its range; `nil` if there is none.
  private func decodedFrame(_ frame: Int) -> (range: Int, frame: Int)? {
    var left = frame
    for (index, range) in opened.ranges.enumerated() {
      if left < range.count { return (index, range.lowerBound + left) }
      left -= range.count
    }
    return nil
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

  /// The number of decoded frames of the audio, or of silence, that are available now.
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
    guard let silence = try blocks.next() else { return false }
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
