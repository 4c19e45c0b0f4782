package import AudioIO

/// The containers of samplers, trackers and handhelds, whose headers libsndfile reads.
///
/// PAF declares no length, so truncation of its files cannot be detected.
extension AudioFormat.Container {
  package static let voc = Self(
    "voc",
    declaredFrames: { (input: borrowing InputFile) throws(AudioFileError) in
      try VOCFile(of: input).declaredFrames
    },
    recognizes: { head in head.has("Creative Voice File") })

  package static let paf = Self(
    "paf",
    recognizes: { head in head.has(" paf") || head.has("fap ") })

  package static let avr = Self(
    "avr",
    // Marker 4, name 8, five 16-bit fields, rate 4, frames 4.
    declaredFrames: { (input: borrowing InputFile) throws(AudioFileError) in
      try DeclaredLength.field(input, isBigEndian: true, at: 26)
    },
    recognizes: { head in head.has("2BIT") })

  package static let mpc2k = Self(
    "mpc2k",
    // 1, 4, name 17, level, tune, stereo, start 4, loop end 4, frames 4.
    declaredFrames: { (input: borrowing InputFile) throws(AudioFileError) in
      try DeclaredLength.field(input, isBigEndian: false, at: 30)
    },
    // 1, 4, then a name of 17 printable bytes.
    recognizes: { head in
      let bytes = head.bytes
      return bytes.count >= 42 && head.has([1, 4]) && bytes[21] <= 1
        && bytes[2..<18].allSatisfy { (32..<127).contains($0) || $0 == 0 }
    })

  package static let xi = Self(
    "xi", declaredFrames: DeclaredLength.xi,
    recognizes: { head in head.has("Extended Instrument") })

  package static let sds = Self(
    "sds",
    recognizes: { head in
      // A system exclusive message, dump header.
      head.has([0xF0, 0x7E]) && head.has([1], at: 3) && head.has([0xF7], at: 20)
    })

  package static let wve = Self(
    "wve",
    // Text, version, then the count of A-law bytes, one per frame.
    declaredFrames: { (input: borrowing InputFile) throws(AudioFileError) in
      try DeclaredLength.field(input, isBigEndian: true, at: 18)
    },
    recognizes: { head in head.has("ALawSoundFile") })
}

/// The declared length of minor containers, which libsndfile ignores.
private enum DeclaredLength {
  static func field(
    _ input: borrowing InputFile, isBigEndian: Bool, at offset: Int
  ) throws(AudioFileError) -> Int {
    let field = try ByteReader(of: input, isBigEndian: isBigEndian, at: offset, count: 4)
    guard let number = field.int32(at: 0) else {
      throw .truncated(input.path, expected: nil, found: nil)
    }
    return number
  }

  /// The first sample's header, at byte 298: the length in bytes, and at offset 14 a flag for 16-bit samples.
  static func xi(_ input: borrowing InputFile) throws(AudioFileError) -> Int {
    let bytes = try field(input, isBigEndian: false, at: 298)
    let type = try input.bytes(at: 298 + 14, count: 1).first ?? 0
    return type & 0x10 != 0 ? bytes / 2 : bytes
  }
}

/// The packets of a MIDI sample dump.
///
/// Source: MIDI Manufacturers Association, "Sample Dump Standard". libsndfile ignores invalid
/// packets and prints a message about them to standard output.
package enum SDSPackets {
  package static let headerCount = 21
  package static let packetCount = 127

  /// The frames and packets that the header declares.
  package struct Extent {
    let frames: Int
    package let framesPerPacket: Int
    package let packets: Int

    /// The end of the last packet.
    var end: Int { headerCount + packets * packetCount }

    /// Reads the header; `nil` if the file ends in it.
    package init?(of input: borrowing InputFile) throws(AudioFileError) {
      let header = try input.bytes(at: 0, count: headerCount)
      guard header.count == headerCount else { return nil }
      // Three bytes of seven bits each, least significant first.
      frames = Int(header[10]) | Int(header[11]) << 7 | Int(header[12]) << 14
      let bits = Int(header[6])
      framesPerPacket = bits < 15 ? 60 : bits < 22 ? 40 : 30
      packets = (frames + framesPerPacket - 1) / framesPerPacket
    }
  }

  /// Throws if a declared packet is missing or does not begin with a packet header.
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
          input.path, reason: "packet \(packet + 1) of \(extent.packets) has no packet header")
      }
    }
  }
}
