package import AudioIO

/// The length that the smaller formats declare, and that libsndfile passes over.
///
/// PAF, IRCAM and PVF declare none: a cut one cannot be told from a whole one.
package enum DeclaredLength {
  /// Frames that the header declares; `nil` where it declares none.
  package static func frames(
    _ input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) -> Int? {
    switch format.container {
    // marker 4, name 8, five 16-bit fields, rate 4, frames 4
    case .avr: try required(input, isBigEndian: true, at: 26)
    // 1, 4, name 17, level, tune, stereo, start 4, loop end 4, frames 4
    case .mpc2k: try required(input, isBigEndian: false, at: 30)
    // text, version, then the count of A-law bytes, one a frame
    case .wve: try required(input, isBigEndian: true, at: 18)
    case .voc: try VOCBlocks.frames(input)
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

  /// The first sample's header, at byte 298: its length in bytes, and 14 bytes on whether samples have 16 bits.
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

  /// A matrix of the sample rate, then one of the audio with a column for each frame.
  private static func mat4(_ input: borrowing InputFile) throws(AudioFileError) -> Int? {
    let head = try ByteReader(
      of: input, isBigEndian: try input.bytes(at: 2, count: 1) == [3], at: 0, count: 128)
    guard let nameCount = head.int32(at: 16), nameCount < 64 else { return nil }
    // Five 32-bit fields, the name, one double; then type, rows, columns.
    let columns = head.int32(at: 20 + nameCount + 8 + 8)
    guard let columns else { throw .truncated(input.path, expected: nil, found: nil) }
    return columns
  }

  /// Behind 128 bytes, an array of the sample rate, then one of the audio.
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
