package import AudioIO

/// The packets of a MIDI sample dump.
///
/// Source: MIDI Manufacturers Association, "Sample Dump Standard". libsndfile reads on through broken
/// packets, and prints to standard output when it does.
package enum SDSPackets {
  package static let headerCount = 21
  package static let packetCount = 127

  /// How many frames and packets the header promises.
  package struct Extent {
    let frames: Int
    package let framesPerPacket: Int
    package let packets: Int

    /// `nil` for a file that ends in its header.
    package init?(of input: borrowing InputFile) throws(AudioFileError) {
      let header = try input.bytes(at: 0, count: headerCount)
      guard header.count == headerCount else { return nil }
      // Three bytes of seven bits, the lowest first.
      frames = Int(header[10]) | Int(header[11]) << 7 | Int(header[12]) << 14
      let bits = Int(header[6])
      framesPerPacket = bits < 15 ? 60 : bits < 22 ? 40 : 30
      packets = (frames + framesPerPacket - 1) / framesPerPacket
    }
  }

  /// Checks that every packet that the header promises is there and begins as it must.
  package static func check(_ input: borrowing InputFile) throws(AudioFileError) {
    guard let extent = try Extent(of: input) else {
      throw .truncated(input.path, expected: nil, found: nil)
    }
    for packet in 0..<extent.packets {
      let start = headerCount + packet * packetCount
      guard start + packetCount <= input.size else {
        throw .truncated(
          input.path, expected: extent.frames, found: packet * extent.framesPerPacket)
      }
      guard try input.bytes(at: start, count: 2) == [0xF0, 0x7E] else {
        throw .malformed(
          input.path, reason: "packet \(packet + 1) of \(extent.packets) does not begin as one")
      }
    }
  }
}
