package import AudioIO

/// A file of MPEG audio, frame by frame: how long it is, and whether it is whole.
///
/// The format has no length of its own. What there is in its place, a Xing or VBRI header in the first
/// frame, is optional, so the frames are counted; only their headers are read.
package struct MPEGStream: Sendable {
  /// The first frame that carries audio.
  package let first: MPEGFrameHeader
  /// Where frames are, in bytes of the file, in order; more than one range where other bytes lie between.
  package private(set) var ranges: [Range<Int>] = []
  /// Frames that carry audio; a Xing or VBRI frame is not counted.
  private(set) var frameCount = 0
  /// Bytes of the audio frames.
  private(set) var byteCount = 0
  /// Bytes of the smallest and the largest audio frame.
  private(set) var frameBytes: ClosedRange<Int>?
  /// Where the first audio frame begins.
  private(set) var firstFrameOffset: Int?
  /// The header of an encoder that says the length, where there is one.
  package private(set) var info: MPEGInfoFrame?
  /// Whether every frame has the same bit rate.
  private(set) var isConstant = true
  /// Where bytes that belong to no frame and no tag begin, between frames or at the end.
  package private(set) var strayOffsets: [Int] = []
  /// Bytes of the tags in front.
  let leadingTagBytes: Int
  /// Whether the last frame is cut off by the end of the file.
  private(set) var endsInsideFrame = false
  /// Where the first frame begins whose side information no encoder writes.
  private(set) var brokenFrame: Int?
  /// Where a frame has another channel count than the first.
  package private(set) var channelChange: Int?

  /// More interruptions than this are not a damaged file but none at all.
  private static let maximumRangeCount = 1024

  /// Bits per second: the rate of a constant stream, else the average.
  package var bitRate: Int {
    if isConstant, first.bitRate > 0 { return first.bitRate }
    let seconds = Double(frameCount * first.frameCount) / Double(first.sampleRate)
    return frameCount == 0 ? 0 : Int(Double(byteCount) * 8 / seconds)
  }

  /// PCM frames that all audio frames decode to, before an encoder's delay and padding are cut off.
  package var decodedFrames: Int { frameCount * first.frameCount }

  /// Audio frames that the file promises, where it does, and has not.
  var missingFrames: Int {
    guard let declared = info?.frameCount, declared > frameCount else { return 0 }
    // Some encoders count the header frame too. Then the byte count shows that all is there.
    if declared == frameCount + 1, let bytes = info?.byteCount, let last = ranges.last,
      let start = ranges.first?.lowerBound, last.upperBound - start >= bytes
    {
      return 0
    }
    return declared - frameCount
  }

  /// Walks the frames of `input`; `nil` when there are none.
  package init?(of input: borrowing InputFile) throws(AudioFileError) {
    let start = try ID3Tag.end(of: input)
    guard let found = try MPEGFrameHeader.firstFrame(of: input, from: start) else { return nil }
    first = found.header
    leadingTagBytes = start
    var window = ReadWindow()
    info = MPEGInfoFrame(
      frame: try input.bytes(at: found.offset, count: found.header.byteCount), header: first)
    var position = found.offset
    if info != nil {
      // mpg123 knows Xing headers and skips them; VBRI headers it would play.
      if info?.isVBRI == false { append(position..<position + first.byteCount) }
      position += first.byteCount
    }
    while position < input.size {
      let bytes = try window.bytes(of: input, at: position, count: MPEGSideInfo.reach)
      if let header = header(bytes), header.byteCount > 0 {
        if header.byteCount > input.size - position {
          endsInsideFrame = true
          break
        }
        if header.channelCount != first.channelCount { channelChange = channelChange ?? position }
        if !MPEGSideInfo.isSound(bytes, header: header) { brokenFrame = brokenFrame ?? position }
        append(position..<position + header.byteCount)
        isConstant = isConstant && header.bitRate == first.bitRate
        frameCount += 1
        byteCount += header.byteCount
        firstFrameOffset = firstFrameOffset ?? position
        frameBytes =
          min(
            frameBytes?.lowerBound ?? header.byteCount, header.byteCount)...max(
            frameBytes?.upperBound ?? 0, header.byteCount)
        position += header.byteCount
      } else if let end = try TrailingTag.end(in: input, at: position) {
        position = end
      } else {
        strayOffsets.append(position)
        guard ranges.count < Self.maximumRangeCount,
          let next = try nextFrame(in: input, after: position)
        else { break }
        position = next
      }
    }
    if frameCount == 0 && info == nil { return nil }
  }

  /// The header of a frame of this stream; `nil` when the bytes begin none.
  private func header(_ bytes: ArraySlice<UInt8>) -> MPEGFrameHeader? {
    guard let header = MPEGFrameHeader(bytes), header.matches(first) else { return nil }
    return header.sized(freeByteCount: first.byteCount - first.padding)
  }

  private mutating func append(_ range: Range<Int>) {
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }

  /// Leaves out the encoder's header, whose promise does not hold.
  package mutating func dropInfoFrame() {
    guard let info, !info.isVBRI, let range = ranges.first else { return }
    ranges[0] = range.lowerBound + info.byteCountOfFrame..<range.upperBound
    self.info = nil
  }

  /// The next frame after `position` that is followed by another or by the end of the file.
  private func nextFrame(
    in input: borrowing InputFile, after position: Int
  ) throws(AudioFileError) -> Int? {
    var window = ReadWindow()
    var candidate = position + 1
    while candidate + 4 <= input.size {
      let bytes = try window.bytes(of: input, at: candidate, count: 4)
      if bytes.first == 0xFF, let header = header(bytes), header.byteCount > 0 {
        let next = candidate + header.byteCount
        if next == input.size { return candidate }
        if self.header(try input.bytes(at: next, count: 4)[...]) != nil { return candidate }
      }
      candidate += 1
    }
    return nil
  }
}

extension MPEGStream {
  /// What is wrong with a stream.
  package enum Damage: Hashable, Sendable {
    /// The end is missing; this many frames of MPEG audio were to be there.
    case cut(expectedFrames: Int)
    /// Bytes between the frames, or behind them, belong to no frame and no tag.
    case strayBytes(offset: Int)
    /// A frame cannot be decoded as it stands.
    case brokenFrame(offset: Int)
  }

  /// The samples by which decoders lag, which the encoder's delay leaves out (LAME's `DECDELAY` plus 1).
  private static let decoderDelay = 529

  /// What is wrong, if anything is.
  package var damage: Damage? {
    if missingFrames > 0 { return .cut(expectedFrames: frameCount + missingFrames) }
    let isPromiseKept = info?.frameCount != nil
    // Where the encoder's header confirms the count, what follows the last frame is not missed.
    if endsInsideFrame && !isPromiseKept { return .cut(expectedFrames: frameCount + 1) }
    if let brokenFrame { return .brokenFrame(offset: brokenFrame) }
    guard let stray = strayOffsets.first else { return nil }
    let isBehind = ranges.last.map { stray >= $0.upperBound } ?? true
    return isBehind && isPromiseKept ? nil : .strayBytes(offset: stray)
  }

  /// The PCM frames that are audio, of those that decoding gives, where only iTunes' comment tells them
  /// and its numbers add up.
  package func extentByITunes(_ input: borrowing InputFile) throws(AudioFileError) -> Range<Int>? {
    guard info?.delay == nil, leadingTagBytes > 0,
      let gapless = try ITunesGapless(of: input, count: leadingTagBytes)
    else { return nil }
    let (before, overflows) = gapless.delay.addingReportingOverflow(gapless.frameCount)
    let (sum, overflowsToo) = before.addingReportingOverflow(gapless.padding)
    guard !overflows, !overflowsToo, sum == decodedFrames, gapless.delay < decodedFrames else {
      return nil
    }
    // The numbers leave out by how much decoders lag.
    let start = gapless.delay + Self.decoderDelay
    return start..<max(start, min(start + gapless.frameCount, decodedFrames))
  }

  /// PCM frames that decoding gives, where the headers say it for certain.
  ///
  /// libmpg123 cuts off the delay and the padding that LAME's header names, shifted by its own delay.
  package var promisedFrames: Int? {
    guard let info, !info.isVBRI else { return decodedFrames }
    guard info.frameCount == frameCount else { return nil }
    guard let delay = info.delay, let padding = info.padding else { return decodedFrames }
    guard padding >= Self.decoderDelay, delay + padding <= decodedFrames else { return nil }
    return decodedFrames - delay - padding
  }
}

/// How a file of MPEG audio stores it.
package enum MPEGStorage {
  package static func describe(
    of input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) -> StorageDescription {
    var storage = StorageDescription(container: format.containerName)
    guard let stream = try MPEGStream(of: input), stream.frameCount > 0 else { return storage }
    storage.audioOffset = stream.firstFrameOffset
    storage.audioByteCount = stream.byteCount
    storage.bitRateMode = stream.isConstant ? .constant : .variable
    storage.packets = StorageDescription.Packets(
      count: stream.frameCount, bytes: stream.frameBytes, frameCount: stream.first.frameCount)
    storage.delay = stream.info?.delay
    storage.padding = stream.info?.padding
    guard storage.delay == nil, stream.leadingTagBytes > 0,
      let gapless = try ITunesGapless(of: input, count: stream.leadingTagBytes)
    else { return storage }
    (storage.delay, storage.padding) = (gapless.delay, gapless.padding)
    return storage
  }
}
