package import AudioIO

/// Frames of MPEG audio from one encoder: a file, or one of several concatenated files.
package struct MPEGPart: Sendable {
  /// The first frame of the stream.
  private let header: MPEGFrameHeader
  /// The offset of the first frame, or of the encoder's header.
  package let offset: Int
  /// The encoder's Xing, Info, or VBRI header; `nil` if there is none.
  package let info: MPEGInfoFrame?
  /// The bytes of the tags before the part.
  private let tag: Range<Int>?
  /// The byte ranges of the audio frames in order; several if other bytes are between frames.
  private(set) var ranges: [Range<Int>] = []
  /// The offset of every 64th audio frame, starting with the first.
  private var entries: [Int] = []
  /// The number of audio frames, without the encoder's header.
  private(set) var frameCount = 0
  /// Bytes of the audio frames.
  private(set) var byteCount = 0
  /// Bytes of the smallest and the largest audio frame.
  private(set) var frameBytes: ClosedRange<Int>?
  /// The number of audio frames before the first damage among them.
  private var intactCount = 0
  /// The offsets of bytes between or after the frames that belong to no frame or tag.
  var strayOffsets: [Int] = []
  /// True if the file ends inside a frame.
  var endsInsideFrame = false
  /// The bytes of the last audio frame.
  private(set) var lastFrame: Range<Int>?
  /// True if the encoder's header also counts the frames of the parts that follow.
  var countsAll = false
  /// The offset of the first frame with invalid side information.
  private var brokenFrame: Int?

  init(header: MPEGFrameHeader, offset: Int, info: MPEGInfoFrame?, tag: Range<Int>?) {
    (self.header, self.offset, self.info, self.tag) = (header, offset, info, tag)
  }

  /// PCM frames that the audio frames decode to, including encoder delay and padding.
  package var decodedFrames: Int { frameCount * header.frameCount }

  /// PCM frames that the encoder's header declares, including encoder delay and padding.
  package var declaredFrames: Int? { info?.frameCount.map { $0 * header.frameCount } }

  /// True if as many frames were found as the encoder's header declares.
  var isFull: Bool { info?.frameCount.map { frameCount >= $0 } ?? false }

  /// True if exactly as many frames were found as the encoder's header declares.
  var isJustFull: Bool { frameCount > 0 && info?.frameCount == frameCount }

  /// The number of frames found in addition to those that the encoder's header declares.
  package var uncountedFrames: Int { info?.frameCount.map { max(0, frameCount - $0) } ?? 0 }

  /// The byte ranges to decode.
  package var decodedRanges: [Range<Int>] {
    // Without audio, the header shows the decoder the format.
    if ranges.isEmpty, let info { return [offset..<offset + info.byteCountOfFrame] }
    return ranges
  }

  /// Audio frames between two entries.
  ///
  /// A decoder that begins at an entry reaches the state of one that began at the first frame after this many frames.
  /// By then it has read the 511 bytes that a layer III frame may refer back to, even at the lowest bit rate, where
  /// 11 of 24 bytes are main data. Entries are multiples of 8 frames, because libmpg123's polyphase filter keeps its
  /// last 16 slots in a ring, and sums them in the order of the ring. A frame has 12, 18 or 36 slots, so the ring is
  /// in the same position after at most 8 frames.
  ///
  /// Source: ISO 11172-3, section 2.4.2.7 (`main_data_begin`).
  private static let entryDistance = 64

  /// The byte ranges to decode to reach a decoded frame, and the decoded frame at which they begin: at least
  /// ``entryDistance`` audio frames earlier.
  package func ranges(before frame: Int) -> (ranges: [Range<Int>], start: Int)? {
    let index = frame / header.frameCount / Self.entryDistance - 1
    guard index > 0, index < entries.count else { return nil }
    let offset = entries[index]
    let rest = ranges.filter { $0.upperBound > offset }.map {
      max($0.lowerBound, offset)..<$0.upperBound
    }
    return (rest, index * Self.entryDistance * header.frameCount)
  }

  /// Adds a frame whose first bytes are `bytes`.
  mutating func add(_ frame: MPEGFrameHeader, _ bytes: ArraySlice<UInt8>, at position: Int) {
    if !MPEGSideInfo.isSound(bytes, header: frame) { brokenFrame = brokenFrame ?? position }
    let range = position..<position + frame.byteCount
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
    if brokenFrame == nil, strayOffsets.isEmpty { intactCount += 1 }
    if frameCount % Self.entryDistance == 0 { entries.append(position) }
    lastFrame = range
    frameCount += 1
    byteCount += frame.byteCount
    frameBytes =
      min(
        frameBytes?.lowerBound ?? frame.byteCount, frame.byteCount)...max(
        frameBytes?.upperBound ?? 0, frame.byteCount)
  }

  /// Drops the last frame, which is truncated.
  mutating func cutLastFrame() {
    guard let frame = lastFrame, let last = ranges.popLast() else { return }
    if last.lowerBound < frame.lowerBound { ranges.append(last.lowerBound..<frame.lowerBound) }
    if brokenFrame == frame.lowerBound {
      brokenFrame = nil
    } else if brokenFrame == nil, strayOffsets.isEmpty {
      intactCount -= 1
    }
    if entries.last == frame.lowerBound { entries.removeLast() }
    frameCount -= 1
    byteCount -= frame.count
    endsInsideFrame = true
    lastFrame = nil
  }
}

extension MPEGPart {
  /// Damage in a part.
  package enum Damage: Hashable, Sendable {
    /// The end is missing; `expectedFrames` is the expected number of MPEG frames.
    case truncated(expectedFrames: Int)
    /// Bytes between or after the frames belong to no frame or tag.
    case strayBytes(offset: Int)
    /// A frame has invalid side information.
    case brokenFrame(offset: Int)
  }

  /// The first damage before the last frame; `nil` if there is none.
  private var innerDamage: Damage? {
    let stray = strayOffsets.first.flatMap { stray in
      ranges.last.map { stray < $0.upperBound } == true ? stray : nil
    }
    if let brokenFrame, brokenFrame < stray ?? .max { return .brokenFrame(offset: brokenFrame) }
    return stray.map { .strayBytes(offset: $0) }
  }

  /// The damage to report; `nil` if the part is intact.
  package var damage: Damage? {
    if let innerDamage { return innerDamage }
    if missingFrames > 0 { return .truncated(expectedFrames: frameCount + missingFrames) }
    let hasFrameCount = info?.frameCount != nil && !countsAll
    // If the encoder's header confirms the count, data after the last frame is irrelevant.
    if endsInsideFrame && !hasFrameCount { return .truncated(expectedFrames: frameCount + 1) }
    guard let stray = strayOffsets.first else { return nil }
    return hasFrameCount ? nil : .strayBytes(offset: stray)
  }

  /// PCM frames that the audio frames before the first damage decode to.
  package var intactFrames: Int { intactCount * header.frameCount }

  /// The byte ranges of the audio frames before the first damage.
  package var intactRanges: [Range<Int>] {
    guard let end = [brokenFrame, strayOffsets.first].compactMap(\.self).min() else {
      return decodedRanges
    }
    return ranges.filter { $0.lowerBound < end }.map { $0.lowerBound..<min($0.upperBound, end) }
  }

  /// Declared audio frames that are missing; 0 if none are declared.
  private var missingFrames: Int {
    guard !countsAll, let declared = info?.frameCount, declared > frameCount else { return 0 }
    // Some encoders count the header frame too; then the byte count shows that the file is complete.
    if declared == frameCount + 1, let bytes = info?.byteCount, let last = ranges.last,
      last.upperBound - offset >= bytes
    {
      return 0
    }
    return declared - frameCount
  }

  /// The delay of decoders in samples, which the encoder delay excludes (LAME's `DECDELAY` plus 1).
  private static let decoderDelay = 529

  /// The range of audio in the decoded PCM frames: without the encoder delay and padding that LAME's header or
  /// iTunes' comment states.
  package func audio(_ input: borrowing InputFile) throws(AudioFileError) -> Range<Int> {
    let all = 0..<decodedFrames
    guard let info, !info.isVBRI, info.frameCount != nil, let delay = info.delay,
      let padding = info.padding
    else { return try gapless(input).flatMap(extent) ?? all }
    let start = delay + Self.decoderDelay
    // The padding belongs after the last frame that the header counts.
    let isLastThere = missingFrames == 0 || innerDamage != nil && !endsInsideFrame
    let hasPadding = uncountedFrames == 0 && isLastThere && !countsAll
    let end = hasPadding ? decodedFrames - max(0, padding - Self.decoderDelay) : decodedFrames
    return start <= end ? start..<end : all
  }

  /// The PCM frames of audio that the encoder's header declares, without encoder delay and padding; `nil` if it does not
  /// declare their number, or counts other parts too.
  package var declaredAudio: Int? {
    guard let declared = declaredFrames, !countsAll, let info else { return nil }
    guard !info.isVBRI, let delay = info.delay, let padding = info.padding else { return declared }
    let rest = declared - delay - Self.decoderDelay - max(0, padding - Self.decoderDelay)
    return rest >= 0 ? rest : declared
  }

  /// The encoder delay and padding from iTunes' comment in the tags before the part; `nil` if there is no comment, or
  /// LAME's header states them.
  func gapless(_ input: borrowing InputFile) throws(AudioFileError) -> ITunesGapless? {
    guard info?.delay == nil, let tag, !tag.isEmpty else { return nil }
    return try ITunesGapless(of: input, in: tag)
  }

  /// True if iTunes' comment may state the range of audio.
  package func hasComment(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    try gapless(input) != nil
  }

  /// The range of audio by iTunes' comment, if its numbers are consistent.
  private func extent(_ gapless: ITunesGapless) -> Range<Int>? {
    let (before, overflows) = gapless.delay.addingReportingOverflow(gapless.frameCount)
    let (sum, overflowsToo) = before.addingReportingOverflow(gapless.padding)
    guard !overflows, !overflowsToo, sum == decodedFrames, gapless.delay < decodedFrames else {
      return nil
    }
    // The numbers exclude the decoder's delay.
    let start = min(gapless.delay + Self.decoderDelay, decodedFrames)
    return start..<max(start, min(start + gapless.frameCount, decodedFrames))
  }
}
