internal import AudioIO
internal import AudioModel

/// The decoded blocks of a track, reduced to the ranges that are its audio.
final class LibAVBlockSource: BlockSource {
  private(set) var blockFrameCount = 0
  private(set) var clipping = Clipping()
  private(set) var nonFiniteSamples = 0
  private let opened: LibAVSource
  private let input: InputFile
  /// The decoded blocks from the current one on.
  private var decoded: LibAVDecodedBlocks
  /// The range of the track being delivered.
  private var rangeIndex = 0
  /// The next decoded frame, counting silence.
  private var position = 0
  /// Remaining frames of silence before the decoded block.
  private var silenceAhead = 0
  /// Frames of the decoded block that have been used.
  private var decodedOffset = 0
  /// The first frame of the block in the decoded block.
  private var blockStart = 0
  /// The way to find a distant frame; `nil` if only decoding finds it, or after a failed attempt.
  private lazy var way = opened.seeking
  /// True when the current frame was found by times, which may be rounded.
  private var isPlaceRounded = false

  /// The blocks of a track that was just opened.
  init(_ opened: LibAVSource, _ input: borrowing InputFile) throws(AudioFileError) {
    self.opened = opened
    self.input = try InputFile(input, bytes: 0..<input.size)
    decoded = opened.blocks
  }

  var seeking: Seeking { way == nil ? .decoding : .direct }

  private var isEstimated: Bool { opened.description.lengthBasis == .estimated }
  private var sampleRate: Int { opened.description.spec.sampleRate }
  private var decodedCount: Int { decoded.decoder.block?.frameCount ?? 0 }

  // MARK: Blocks

  func next() throws(AudioFileError) -> Int? {
    blockFrameCount = 0
    while rangeIndex < opened.ranges.count {
      let range = opened.ranges[rangeIndex]
      if position >= range.upperBound {
        rangeIndex += 1
      } else if silenceAhead == 0, decodedOffset >= decodedCount {
        guard try advance() else { return lateFrames() }
      } else if position < range.lowerBound {
        use(min(framesAhead, range.lowerBound - position))
      } else {
        let count = min(framesAhead, range.upperBound - position)
        let isSilence = silenceAhead > 0
        if !isSilence { (blockStart, blockFrameCount) = (decodedOffset, count) }
        use(count)
        return isSilence ? count : 0
      }
    }
    if !isPlaceRounded, !isEstimated, let declared = opened.declaredFrames {
      try checkEnd(declared)
    }
    return nil
  }

  func interleave<Sample: PCMSample>(
    from first: Int, count: Int, into buffer: inout MutableSpan<Sample>, at start: Int
  ) {
    decoded.decoder.block?.interleave(
      from: blockStart + first, count: count, into: &buffer, at: start, clipping: &clipping,
      nonFinite: &nonFiniteSamples)
  }

  /// The frames of silence, or of the decoded block, that are ahead.
  private var framesAhead: Int {
    silenceAhead > 0 ? silenceAhead : decodedCount - decodedOffset
  }

  /// Advances past frames of the silence or the decoded block.
  private func use(_ count: Int) {
    position += count
    if silenceAhead > 0 { silenceAhead -= count } else { decodedOffset += count }
  }

  /// Decodes the next block; `false` at the end.
  private func advance() throws(AudioFileError) -> Bool {
    guard let silence = try decoded.next() else { return false }
    silenceAhead = silence
    decodedOffset = 0
    return true
  }

  /// The missing frames at the end of a track whose place was found by rounded times, which silence replaces; `nil` if
  /// there are none, or too many.
  private func lateFrames() -> Int? {
    guard isPlaceRounded, !isEstimated else { return nil }
    let later = opened.ranges[(rangeIndex + 1)...].reduce(0) { $0 + $1.count }
    let range = opened.ranges[rangeIndex]
    let missing = range.upperBound - max(position, range.lowerBound) + later
    guard missing <= sampleRate / LibAVDecoder.timesPerSecond else { return nil }
    rangeIndex = opened.ranges.count
    return missing
  }

  /// Throws if the track continues beyond the length that its container declares.
  ///
  /// Anything that cannot be decoded is not part of the track: tags, or the padding of the last
  /// packet.
  private func checkEnd(_ declared: Int) throws(AudioFileError) {
    do throws(AudioFileError) {
      repeat { position += decodedCount - decodedOffset } while try advance()
    } catch .cannotRead(let path, let cause) {
      throw .cannotRead(path, cause)
    } catch {
      return
    }
    if position > declared {
      throw .malformed(
        input.path,
        reason: "it contains more than the \(opened.description.frameCount) frames it declares")
    }
  }

  // MARK: Seeking

  /// The number of frames that are decoded in less time than looking up a packet takes.
  private static let nearFrames = 4096
  /// Seconds of audio that are decoded without a noticeable delay.
  private static let nearSeconds = 20

  func seek(toFrame frame: Int, from position: Int) throws(AudioFileError) -> Int? {
    if let reached = try jump(to: frame, from: position) { return reached }
    guard frame < position else { return nil }
    try rewind()
    return 0
  }

  /// Seeks to a distant frame; returns it, or 0 if the attempt failed, or `nil` if the position is unchanged.
  private func jump(to frame: Int, from current: Int) throws(AudioFileError) -> Int? {
    guard let way else { return nil }
    var isRounded = false
    var (start, near) = (current, Self.nearFrames)
    switch way {
    case .index: break
    case .times, .counting:
      // Decoding reaches frames near the start, or shortly ahead, exactly.
      if frame < current { start = 0 }
      near = Self.nearSeconds * sampleRate
      if case .times = way { isRounded = true }
    }
    guard !(start...start + near).contains(frame), let (range, target) = decodedFrame(frame) else {
      return nil
    }
    let decoder = decoded.decoder
    let isReached: Bool
    switch way {
    case .index(let index):
      guard let start = try index.start(for: target, in: decoder.track.stream, of: input)
      else { return nil }
      isReached = try decoder.seek(to: start, for: target)
    case .times: isReached = try decoder.seek(byTimeTo: target)
    case .counting: isReached = try decoder.seek(byCountingTo: target)
    }
    guard isReached else {
      // The decoder has lost its place.
      self.way = nil
      try rewind()
      return 0
    }
    (rangeIndex, position, silenceAhead, blockFrameCount) = (range, target, 0, 0)
    decodedOffset = min(max(0, target - (decoder.decodedFrames - decodedCount)), decodedCount)
    isPlaceRounded = isRounded
    return frame
  }

  /// Restarts at the first frame.
  private func rewind() throws(AudioFileError) {
    decoded = try LibAVDecodedBlocks(input, opened.opening)
    (rangeIndex, position, blockFrameCount, isPlaceRounded) = (0, 0, 0, false)
    guard try advance() else {
      throw .truncated(
        input.path, expected: isEstimated ? nil : opened.description.frameCount, found: 0)
    }
    silenceAhead = 0
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
}
