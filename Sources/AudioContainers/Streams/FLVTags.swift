package import AudioIO

/// The tags of FLV, each of which has its size in its header.
///
/// Source: Adobe, "Flash Video File Format Specification 10.1", annex E: a header of 11 bytes, the content, and the
/// size of both in 32 bits.
package struct FLVTags: Hashable, Sendable {
  /// What follows the last of the consecutive tags.
  package enum End: Hashable, Sendable {
    case whole
    /// The last tag ends after the file, or the file ends before its declared duration.
    case truncated
    /// Bytes that are not a tag, followed by more tags.
    case damage(at: Int)
    /// Bytes that are not a tag, up to the end of the file.
    case junk(from: Int)
  }

  package private(set) var end = End.whole
  /// The time of the last audio or video tag, in seconds.
  private var time = 0.0

  private static let headerSize = 11
  /// How many bytes after damage are searched for more tags.
  private static let reach = 1 << 20
  /// The minimum number of consecutive tags that are recognized after other bytes.
  private static let minimumTags = 3

  /// Walks the tags of `input`.
  package init(of input: borrowing InputFile) throws(AudioFileError) {
    self = try input.walked { (input) throws(AudioFileError) in try Self(walking: input) }
  }

  private init(walking input: borrowing InputFile) throws(AudioFileError) {
    var window = ReadWindow()
    let head = try ByteReader(of: input, isBigEndian: true, at: 0, count: 9)
    var position = max(9, head.int32(at: 5) ?? 9) + 4
    while position < input.size {
      let bytes = try window.bytes(of: input, at: position, count: Self.headerSize)
      guard let tag = Tag(ByteReader(bigEndian: Array(bytes)), position) else {
        end =
          try Self.goesOn(in: input, after: position)
          ? .damage(at: position) : .junk(from: position)
        break
      }
      guard tag.end <= input.size else {
        end = .truncated
        return
      }
      if !tag.isScript { time = max(time, tag.time) }
      position = tag.end + 4
    }
    if case .damage = end { return }
    if let duration = try Self.duration(of: input), duration - time > 1 + duration / 100 {
      end = .truncated
    }
  }

  private struct Tag {
    let end: Int
    let time: Double
    let isScript: Bool

    /// The tag with a header; `nil` if it is not valid.
    init?(_ head: ByteReader, _ offset: Int) {
      // The upper bits are reserved, except one for encryption.
      guard let type = head.number(at: 0, count: 1), [8, 9, 18].contains(type & 0xDF) else {
        return nil
      }
      isScript = type & 0x1F == 18
      // The header is truncated.
      guard let size = head.number(at: 1, count: 3), let low = head.number(at: 4, count: 3),
        let high = head.number(at: 7, count: 1), head.bytes.count == FLVTags.headerSize
      else {
        (end, time) = (.max, 0)
        return
      }
      end = offset + FLVTags.headerSize + Int(size)
      time = Double(high << 24 | low) / 1000
    }
  }

  /// Whether consecutive tags begin after an offset.
  private static func goesOn(
    in input: borrowing InputFile, after offset: Int
  ) throws(AudioFileError) -> Bool {
    let bytes = try input.bytes(at: offset, count: reach)
    return start(in: bytes, endsFile: offset + bytes.count == input.size) != nil
  }

  /// Where consecutive tags begin in some bytes of a file; `nil` for nowhere.
  private static func start(in bytes: [UInt8], endsFile: Bool) -> Int? {
    bytes.indices.first { start in
      guard [8, 9].contains(bytes[start]) else { return false }
      var position = start
      var count = 0
      while count < minimumTags, position + headerSize <= bytes.count,
        let tag = Tag(
          ByteReader(bigEndian: Array(bytes[position..<position + headerSize])), position),
        tag.end + 4 <= bytes.count,
        // The size after the tag; some programs count the tag without its header.
        case let size = Int(bytes[tag.end..<tag.end + 4].bigEndianValue),
        size == tag.end - position || size + headerSize == tag.end - position
      {
        count += 1
        position = tag.end + 4
      }
      // At the end of a file, fewer tags are enough.
      return count == minimumTags || count > 0 && endsFile && position == bytes.count
    }
  }

  // MARK: Times

  /// Bytes that are read faster than halved; and those in which tags are looked for first, because sound alone has
  /// small ones.
  private static let (leastBytes, nearBytes) = (1 << 16, 1 << 14)

  /// The offset of a tag that begins at a time or shortly before it; `nil` if none is found.
  ///
  /// Tags are in the order of their times, so the file is halved until little is left.
  package static func offset(
    ofMilliseconds time: Int64, in input: borrowing InputFile
  ) throws(AudioFileError) -> Int? {
    var (low, high, found) = (0, input.size, Int?.none)
    while high - low > leastBytes {
      let middle = low + (high - low) / 2
      if let (offset, tag) = try tag(in: input, from: middle), offset < high,
        tag.time * 1000 <= Double(time)
      {
        (low, found) = (offset, offset)
      } else {
        high = middle
      }
    }
    return found
  }

  /// The first of consecutive tags at an offset or after it; `nil` if there is none near.
  private static func tag(
    in input: borrowing InputFile, from offset: Int
  ) throws(AudioFileError) -> (offset: Int, tag: Tag)? {
    for count in [nearBytes, reach] {
      let bytes = try input.bytes(at: offset, count: count)
      guard let start = start(in: bytes, endsFile: offset + bytes.count == input.size),
        start + headerSize <= bytes.count
      else { continue }
      let head = ByteReader(bigEndian: Array(bytes[start..<start + headerSize]))
      return Tag(head, offset + start).map { (offset + start, $0) }
    }
    return nil
  }

  /// The property `duration` of `onMetaData` in the first tag, in seconds; `nil` if there is none.
  private static func duration(of input: borrowing InputFile) throws(AudioFileError) -> Double? {
    let head = try ByteReader(of: input, isBigEndian: true, at: 0, count: 4096)
    // The length of the name, the name, and 0 for a number.
    let key = [0, 8] + Array("duration".utf8) + [0]
    guard head.bytes.count > key.count + 8,
      let start = (0..<head.bytes.count - key.count - 8).first(where: {
        head.bytes[$0] == 0 && head.bytes[$0..<$0 + key.count].elementsEqual(key)
      }), let bits = head.number(at: start + key.count, count: 8)
    else { return nil }
    let value = Double(bitPattern: bits)
    return value.isFinite && value > 0 ? value : nil
  }
}
