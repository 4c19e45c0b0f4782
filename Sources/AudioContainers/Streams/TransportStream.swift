package import AudioIO

/// The packets of an MPEG transport stream.
///
/// Source: ISO/IEC 13818-1, section 2.4.3.2: 188 bytes that begin with 0x47; in M2TS 4 bytes precede each, and with
/// error correction 16 or 20 follow.
package struct TransportStream: Sendable {
  /// The offset of the first packet's sync byte.
  private let start: Int
  private let packetSize: Int
  private let isM2TS: Bool

  private static let sync: UInt8 = 0x47
  private static let sizes = [188, 192, 204, 208]
  /// Bytes in which the first packet is looked for.
  private static let reach = 1 << 16
  /// Syncs that must follow each other.
  private static let fewestPackets = 8
  /// Packets whose scrambling is read at a time.
  private static let packetsAtATime = 4096

  /// `nil` if there are no packets that follow each other.
  package init?(of input: borrowing InputFile) throws(AudioFileError) {
    let head = try input.bytes(at: 0, count: Self.reach)
    for offset in head.indices where head[offset] == Self.sync {
      for size in Self.sizes {
        let count = min(Self.fewestPackets, (input.size - offset) / size)
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

  /// The end of the last packet: cut if the file ends within one, junk if other bytes follow.
  package func end(in input: borrowing InputFile) throws(AudioFileError) -> StreamEnd {
    let lead = isM2TS ? 4 : 0
    let first = start - lead
    let last = input.size - (input.size - first) % packetSize
    // The end of the last packet at the places of the first ones.
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
      return bytes.count >= lead + 188 ? .whole : .cut
    }
    // Where packets were lost or inserted, the others are at other places.
    let tail = try input.bytes(at: input.size - 4 * packetSize, count: 4 * packetSize)
    guard tail.count == 4 * packetSize,
      let place = (0..<packetSize).first(where: { place in
        (0..<4).allSatisfy { tail[place + $0 * packetSize] == Self.sync }
      })
    else { return .junk(from: end) }
    return place == lead ? .unknown : .cut
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
        if Int(bytes[place + 1] & 0x1F) << 8 | Int(bytes[place + 2]) == id,
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
}
