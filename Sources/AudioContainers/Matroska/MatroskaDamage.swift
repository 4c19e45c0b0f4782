package import AudioIO
internal import CZlib

/// Finds damage in the segment of a Matroska file that libavformat skips silently.
///
/// Elements must follow each other and end within their parent, blocks must belong to a track, and the checksums of
/// clusters must be correct. Blocks have no checksums.
///
/// Source: RFC 8794 sections 4 to 6 and 11.3.1 (CRC-32), RFC 9559 sections 5.1 and 10.
package struct MatroskaDamage {
  private typealias ID = MatroskaElement.ID

  /// The offset of the first bytes that may be damaged: of the block before an invalid element, or of a cluster with a
  /// wrong checksum. `nil` if there is no damage.
  package static func offset(in input: borrowing InputFile) throws(AudioFileError) -> Int? {
    var walk = MatroskaDamage(tracks: try MatroskaTracks.numbers(of: input))
    var offset = 0
    while let element = try walk.element(input, at: offset) {
      if element.id == ID.segment {
        return try walk.damage(input, inSegment: element)
      }
      guard element.id == ID.header || element.id == Self.void, let end = element.end else { break }
      offset = end
    }
    return nil
  }

  private static let void: UInt64 = 0xEC
  /// The elements in a segment: SeekHead, Info, Tracks, Cues, Tags, Chapters, Attachments, and
  /// clusters.
  private static let inSegment: Set<UInt64> = [
    0x114D_9B74, 0x1549_A966, ID.tracks, 0x1C53_BB6B, 0x1254_C367, 0x1043_A770, 0x1941_A469,
    ID.cluster, void, ID.checksum,
  ]
  /// The elements in a cluster: Timestamp, SilentTracks, Position, PrevSize, EncryptedBlock, and
  /// blocks.
  private static let inCluster: Set<UInt64> = [
    0xE7, 0x5854, 0xA7, 0xAB, 0xAF, ID.simpleBlock, ID.blockGroup, void, ID.checksum,
  ]

  private let tracks: Set<UInt64>
  private var window = ReadWindow()

  private init(tracks: Set<UInt64>) { self.tracks = tracks }

  private mutating func element(
    _ input: borrowing InputFile, at offset: Int
  ) throws(AudioFileError) -> MatroskaElement? {
    MatroskaElement(
      try window.bytes(of: input, at: offset, count: MatroskaElement.maximumHeadBytes), at: offset)
  }

  private mutating func damage(
    _ input: borrowing InputFile, inSegment segment: MatroskaElement
  ) throws(AudioFileError) -> Int? {
    let end = min(segment.end ?? input.size, input.size)
    var offset = segment.contentStart
    while offset < end {
      guard let element = try element(input, at: offset) else {
        // A head truncated by the end of the file is not damage.
        return end - offset < MatroskaElement.maximumHeadBytes ? nil : offset
      }
      if element.id == ID.cluster {
        switch try self.damage(input, inCluster: element, segmentEnd: end) {
        case .damaged(let place): return place
        case .whole(let next): offset = next
        }
        continue
      }
      guard let next = element.end else { return nil }
      // Future versions may have other elements.
      if !Self.inSegment.contains(element.id), next < end {
        guard let following = try self.element(input, at: next),
          Self.inSegment.contains(following.id)
        else { return offset }
      }
      offset = next
    }
    return nil
  }

  private enum Outcome {
    case damaged(Int)
    /// No damage; the value is the end offset.
    case whole(Int)
  }

  private mutating func damage(
    _ input: borrowing InputFile, inCluster cluster: MatroskaElement, segmentEnd: Int
  ) throws(AudioFileError) -> Outcome {
    let end = cluster.end ?? segmentEnd
    // An incomplete cluster at the end of the file.
    let isTruncated = end > input.size
    var offset = cluster.contentStart
    // Damage that is found in a head may have begun in the content before it.
    var last = cluster.offset
    while offset < min(end, segmentEnd) {
      guard let child = try element(input, at: offset) else {
        return isTruncated || segmentEnd - offset < MatroskaElement.maximumHeadBytes
          ? .whole(segmentEnd) : .damaged(last)
      }
      if cluster.contentSize == nil, Self.inSegment.contains(child.id), child.id > 0xFFFF {
        return .whole(offset)
      }
      guard Self.inCluster.contains(child.id), let next = child.end,
        next <= end || cluster.contentSize == nil && next > segmentEnd,
        try isSound(input, child)
      else { return .damaged(last) }
      if next > segmentEnd { return .whole(segmentEnd) }
      last = offset
      offset = next
    }
    if !isTruncated, try hasWrongChecksum(input, cluster, end: end) {
      return .damaged(cluster.offset)
    }
    return .whole(offset)
  }

  /// True if a child of a cluster is not a block, or is a block of a track.
  private mutating func isSound(
    _ input: borrowing InputFile, _ child: MatroskaElement
  ) throws(AudioFileError) -> Bool {
    switch child.id {
    case ID.simpleBlock: return try isBlock(input, child)
    case ID.blockGroup:
      guard let end = child.end else { return false }
      var offset = child.contentStart
      while offset < min(end, input.size) {
        guard let part = try element(input, at: offset), let next = part.end, next <= end else {
          return end > input.size
        }
        if part.id == ID.block, try !isBlock(input, part) { return false }
        offset = next
      }
      return true
    default: return true
    }
  }

  /// True if a block begins with the number of a track, a 16-bit time and a byte of flags.
  private mutating func isBlock(
    _ input: borrowing InputFile, _ block: MatroskaElement
  ) throws(AudioFileError) -> Bool {
    let head = try window.bytes(of: input, at: block.contentStart, count: 8)
    guard let first = head.first, first != 0, let size = block.contentSize else {
      return head.isEmpty
    }
    let count = first.leadingZeroBitCount + 1
    guard size >= count + 3, head.count >= count else { return head.count < count }
    let number = head.prefix(count).bigEndianValue & (UInt64(1) << UInt64(7 * count) - 1)
    return tracks.isEmpty || tracks.contains(number)
  }

  /// True if the first child of a cluster is a checksum that does not match the others.
  private mutating func hasWrongChecksum(
    _ input: borrowing InputFile, _ cluster: MatroskaElement, end: Int
  ) throws(AudioFileError) -> Bool {
    guard let child = try element(input, at: cluster.contentStart), child.id == ID.checksum,
      child.contentSize == 4, let start = child.end, start <= end
    else { return false }
    let expected = try window.bytes(of: input, at: child.contentStart, count: 4).littleEndianValue
    var sum = crc32(0, nil, 0)
    var offset = start
    while offset < end {
      let part = try input.bytes(at: offset, count: min(Self.partBytes, end - offset))
      if part.isEmpty { return false }
      sum = part.withUnsafeBufferPointer { crc32(sum, $0.baseAddress, UInt32(part.count)) }
      offset += part.count
    }
    return sum != expected
  }

  /// The number of bytes to checksum at a time.
  private static let partBytes = 1 << 18
}
