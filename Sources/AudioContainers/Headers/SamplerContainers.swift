package import AudioIO

/// The containers of samplers, trackers and handhelds, whose headers libsndfile reads.
///
/// Truncation of their files is not detected, except in SDS.
extension AudioFormat.Container {
  package static let paf = Self(
    "paf",
    recognizes: { head in head.has(" paf") || head.has("fap ") })

  package static let avr = Self(
    "avr",
    recognizes: { head in head.has("2BIT") })

  package static let mpc2k = Self(
    "mpc2k",
    // 1, 4, then a name of 17 printable bytes.
    recognizes: { head in
      let bytes = head.bytes
      return bytes.count >= 42 && head.has([1, 4]) && bytes[21] <= 1
        && bytes[2..<18].allSatisfy { (32..<127).contains($0) || $0 == 0 }
    })

  package static let xi = Self(
    "xi",
    recognizes: { head in head.has("Extended Instrument") })

  package static let sds = Self(
    "sds",
    recognizes: { head in
      // A system exclusive message, dump header.
      head.has([0xF0, 0x7E]) && head.has([1], at: 3) && head.has([0xF7], at: 20)
    })

  package static let wve = Self(
    "wve",
    recognizes: { head in head.has("ALawSoundFile") })
}

/// The packets of a MIDI sample dump.
///
/// Source: MIDI Manufacturers Association, "Sample Dump Standard". libsndfile ignores invalid
/// packets and prints a message about them to standard output.
package enum SDSPackets {
  private static let headerCount = 21
  private static let packetCount = 127

  /// Throws if a declared packet is missing or does not begin with a packet header.
  package static func check(_ input: borrowing InputFile) throws(AudioFileError) {
    let header = try input.bytes(at: 0, count: headerCount)
    guard header.count == headerCount else {
      throw .truncated(input.path, expected: nil, found: nil)
    }
    // Three bytes of seven bits each, least significant first.
    let frames = Int(header[10]) | Int(header[11]) << 7 | Int(header[12]) << 14
    let bits = Int(header[6])
    let framesPerPacket = bits < 15 ? 60 : bits < 22 ? 40 : 30
    let packets = (frames + framesPerPacket - 1) / framesPerPacket
    for packet in 0..<packets {
      let start = headerCount + packet * packetCount
      guard start + packetCount <= input.size else {
        throw .truncated(input.path, expected: frames, found: packet * framesPerPacket)
      }
      guard try input.bytes(at: start, count: 2) == [0xF0, 0x7E] else {
        throw .malformed(
          input.path, reason: "packet \(packet + 1) of \(packets) has no packet header")
      }
    }
  }
}
