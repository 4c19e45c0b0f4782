package import AudioIO

extension AudioFormat.Container {
  /// Consecutive frames; the start of a file alone does not show them.
  package static let mpegAudio = Self(
    "mpegAudio", metadata: .id3,
    tags: { (input, start, reading) throws(AudioFileError) in
      // A recorder may wrap MPEG audio in RIFF.
      if try input.bytes(at: start, count: 4).elementsEqual("RIFF".utf8) {
        try ChunkTags.readRIFF(input, at: start, into: &reading)
      } else {
        try reading.takeTrailingTags(input)
      }
    })
}

/// The frames of an MPEG audio file: its length, and whether it is complete.
///
/// The format does not declare a length, and the Xing or VBRI header in the first frame is optional, so frames are
/// counted by their headers. Concatenated files become several parts.
package struct MPEGStream: Sendable {
  /// The first frame.
  package let first: MPEGFrameHeader
  /// The concatenated files, in order; most files have one.
  package private(set) var parts: [MPEGPart] = []
  /// True if every frame has the same bit rate.
  private(set) var isConstant = true
  /// Bytes of leading tags.
  let leadingTagBytes: Int
  private let fileSize: Int
  /// The offset of audio of another kind, and the property that changes there. No part contains that audio.
  package private(set) var change: Change?
  /// The offset of bytes after the last frame that are neither audio nor a tag.
  package private(set) var junkOffset: Int?
  /// The offset of the first tag between frames.
  package private(set) var innerTagOffset: Int?
  /// The offset at which the walk ended before the end of the file; `nil` if it walked the whole file.
  package private(set) var walkedEnd: Int?

  /// A change that one output cannot follow.
  package struct Change: Hashable, Sendable {
    package let offset: Int
    /// The property that changes, such as `sample rate`.
    package let property: String
    package let from, to: String
  }

  /// The maximum number of ranges; a file with more is not MPEG audio.
  private static let maximumRangeCount = 1024

  /// The number of audio frames, without Xing or VBRI frames.
  var frameCount: Int { parts.reduce(0) { $0 + $1.frameCount } }

  /// Bytes of the audio frames.
  var byteCount: Int { parts.reduce(0) { $0 + $1.byteCount } }

  /// Bits per second: the rate of a constant stream, or else the average.
  package var bitRate: Int {
    if isConstant, first.bitRate > 0 { return first.bitRate }
    let seconds = Double(frameCount * first.frameCount) / Double(first.sampleRate)
    return frameCount == 0 ? 0 : Int(Double(byteCount) * 8 / seconds)
  }

  /// The estimated number of frames if only the start of the file was walked: from the encoder's header, or else
  /// from the number of bytes. `nil` if the whole file was walked.
  package var estimatedFrames: Int? {
    guard let walkedEnd, let part = parts.last, byteCount > 0 else { return nil }
    if parts.count == 1, let declared = part.declaredFrames { return declared }
    let rest = Double(fileSize - walkedEnd) / Double(byteCount) * Double(frameCount)
    return Int(exactly: rest.rounded()).map { (frameCount + $0) * first.frameCount }
  }

  /// Walks the frames of `input`, or only those in about `byteCount` bytes from the first frame on; `nil` if there
  /// are none.
  package init?(
    of input: borrowing InputFile, within byteCount: Int = .max / 2
  ) throws(AudioFileError) {
    let start = try ID3Tag.end(of: input)
    guard let found = try MPEGFrameHeader.firstFrame(of: input, from: start) else { return nil }
    first = found.header
    leadingTagBytes = start
    fileSize = input.size
    try begin(input, at: found.offset, first, tag: 0..<start)
    try walk(
      input, from: found.offset + (parts[0].info?.byteCountOfFrame ?? 0),
      to: found.offset + byteCount)
    settleCountOfAll()
    if parts.count > 1 { parts.removeAll { $0.frameCount == 0 && $0.damage == nil } }
    if frameCount == 0 && parts.first?.info == nil { return nil }
  }

  private mutating func walk(
    _ input: borrowing InputFile, from start: Int, to limit: Int
  ) throws(AudioFileError) {
    let end = max(start, try TrailingTag.start(of: input))
    var window = ReadWindow()
    var position = start
    // The last tag found, if no frame has followed it.
    var tag: Range<Int>?
    while position < end {
      if position >= limit {
        walkedEnd = position
        return
      }
      let bytes = try window.bytes(of: input, at: position, count: MPEGInfoFrame.markReach)
      if let header = header(bytes), header.byteCount > 0 {
        if header.byteCount > input.size - position {
          parts[parts.count - 1].endsInsideFrame = true
          return
        }
        if header.channelCount != first.channelCount {
          change = Change(
            offset: position, property: "channel count", from: "\(first.channelCount)",
            to: "\(header.channelCount)")
          return
        }
        if let tag { innerTagOffset = innerTagOffset ?? tag.lowerBound }
        if MPEGInfoFrame.isMarked(bytes, header: header) {
          try begin(input, at: position, header, tag: tag)
        } else {
          if parts[parts.count - 1].isJustFull, MPEGSideInfo.isIndependent(bytes, header: header) {
            try begin(input, at: position, header, tag: tag)
          }
          parts[parts.count - 1].add(header, bytes, at: position)
          isConstant = isConstant && header.bitRate == first.bitRate
        }
        tag = nil
        position += header.byteCount
      } else if let next = try TrailingTag.end(in: input, at: position, before: end) {
        // Zeros between tags are not a tag.
        if bytes.first != 0 { tag = position..<next }
        position = next
      } else {
        let followsTag = tag?.upperBound == position
        guard let next = try skip(input, from: position, to: end, followsTag: followsTag) else {
          return
        }
        position = next
      }
    }
  }

  /// Begins a part with the frame at `offset`.
  private mutating func begin(
    _ input: borrowing InputFile, at offset: Int, _ header: MPEGFrameHeader, tag: Range<Int>?
  ) throws(AudioFileError) {
    let info = MPEGInfoFrame(
      frame: try input.bytes(at: offset, count: header.byteCount), header: header)
    parts.append(MPEGPart(header: first, offset: offset, info: info, tag: tag))
  }

  /// Handles bytes that are neither frame nor tag. Returns where the walk continues; `nil` if it ends.
  private mutating func skip(
    _ input: borrowing InputFile, from position: Int, to end: Int, followsTag: Bool
  ) throws(AudioFileError) -> Int? {
    let last = parts.count - 1
    if let next = try startInsideLastFrame(input, before: position, end: end) {
      let cut = parts[last].lastFrame?.lowerBound ?? position
      parts[last].cutLastFrame()
      let bytes = try input.bytes(at: next, count: MPEGInfoFrame.markReach)
      // A tag, or the header of an encoder, begins the next part by itself.
      if let header = header(bytes[...]), !MPEGInfoFrame.isMarked(bytes[...], header: header) {
        if parts[last].frameCount > 0, MPEGSideInfo.isIndependent(bytes, header: header) {
          try begin(input, at: next, header, tag: nil)
        } else {
          // Bytes are missing here: no other file begins after the encoder's header, or with a frame that needs data
          // from frames before it.
          parts[last].endsInsideFrame = false
          parts[last].strayOffsets.append(cut)
        }
      }
      return next
    }
    let other = try MPEGFrameHeader.firstFrame(of: input, from: position)
    let next =
      parts[last].ranges.count < Self.maximumRangeCount
      ? try nextFrame(in: input, after: position) : nil
    if let other, !other.header.matches(first), other.offset < next ?? .max {
      change = Change(first, other.header, offset: other.offset)
      return nil
    }
    if next == nil {
      let bytes = try input.bytes(at: position, count: 4)
      let isShort = end - position < parts[last].frameBytes?.lowerBound ?? 0
      // The first bytes of a frame at the end of a file belong to a truncated frame.
      if followsTag || isShort && !first.mayBegin(bytes) || parts[last].isFull {
        junkOffset = position
        return nil
      }
    }
    parts[last].strayOffsets.append(position)
    return next
  }

  /// The offset in the last frame, which ends at `position`, where another file begins because the frame was truncated
  /// before the files were joined; `nil` if no file begins there.
  private func startInsideLastFrame(
    _ input: borrowing InputFile, before position: Int, end: Int
  ) throws(AudioFileError) -> Int? {
    guard let last = parts.last?.lastFrame, last.upperBound == position else { return nil }
    let bytes = try input.bytes(at: last.lowerBound, count: last.count + MPEGInfoFrame.markReach)
    for start in 4..<max(4, min(last.count, bytes.count)) {
      let offset = last.lowerBound + start
      if bytes[start] == 0x49, bytes[start...].starts(with: "ID3".utf8),
        let next = try TrailingTag.end(in: input, at: offset, before: end),
        header(try input.bytes(at: next, count: 4)[...]) != nil
      {
        return offset
      }
      guard bytes[start] == 0xFF, let first = header(bytes[start...]), first.byteCount > 0 else {
        continue
      }
      if MPEGInfoFrame.isMarked(bytes[start...], header: first) { return offset }
      var (next, count) = (offset + first.byteCount, 1)
      while count < Self.minimumFrames,
        let header = header(try input.bytes(at: next, count: 4)[...])
      {
        next += max(1, header.byteCount)
        count += 1
      }
      if count == Self.minimumFrames { return offset }
    }
    return nil
  }

  /// The number of consecutive frames required; fewer may be chance.
  private static let minimumFrames = 4

  /// The header of a frame of this stream; `nil` if `bytes` do not begin with one.
  private func header(_ bytes: ArraySlice<UInt8>) -> MPEGFrameHeader? {
    guard let header = MPEGFrameHeader(bytes), header.matches(first) else { return nil }
    return header.sized(freeByteCount: first.byteCount - first.padding)
  }

  /// Some programs that join files write one header with the total number of frames.
  private mutating func settleCountOfAll() {
    guard parts.count > 1, let declared = parts[0].info?.frameCount,
      declared > parts[0].frameCount
    else { return }
    // The headers of the parts may count as frames.
    let most = frameCount + parts.count
    if (frameCount...most).contains(declared) { parts[0].countsAll = true }
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

extension MPEGStream.Change {
  /// The first difference between two streams.
  fileprivate init(_ first: MPEGFrameHeader, _ other: MPEGFrameHeader, offset: Int) {
    self.offset = offset
    if first.layer != other.layer {
      (property, from, to) = ("layer", "\(first.layer)", "\(other.layer)")
    } else if first.sampleRate != other.sampleRate {
      (property, from, to) = ("sample rate", "\(first.sampleRate)", "\(other.sampleRate) Hz")
    } else {
      (property, from, to) = (
        "bit rate", "\(first.bitRate)", "\(other.bitRate) bit/s (0: free format)"
      )
    }
  }
}

extension MPEGStream {
  /// Facts about the storage of the audio.
  package func storage(in input: borrowing InputFile) throws(AudioFileError) -> StorageDescription {
    var storage = StorageDescription()
    storage.bitRateMode = isConstant ? .constant : .variable
    // If there are several parts, each has its own.
    guard parts.count == 1, let part = parts.first else { return storage }
    storage.encoder = part.info?.encoder
    storage.delay = part.info?.delay
    storage.padding = part.info?.padding
    guard storage.delay == nil, let gapless = try part.gapless(input) else { return storage }
    (storage.delay, storage.padding) = (gapless.delay, gapless.padding)
    return storage
  }
}
