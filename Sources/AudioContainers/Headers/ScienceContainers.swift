package import AudioIO

/// The containers of speech and signal processing, whose headers libsndfile reads.
///
/// IRCAM and PVF declare no length, so truncation of their files cannot be detected.
extension AudioFormat.Container {
  package static let nist = Self(
    "nist", declaredFrames: DeclaredLength.nist,
    recognizes: { head in head.has("NIST_1A") })

  package static let ircam = Self(
    "ircam",
    recognizes: { head in
      // 0x0001A364 to 0x0007A364 in either byte order.
      guard head.bytes.count >= 12 else { return false }
      let bytes = head.bytes
      return head.has([0x64, 0xA3]) && bytes[2] & 0xF8 == 0 && bytes[3] == 0
        || bytes[0] == 0 && bytes[1] & 0xF8 == 0 && head.has([0xA3, 0x64], at: 2)
    })

  package static let pvf = Self(
    "pvf",
    recognizes: { head in head.has("PVF1") })

  package static let mat5 = Self(
    "mat5", declaredFrames: DeclaredLength.mat5,
    recognizes: { head in head.has("MATLAB 5") })

  package static let mat4 = Self(
    "mat4", declaredFrames: DeclaredLength.mat4,
    recognizes: { head in
      // A matrix named `samplerate` or the like of one row and one column comes first.
      head.has([0, 0, 3, 0xE8, 0, 0, 0, 1, 0, 0, 0, 1])
        || head.has([0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])
    })

  package static let htk = Self(
    "htk",
    recognizes: { head in
      // There is no magic: the first field counts the 2-byte samples after the 12-byte header, and the last
      // field is the kind, 16-bit waveform (0).
      guard head.has([0, 2, 0, 0], at: 8) else { return false }
      let count = Int(head.bytes[0..<4].bigEndianValue)
      return count > 0 && 12 + 2 * count == head.fileSize
    })
}

/// The declared length of minor containers, which libsndfile ignores.
private enum DeclaredLength {
  /// `sample_count -i N` in the text header.
  static func nist(_ input: borrowing InputFile) throws(AudioFileError) -> Int? {
    let header = String(decoding: try input.bytes(at: 0, count: 1024), as: UTF8.self)
    for line in header.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ")
      if words.count == 3, words[0] == "sample_count" { return Int(words[2]) }
    }
    return nil
  }

  /// A matrix with the sample rate, then one with the audio, which has a column per frame.
  static func mat4(_ input: borrowing InputFile) throws(AudioFileError) -> Int? {
    let head = try ByteReader(
      of: input, isBigEndian: try input.bytes(at: 2, count: 1) == [3], at: 0, count: 128)
    guard let nameCount = head.int32(at: 16), nameCount < 64 else { return nil }
    // Five 32-bit fields, the name, one double; then type, rows, columns.
    let columns = head.int32(at: 20 + nameCount + 8 + 8)
    guard let columns else { throw .truncated(input.path, expected: nil, found: nil) }
    return columns
  }

  /// After 128 bytes, an array with the sample rate, then one with the audio.
  static func mat5(_ input: borrowing InputFile) throws(AudioFileError) -> Int? {
    let isBigEndian = try input.bytes(at: 126, count: 2) == Array("MI".utf8)
    let first = try ByteReader(of: input, isBigEndian: isBigEndian, at: 128, count: 8)
    guard let size = first.int32(at: 4), size < 65536 else { return nil }
    // The array's own tag 8, its flags 16, the tag of its dimensions 8; then rows, columns.
    let second = try ByteReader(
      of: input, isBigEndian: isBigEndian, at: 136 + size + 32, count: 8)
    return second.int32(at: 4)
  }
}
