package import AudioIO

/// The blocks of a Creative Voice file.
///
/// A block is a type, a 24-bit size, and content. Type 0 ends the file and has neither size nor content.
///
/// Source: Creative Labs, "Creative Voice File (VOC) Format" in the Sound Blaster developer kit.
package struct VOCFile: Sendable {
  /// How the samples of a sound block are stored.
  package struct Encoding: Hashable, Sendable {
    /// 0: 8-bit PCM, 4: 16-bit PCM, 6: A-law, 7: µ-law; 1 to 3 and 0x200: ADPCM.
    package var codec: Int
    package var sampleRate: Int
    package var channelCount: Int

    /// Bytes per frame; `nil` for ADPCM and unknown codecs.
    package var bytesPerFrame: Int? { Self.widths[codec].map { $0 * channelCount } }
    private static let widths = [0: 1, 4: 2, 6: 1, 7: 1]
  }

  /// A part of the sound.
  package enum Part: Hashable, Sendable {
    /// A range of bytes in the file, which may end after it.
    case sound(Range<Int>)
    /// A number of frames.
    case silence(Int)
  }

  /// The encoding of the first sound block; `nil` if there is none.
  package private(set) var encoding: Encoding?
  package private(set) var parts: [Part] = []
  /// The positions of the texts.
  package private(set) var texts: [Range<Int>] = []
  /// The offset of the first block whose encoding differs from the first one's.
  package private(set) var changeOffset: Int?
  /// The offset after the terminator; `nil` if there is none.
  package private(set) var end: Int?
  /// True if the file ends within the header of a sound block.
  private var isHeaderCut = false
  /// True if the first sound block has a type that libsndfile reads with any codec.
  private var isFirstType = false
  /// The position where the walk over the blocks ended before the end of the file; `nil` if it did
  /// not.
  package private(set) var walkedEnd: Int?

  /// Reads the headers of the blocks, up to the first sound block if only the encoding is wanted.
  package init(
    of input: borrowing InputFile, encodingOnly: Bool = false
  ) throws(AudioFileError) {
    if encodingOnly {
      let known = input.walkedBefore(Self.self)
      if let known { self = known } else { try self.init(walking: input, encodingOnly: true) }
    } else {
      self = try input.walked { (input) throws(AudioFileError) in
        try Self(walking: input, encodingOnly: false)
      }
    }
  }

  /// Reads the headers of the blocks that begin in the first bytes.
  package init(of input: borrowing InputFile, within byteCount: Int) throws(AudioFileError) {
    try self.init(walking: input, within: byteCount, encodingOnly: false)
  }

  private init(
    walking input: borrowing InputFile, within byteCount: Int = .max, encodingOnly: Bool
  ) throws(AudioFileError) {
    let start = try ByteReader(of: input, isBigEndian: false, at: 20, count: 2).int16(at: 0)
    guard var position = start else { return }
    /// From a block of type 8, which describes the next one of type 1.
    var described: Encoding?
    var silences: [(index: Int, frames: Int, rate: Int)] = []
    while position < input.size, !(encodingOnly && encoding != nil) {
      if position >= byteCount {
        walkedEnd = position
        break
      }
      let head = try ByteReader(of: input, isBigEndian: false, at: position, count: 16)
      if head.bytes.first == 0 { end = position + 1 }
      guard let type = head.bytes.first, type != 0, let size = head.number(at: 1, count: 3)
      else { break }
      let content = position + 4
      let end = content + Int(size)
      if content + [1: 2, 8: 4, 9: 12][type, default: 0] > input.size { isHeaderCut = true }
      switch type {
      case 1:
        if let codec = head.number(at: 5, count: 1), let period = head.number(at: 4, count: 1) {
          let plain = Encoding(
            codec: Int(codec), sampleRate: 1_000_000 / (256 - Int(period)), channelCount: 1)
          take(described ?? plain, content + 2..<max(content + 2, end), at: position)
          if parts.count == 1 { isFirstType = described == nil }
        }
        described = nil
      case 2:
        if encoding != nil { parts.append(.sound(content..<end)) }
      case 3:
        if let length = head.int16(at: 4), let period = head.number(at: 6, count: 1) {
          silences.append((parts.count, length + 1, 1_000_000 / (256 - Int(period))))
          parts.append(.silence(length + 1))
        }
      case 5:
        // sox counts 8 bytes too few for 16-bit samples, and samples are not text.
        if texts.count < 64, end <= input.size { texts.append(content..<end) }
      case 8:
        if let period = head.int16(at: 4), head.bytes.count > 7 {
          let channels = Int(head.bytes[7]) + 1
          described = Encoding(
            codec: Int(head.bytes[6]), sampleRate: 256_000_000 / (channels * (65536 - period)),
            channelCount: channels)
        }
      case 9:
        if let rate = head.int32(at: 4), let codec = head.int16(at: 10) {
          take(
            Encoding(codec: codec, sampleRate: rate, channelCount: Int(head.bytes[9])),
            content + 12..<max(content + 12, end), at: position)
        }
      default: break
      }
      position = end
    }
    // Silence has its own rate.
    for (index, frames, rate) in silences where rate > 0 {
      parts[index] = .silence(frames * (encoding?.sampleRate ?? rate) / rate)
    }
  }

  private mutating func take(_ next: Encoding, _ range: Range<Int>, at position: Int) {
    if let encoding, encoding != next { changeOffset = changeOffset ?? position }
    encoding = encoding ?? next
    parts.append(.sound(range))
  }

  /// True if the sound is one block that libsndfile reads correctly.
  package var isOneBlock: Bool {
    parts.count == 1 && encoding?.bytesPerFrame != nil && !(isFirstType && encoding?.codec != 0)
  }

  /// The frames that the blocks declare; `nil` for ADPCM and unknown codecs.
  package var declaredFrames: Int? {
    guard let width = encoding?.bytesPerFrame, width > 0 else { return nil }
    return parts.reduce(0) { total, part in
      switch part {
      case .sound(let range): total + range.count / width
      case .silence(let frames): total + frames
      }
    }
  }

  /// The frames of the whole file, if the rest is like the part that was walked; `nil` if all of it was.
  package func estimatedFrames(fileSize: Int) -> Int? {
    guard let walkedEnd, walkedEnd > 0, let declaredFrames else { return nil }
    return Int(exactly: (Double(declaredFrames) * Double(fileSize) / Double(walkedEnd)).rounded())
  }

  /// The bytes of the sound blocks in the file.
  package func soundRanges(fileSize: Int) -> [Range<Int>] {
    parts.compactMap { part in
      guard case .sound(let range) = part else { return nil }
      return min(range.lowerBound, fileSize)..<min(range.upperBound, fileSize)
    }
  }

  /// True if a sound block extends past the end of the file.
  package func isTruncated(fileSize: Int) -> Bool {
    isHeaderCut
      || parts.contains {
        if case .sound(let range) = $0 { range.upperBound > fileSize } else { false }
      }
  }
}
