package import AudioIO

extension AudioFormat.Container {
  /// Consecutive frames, which the start of a file alone does not show.
  package static let mpegAudio = Self("mpegAudio", metadata: .id3)
}

/// The frames of an MPEG audio file: its length, and whether it is complete.
///
/// The format does not declare a length, and the Xing or VBRI header in the first frame is optional. So the
/// frames are counted; only their headers are read.
package struct MPEGStream: Sendable {
  /// The first frame that carries audio.
  package let first: MPEGFrameHeader
  /// The byte ranges of the frames in order; several if other bytes lie between frames.
  package private(set) var ranges: [Range<Int>] = []
  /// The number of audio frames, without a Xing or VBRI frame.
  private(set) var frameCount = 0
  /// Bytes of the audio frames.
  private(set) var byteCount = 0
  /// Bytes of the smallest and the largest audio frame.
  private(set) var frameBytes: ClosedRange<Int>?
  /// The offset of the first audio frame.
  private(set) var firstFrameOffset: Int?
  /// The encoder's Xing, Info, or VBRI header; `nil` if there is none.
  package private(set) var info: MPEGInfoFrame?
  /// Whether every frame has the same bit rate.
  private(set) var isConstant = true
  /// The offsets of bytes between or after the frames that belong to no frame or tag.
  package private(set) var strayOffsets: [Int] = []
  /// Bytes of leading tags.
  let leadingTagBytes: Int
  /// Whether the file ends inside a frame.
  private(set) var endsInsideFrame = false
  /// The offset of the first frame with invalid side information.
  private(set) var brokenFrame: Int?
  /// The offset of the first frame with a different channel count.
  package private(set) var channelChange: Int?

  /// The maximum number of ranges; a file with more is not MPEG audio.
  private static let maximumRangeCount = 1024

  /// Bits per second: the rate of a constant stream, or else the average.
  package var bitRate: Int {
    if isConstant, first.bitRate > 0 { return first.bitRate }
    let seconds = Double(frameCount * first.frameCount) / Double(first.sampleRate)
    return frameCount == 0 ? 0 : Int(Double(byteCount) * 8 / seconds)
  }

  /// PCM frames that the audio frames decode to, including encoder delay and padding.
  package var decodedFrames: Int { frameCount * first.frameCount }

  /// Declared audio frames that are missing; 0 if none are declared.
  var missingFrames: Int {
    guard let declared = info?.frameCount, declared > frameCount else { return 0 }
    // Some encoders count the header frame too; then the byte count shows that the file is complete.
    if declared == frameCount + 1, let bytes = info?.byteCount, let last = ranges.last,
      let start = ranges.first?.lowerBound, last.upperBound - start >= bytes
    {
      return 0
    }
    return declared - frameCount
  }

  /// Walks the frames of `input`; `nil` if there are none.
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
      // mpg123 skips Xing headers, but would play VBRI headers.
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

  /// The header of a frame of this stream; `nil` if `bytes` do not begin with one.
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

  /// Drops an encoder's header with wrong information.
  package mutating func dropInfoFrame() {
    guard let info, !info.isVBRI, let range = ranges.first else { return }
    ranges[0] = range.lowerBound + info.byteCountOfFrame..<range.upperBound
    self.info = nil
  }

  /// The offset of the next frame after `position` that is followed by another frame or the end of the file.
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
  /// Damage in a stream.
  package enum Damage: Hashable, Sendable {
    /// The end is missing; `expectedFrames` is the expected number of MPEG frames.
    case cut(expectedFrames: Int)
    /// Bytes between or after the frames belong to no frame or tag.
    case strayBytes(offset: Int)
    /// A frame has invalid side information.
    case brokenFrame(offset: Int)
  }

  /// The delay of decoders in samples, which the encoder delay excludes (LAME's `DECDELAY` plus 1).
  private static let decoderDelay = 529

  /// The damage to report; `nil` if the stream is intact.
  package var damage: Damage? {
    if missingFrames > 0 { return .cut(expectedFrames: frameCount + missingFrames) }
    let hasFrameCount = info?.frameCount != nil
    // If the encoder's header confirms the count, data after the last frame is irrelevant.
    if endsInsideFrame && !hasFrameCount { return .cut(expectedFrames: frameCount + 1) }
    if let brokenFrame { return .brokenFrame(offset: brokenFrame) }
    guard let stray = strayOffsets.first else { return nil }
    let isBehind = ranges.last.map { stray >= $0.upperBound } ?? true
    return isBehind && hasFrameCount ? nil : .strayBytes(offset: stray)
  }

  /// The range of audio in the decoded PCM frames, if only iTunes' comment states it and its numbers are
  /// consistent.
  package func extentByITunes(_ input: borrowing InputFile) throws(AudioFileError) -> Range<Int>? {
    guard info?.delay == nil, leadingTagBytes > 0,
      let gapless = try ITunesGapless(of: input, count: leadingTagBytes)
    else { return nil }
    let (before, overflows) = gapless.delay.addingReportingOverflow(gapless.frameCount)
    let (sum, overflowsToo) = before.addingReportingOverflow(gapless.padding)
    guard !overflows, !overflowsToo, sum == decodedFrames, gapless.delay < decodedFrames else {
      return nil
    }
    // The numbers exclude the decoder's delay.
    let start = gapless.delay + Self.decoderDelay
    return start..<max(start, min(start + gapless.frameCount, decodedFrames))
  }

  /// PCM frames that libmpg123 decodes to; `nil` if the headers do not determine it.
  ///
  /// libmpg123 removes the delay and padding in LAME's header, shifted by its own delay.
  package var promisedFrames: Int? {
    guard let info, !info.isVBRI else { return decodedFrames }
    guard info.frameCount == frameCount else { return nil }
    guard let delay = info.delay, let padding = info.padding else { return decodedFrames }
    guard padding >= Self.decoderDelay, delay + padding <= decodedFrames else { return nil }
    return decodedFrames - delay - padding
  }
}

/// Describes the storage of MPEG audio.
package enum MPEGStorage {
  /// Counts the frames of a file.
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
