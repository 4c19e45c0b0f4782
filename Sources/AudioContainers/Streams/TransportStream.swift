package import AudioIO

/// The packets of an MPEG transport stream.
///
/// Source: ISO/IEC 13818-1, section 2.4.3.2: packets of 188 bytes that begin with 0x47. In M2TS, 4 bytes precede
/// each; with error correction, 16 or 20 bytes follow.
package struct TransportStream: Sendable {
  /// The offset of the first packet's sync byte.
  private let start: Int
  private let packetSize: Int
  private let isM2TS: Bool

  private static let sync: UInt8 = 0x47
  private static let sizes = [188, 192, 204, 208]
  /// How many bytes are searched for the first packet.
  private static let reach = 1 << 16
  /// The minimum number of consecutive syncs.
  private static let minimumPackets = 8
  /// How many packets are read at a time to check their scrambling.
  private static let packetsAtATime = 4096

  /// `nil` if there are no consecutive packets.
  package init?(of input: borrowing InputFile) throws(AudioFileError) {
    let head = try input.bytes(at: 0, count: Self.reach)
    for offset in head.indices where head[offset] == Self.sync {
      for size in Self.sizes {
        let count = min(Self.minimumPackets, (input.size - offset) / size)
        guard count > 1,
          (0..<count).allSatisfy({
            let place = offset + $0 * size
            return place < head.count && head[place] == Self.sync
          })
        else { continue }
        (start, packetSize, isM2TS) = (offset, size, size == 192 && offset >= 4)
        return
      }
    }
    return nil
  }

  /// The end of the last packet: truncated if the file ends within one, junk if other bytes follow.
  package func end(in input: borrowing InputFile) throws(AudioFileError) -> StreamEnd {
    let lead = isM2TS ? 4 : 0
    let first = start - lead
    let last = input.size - (input.size - first) % packetSize
    // The end of the last packet at the spacing of the first packets.
    var end = last
    while end > first, last - end < Self.reach,
      try input.bytes(at: end - packetSize + lead, count: 1) != [Self.sync]
    {
      end -= packetSize
    }
    let bytes = try input.bytes(at: end, count: packetSize)
    if bytes.isEmpty { return .whole }
    if end == last, bytes.count <= lead || bytes[lead] == Self.sync {
      // What follows the 188 bytes of a packet may be missing.
      return bytes.count >= lead + 188 ? .whole : .truncated
    }
    // Where packets were lost or inserted, the following ones are shifted.
    let tail = try input.bytes(at: input.size - 4 * packetSize, count: 4 * packetSize)
    guard tail.count == 4 * packetSize,
      let place = (0..<packetSize).first(where: { place in
        (0..<4).allSatisfy { tail[place + $0 * packetSize] == Self.sync }
      })
    else { return .junk(from: end) }
    return place == lead ? .unknown : .truncated
  }

  /// Whether a packet of a stream is scrambled: section 2.4.3.3, `transport_scrambling_control`.
  ///
  /// - Parameter id: The stream's packet identifier.
  package func isScrambled(
    _ id: Int, in input: borrowing InputFile
  ) throws(AudioFileError) -> Bool {
    var position = start
    while position < input.size {
      let bytes = try input.bytes(at: position, count: Self.packetsAtATime * packetSize)
      var place = 0
      while place + 4 <= bytes.count {
        guard bytes[place] == Self.sync else {
          // Finds the next packet after damage.
          place += 1
          continue
        }
        if Int(bytes[place + 1..<place + 3].bigEndianValue & 0x1FFF) == id,
          bytes[place + 3] & 0xC0 != 0,
          place + packetSize >= bytes.count || bytes[place + packetSize] == Self.sync
        {
          return true
        }
        place += packetSize
      }
      position += max(place, packetSize)
    }
    return false
  }

  // MARK: Packets of streams

  /// How the last packets of the streams end.
  package enum Ending: Sendable {
    /// Nothing is missing.
    case whole
    /// A packet ends after the file, or the file ends within a unit of its medium.
    case truncated
    /// The last packet of a stream, which declares no size, is not padded although all earlier ones are.
    case unfilled
  }

  /// The warning about a stream whose last packet is not padded.
  package static let unfilledWarning =
    "its video ends within a packet, as in a truncated file; more may be missing"

  /// Bytes at the end of a file that are examined.
  private static let tail = 8 << 20
  /// Units of 32 packets, in which Blu-ray discs and AVCHD store files.
  private static let alignedUnit = 32 * 192
  /// The minimum number of earlier packets without a size that must be padded.
  private static let minimumFilled = 4

  /// How the last packets of the elementary streams end (section 2.4.3.6); audio packets declare their sizes.
  package func ending(in input: borrowing InputFile) throws(AudioFileError) -> Ending {
    let first = start - (isM2TS ? 4 : 0)
    if isM2TS, first == 0, input.size % Self.alignedUnit != 0, try isForDiscs(input) {
      return .truncated
    }
    let whole = (input.size - first) / packetSize
    let count = min(whole, Self.tail / packetSize)
    let bytes = try input.bytes(
      at: start + (whole - count) * packetSize, count: count * packetSize)
    var streams: [Int: Unit] = [:]
    // Their ends are unknown.
    var scrambled: Set<Int> = []
    for place in stride(from: 0, to: bytes.count - 187, by: packetSize)
    where bytes[place] == Self.sync {
      let id = Int(bytes[place + 1..<place + 3].bigEndianValue & 0x1FFF)
      if bytes[place + 3] & 0xC0 != 0 { scrambled.insert(id) }
      guard id != 0x1FFF, bytes[place + 1] & 0x80 == 0, bytes[place + 3] & 0x10 != 0
      else { continue }
      let hasField = bytes[place + 3] & 0x20 != 0
      let content = place + 4 + (hasField ? 1 + Int(bytes[place + 4]) : 0)
      guard content < place + 188 else { continue }
      if bytes[place + 1] & 0x40 != 0 {
        streams[id, default: Unit()].begin(bytes[content..<place + 188], isFilled: hasField)
      } else {
        streams[id]?.add(place + 188 - content, isFilled: hasField)
      }
    }
    for id in scrambled { streams[id] = nil }
    if streams.values.contains(where: \.isTruncated) { return .truncated }
    return streams.values.contains { $0.isUnfilled(after: Self.minimumFilled) } ? .unfilled : .whole
  }

  /// A packet of an elementary stream, and what is known from earlier packets.
  private struct Unit {
    /// Bytes still to come; `nil` if the packet declares no size, or nothing is known about it.
    private var left: Int?
    private var hasBegun = false
    private var isFilled = false
    /// Whether the declared sizes of earlier packets were correct.
    private var isReliable = true
    private var filledCount = 0

    var isTruncated: Bool { hasBegun && isReliable && left.map { $0 > 0 } ?? false }

    func isUnfilled(after count: Int) -> Bool {
      hasBegun && left == nil && !isFilled && isReliable && filledCount >= count
    }

    mutating func begin(_ content: ArraySlice<UInt8>, isFilled: Bool) {
      if hasBegun {
        if let left { isReliable = isReliable && left == 0 }
        // One in 184 packets fits exactly.
        if left == nil { filledCount += self.isFilled ? 1 : -2 }
      }
      hasBegun = content.count >= 6 && content.starts(with: [0, 0, 1])
      guard hasBegun else { return }
      let size = Int(content.dropFirst(4).prefix(2).bigEndianValue)
      left = size > 0 ? 6 + size - content.count : nil
      self.isFilled = isFilled
    }

    mutating func add(_ count: Int, isFilled: Bool) {
      left = left.map { $0 - count }
      self.isFilled = isFilled
    }
  }

  // MARK: Program map

  /// Whether the program map names the registration of Blu-ray discs (`HDMV`).
  private func isForDiscs(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    try programMap(input).map { map in
      map.indices.dropLast(5).contains {
        map[$0...].starts(with: [5, 4] + Array("HDMV".utf8))
      }
    } ?? false
  }

  /// The name of an audio codec in the program map that libavformat does not know: MPEG-H 3D Audio (ISO/IEC 13818-1,
  /// table 2-34) or AC-4 (ETSI EN 300 468, annex D). `nil` if there is none.
  package func unknownCodec(in input: borrowing InputFile) throws(AudioFileError) -> String? {
    guard let map = try programMap(input), map.count > 16 else { return nil }
    let end = min(map.count, 3 + Int(map[1..<3].bigEndianValue & 0xFFF)) - 4
    var place = 12 + Int(map[10..<12].bigEndianValue & 0xFFF)
    while place + 5 <= end {
      let next = place + 5 + Int(map[place + 3..<place + 5].bigEndianValue & 0xFFF)
      if [0x2D, 0x2E].contains(map[place]) { return "MPEG-H 3D Audio" }
      var item = place + 5
      while item + 2 < min(next, end) {
        if map[item] == 0x7F, map[item + 2] == 0x15 { return "AC-4" }
        item += 2 + Int(map[item + 1])
      }
      place = next
    }
    return nil
  }

  /// The first program map, if it is in one packet near the start.
  private func programMap(_ input: borrowing InputFile) throws(AudioFileError) -> [UInt8]? {
    let bytes = try input.bytes(at: start, count: Self.packetsAtATime * packetSize)
    for place in stride(from: 0, to: bytes.count - 187, by: packetSize)
    where bytes[place] == Self.sync && bytes[place + 1] & 0x40 != 0 && bytes[place + 3] & 0x10 != 0
    {
      var content = place + 4
      if bytes[place + 3] & 0x20 != 0 { content += 1 + Int(bytes[content]) }
      guard content < place + 180 else { continue }
      content += 1 + Int(bytes[content])
      if content < place + 180, bytes[content] == 2 { return Array(bytes[content..<place + 188]) }
    }
    return nil
  }
}
