package import AudioIO

/// The data packets of an ASF file, all of the size that its header states.
///
/// Source: Microsoft, "Advanced Systems Format Specification" revision 01.20.03, sections 3.2, 5.1 and 5.2.
package enum ASFPackets {
  private static let properties: [UInt8] = [
    0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
  ]
  /// The first bytes of a packet: error correction data of two bytes, which are zeros.
  private static let start: [UInt8] = [0x82, 0, 0]

  /// The first offset at which a packet should begin but does not; `nil` if there is none, or if the first packet
  /// does not begin with these bytes.
  package static func damageOffset(in input: borrowing InputFile) throws(AudioFileError) -> Int? {
    let headerSize = number(try input.bytes(at: 16, count: 8))
    let data = try input.bytes(at: headerSize, count: 50)
    guard data.count == 50, let fields = try fileProperties(input, end: headerSize),
      fields.count == 104
    else { return nil }
    let (least, most) = (number(fields[92..<96]), number(fields[96..<100]))
    guard least == most, (64...1 << 20).contains(most) else { return nil }
    let first = headerSize + 50
    guard try input.bytes(at: first, count: 3) == start else { return nil }
    // A broadcast does not know its size.
    let size = number(data[16..<24])
    let isBroadcast = fields[88] & 1 == 1 || size <= 50
    let end = isBroadcast ? input.size : min(input.size, headerSize + size)
    var position = first
    while position + most <= end {
      // An index may follow a broadcast.
      if try input.bytes(at: position, count: 3) != start { return isBroadcast ? nil : position }
      position += most
    }
    return nil
  }

  /// The object of file properties in the header.
  private static func fileProperties(
    _ input: borrowing InputFile, end: Int
  ) throws(AudioFileError) -> [UInt8]? {
    var offset = 30
    for _ in 0..<4096 where offset + 24 <= end {
      let head = try input.bytes(at: offset, count: 24)
      if head.starts(with: properties) { return try input.bytes(at: offset, count: 104) }
      let size = number(head.dropFirst(16))
      guard size >= 24 else { return nil }
      offset += min(size, end)
    }
    return nil
  }

  private static func number(_ bytes: some Collection<UInt8>) -> Int {
    Int(min(Array(bytes.prefix(8)).littleEndianValue, UInt64(Int.max / 4)))
  }
}
