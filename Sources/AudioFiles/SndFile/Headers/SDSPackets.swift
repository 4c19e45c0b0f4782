/// The packets of a MIDI sample dump.
///
/// Source: MIDI Manufacturers Association, "Sample Dump Standard". libsndfile reads on through broken
/// packets, and prints to standard output when it does.
enum SDSPackets {
  private static let headerCount = 21
  private static let packetCount = 127

  /// Checks that every packet that the header promises is there and begins as it must.
  static func check(_ input: borrowing InputFile) throws(AudioFileError) {
    let header = try input.bytes(at: 0, count: headerCount)
    guard header.count == headerCount else {
      throw .truncated(input.path, expected: nil, found: nil)
    }
    // Three bytes of seven bits, the lowest first.
    let frames = Int(header[10]) | Int(header[11]) << 7 | Int(header[12]) << 14
    let bits = Int(header[6])
    let perPacket = bits < 15 ? 60 : bits < 22 ? 40 : 30
    let packets = (frames + perPacket - 1) / perPacket
    for packet in 0..<packets {
      let start = headerCount + packet * packetCount
      guard start + packetCount <= input.size else {
        throw .truncated(input.path, expected: frames, found: packet * perPacket)
      }
      guard try input.bytes(at: start, count: 2) == [0xF0, 0x7E] else {
        throw .malformed(
          input.path, reason: "packet \(packet + 1) of \(packets) does not begin as one")
      }
    }
  }
}
