package import AudioIO

/// The declared length of minor formats, which libsndfile ignores.
///
/// PAF, IRCAM, and PVF declare none, so truncation of these files cannot be detected.
package enum DeclaredLength {
  /// Frames that the header declares; `nil` if it declares none.
  package static func frames(
    _ input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) -> Int? {
    switch format.container {
    // marker 4, name 8, five 16-bit fields, rate 4, frames 4
    case .avr: try required(input, isBigEndian: true, at: 26)
    // 1, 4, name 17, level, tune, stereo, start 4, loop end 4, frames 4
    case .mpc2k: try required(input, isBigEndian: false, at: 30)
    // text, version, then the count of A-law bytes, one per frame
    case .wve: try required(input, isBigEndian: true, at: 18)
    case .voc: try VOCFile(of: input).declaredFrames
    case .xi: try xi(input)
    case .nist: try nist(input)
    case .mat4: try mat4(input)
    case .mat5: try mat5(input)
    default: nil
    }
  }

  private static func required(
    _ input: borrowing InputFile, isBigEndian: Bool, at offset: Int
  ) throws(AudioFileError) -> Int {
    let field = try ByteReader(of: input, isBigEndian: isBigEndian, at: offset, count: 4)
    guard let number = field.int32(at: 0) else {
      throw .truncated(input.path, expected: nil, found: nil)
    }
    return number
  }

  /// The first sample's header, at byte 298: the length in bytes, and at offset 14 a flag for 16-bit samples.
  private static func xi(_ input: borrowing InputFile) throws(AudioFileError) -> Int {
    let bytes = try required(input, isBigEndian: false, at: 298)
    let type = try input.bytes(at: 298 + 14, count: 1).first ?? 0
    return type & 0x10 != 0 ? bytes / 2 : bytes
  }

  /// `sample_count -i N` in the text header.
  private static func nist(_ input: borrowing InputFile) throws(AudioFileError) -> Int? {
    let header = String(decoding: try input.bytes(at: 0, count: 1024), as: UTF8.self)
    for line in header.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ")
      if words.count == 3, words[0] == "sample_count" { return Int(words[2]) }
    }
    return nil
  }

  /// A matrix with the sample rate, then one with the audio, which has a column per frame.
  private static func mat4(_ input: borrowing InputFile) throws(AudioFileError) -> Int? {
    let head = try ByteReader(
      of: input, isBigEndian: try input.bytes(at: 2, count: 1) == [3], at: 0, count: 128)
    guard let nameCount = head.int32(at: 16), nameCount < 64 else { return nil }
    // Five 32-bit fields, the name, one double; then type, rows, columns.
    let columns = head.int32(at: 20 + nameCount + 8 + 8)
    guard let columns else { throw .truncated(input.path, expected: nil, found: nil) }
    return columns
  }

  /// After 128 bytes, an array with the sample rate, then one with the audio.
  private static func mat5(_ input: borrowing InputFile) throws(AudioFileError) -> Int? {
    let isBigEndian = try input.bytes(at: 126, count: 2) == Array("MI".utf8)
    let first = try ByteReader(of: input, isBigEndian: isBigEndian, at: 128, count: 8)
    guard let size = first.int32(at: 4), size < 65536 else { return nil }
    // The array's own tag 8, its flags 16, the tag of its dimensions 8; then rows, columns.
    let second = try ByteReader(
      of: input, isBigEndian: isBigEndian, at: 136 + size + 32, count: 8)
    return second.int32(at: 4)
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
