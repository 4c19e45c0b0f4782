package import AudioIO

/// The end of a stream of AAC frames with headers (ADTS), before tags and stray bytes.
///
/// Source: ISO/IEC 13818-7 section 6.2: 12 set bits, the layer 0, and 13 bits of frame length in each header.
package struct ADTSTail: Sendable {
  /// The end of the last frame; the start of the last tags if the remaining bytes may be a damaged frame.
  package private(set) var end: Int
  /// The offset of bytes after the last frame that are neither audio nor a tag.
  package private(set) var junkOffset: Int?
  /// Bytes before and between frames that are neither audio nor a tag.
  package private(set) var gapBytes = 0
  /// True if the last frame ends after the file, or within tags.
  package private(set) var isTruncated = false
  /// The offset of the first truncated frame: another frame begins within it.
  package private(set) var cutFrameOffset: Int?

  /// The maximum number of gaps between frames; a file with more is left to the decoder.
  private static let maximumGapCount = 1024

  /// Walks the headers of `input`, which begins with a frame or ID3v2 tags.
  package init(of input: borrowing InputFile) throws(AudioFileError) {
    self = try input.walked { (input) throws(AudioFileError) in try Self(walking: input) }
  }

  private init(walking input: borrowing InputFile) throws(AudioFileError) {
    let tags = try TrailingTag.start(of: input)
    end = tags
    var window = ReadWindow()
    var position = try ID3Tag.end(of: input)
    var lastFrame: Range<Int>?
    var smallest = Int.max
    var followsTag = false
    var gaps = 0
    while position < tags {
      let bytes = try window.bytes(of: input, at: position, count: 7)
      if let count = Self.byteCount(bytes) {
        // The decoder reports a truncated frame.
        guard position + count <= tags else {
          isTruncated = true
          return
        }
        lastFrame = position..<position + count
        smallest = min(smallest, count)
        position += count
        followsTag = false
      } else if let next = try TrailingTag.end(in: input, at: position, before: tags) {
        followsTag = bytes.first != 0 || followsTag
        position = next
      } else if let next = try Self.nextFrame(in: input, after: position, before: tags) {
        gaps += 1
        if cutFrameOffset == nil, let lastFrame, lastFrame.upperBound == position,
          try Self.isTruncated(input, lastFrame, before: tags)
        {
          cutFrameOffset = lastFrame.lowerBound
        }
        guard gaps < Self.maximumGapCount else { return }
        gapBytes += next - position
        position = next
      } else {
        // A truncated frame begins with its header.
        guard followsTag || tags - position < smallest && bytes.first != 0xFF else { return }
        junkOffset = position
        break
      }
    }
    if let lastFrame { end = lastFrame.upperBound }
  }

  /// True if consecutive frames begin at some offset of `bytes`, the start of a file.
  package static func isPresent(in bytes: [UInt8]) -> Bool {
    bytes.indices.contains { start in
      guard bytes[start] == 0xFF else { return false }
      var position = start
      for _ in 0..<minimumFrames {
        guard position + 7 <= bytes.count, let count = byteCount(bytes[position..<position + 7]),
          // All bits except length, buffer and copyright must match the first frame.
          bytes[position + 1] == bytes[start + 1], bytes[position + 2] == bytes[start + 2]
        else { return false }
        position += count
      }
      return true
    }
  }

  /// True if `bytes`, a whole file, begin with a whole frame, and a frame or the end of the file follows each.
  package static func begins(_ bytes: [UInt8]) -> Bool {
    var position = 0
    while position + 7 <= bytes.count {
      guard let count = byteCount(bytes[position..<position + 7]) else { return false }
      position += count
      if position == count, position > bytes.count { return false }
    }
    return position > 0
  }

  /// The number of encoded frames, estimated from frame sizes at places across the file; `nil` if there are none.
  package static func estimatedFrameCount(of input: borrowing InputFile) throws(AudioFileError)
    -> Int?
  {
    let start = try ID3Tag.end(of: input)
    let end = try TrailingTag.start(of: input)
    var (framesPerByte, places) = (0.0, 0.0)
    for number in 0..<sampledPlaces {
      let place = start + (end - start) / sampledPlaces * number
      // A damaged place is skipped, not searched to its end.
      guard let first = try nextFrame(in: input, after: place, before: min(end, place + 65_536))
      else { continue }
      var (position, count) = (first, 0)
      while count < sampledFrames, position < end,
        let size = byteCount(try input.bytes(at: position, count: 7)[...])
      {
        position += size
        count += 1
      }
      guard position > first else { continue }
      framesPerByte += Double(count) / Double(position - first)
      places += 1
    }
    return places > 0 ? Int(Double(end - start) * framesPerByte / places) : nil
  }

  private static let (sampledPlaces, sampledFrames) = (64, 16)

  /// The number of consecutive frames required to detect audio after other bytes.
  private static let minimumFrames = 6

  /// The number of bytes of the frame with this header; `nil` if it is not a header.
  private static func byteCount(_ bytes: ArraySlice<UInt8>) -> Int? {
    let header = Array(bytes)
    guard header.count >= 7, header[0] == 0xFF, header[1] & 0xF6 == 0xF0 else { return nil }
    let count = Int(header[3] & 3) << 11 | Int(header[4]) << 3 | Int(header[5] >> 5)
    return count > 7 ? count : nil
  }

  /// True if another such frame, followed by one more, begins within this one.
  private static func isTruncated(
    _ input: borrowing InputFile, _ frame: Range<Int>, before end: Int
  ) throws(AudioFileError) -> Bool {
    let header = try input.bytes(at: frame.lowerBound + 1, count: 2)
    guard
      let inner = try nextFrame(in: input, after: frame.lowerBound + 6, before: end),
      inner < frame.upperBound
    else { return false }
    return try input.bytes(at: inner + 1, count: 2) == header
  }

  /// The offset of the next frame after `position` that is followed by another or by `end`.
  private static func nextFrame(
    in input: borrowing InputFile, after position: Int, before end: Int
  ) throws(AudioFileError) -> Int? {
    var window = ReadWindow()
    var candidate = position + 1
    while candidate + 7 <= end {
      let bytes = try window.bytes(of: input, at: candidate, count: 7)
      if bytes.first == 0xFF, let count = byteCount(bytes) {
        let next = candidate + count
        if next == end { return candidate }
        if byteCount(try input.bytes(at: next, count: 7)[...]) != nil { return candidate }
      }
      candidate += 1
    }
    return nil
  }
}
