internal import AudioIO

/// The blocks of a Creative Voice file.
///
/// A block is a type, a size of 24 bits, and content; type 0 ends the file and stands alone. libsndfile
/// reads files with one block of sound, and takes the terminator of 8-bit ones for a sample.
enum VOCBlocks {
  /// Frames in the block of sound, as its size says; `nil` when there is none that is known.
  static func frames(_ input: borrowing InputFile) throws(AudioFileError) -> Int? {
    let start = try ByteReader(of: input, isBigEndian: false, at: 20, count: 2).int16(at: 0)
    guard var position = start else { return nil }
    var channels = 1
    for _ in 0..<4096 where position < input.size {
      let head = try ByteReader(of: input, isBigEndian: false, at: position, count: 16)
      guard let type = head.bytes.first, let size = head.number(at: 1, count: 3) else { return nil }
      let count = Int(size)
      switch type {
      case 0: return nil
      // Rate and codec, one byte each, then 8-bit samples.
      case 1: return max(0, count - 2) / channels
      // Goes before type 1: rate 2, codec 1, channels less one.
      case 8: channels = Int(head.bytes.count > 7 ? head.bytes[7] : 0) + 1
      // Rate 4, bits 1, channels 1, codec 2, reserved 4.
      case 9:
        guard head.bytes.count > 9 else { return nil }
        let width = Int(head.bytes[8]) / 8 * Int(head.bytes[9])
        return width > 0 ? max(0, count - 12) / width : nil
      default: break
      }
      position += 4 + count
    }
    return nil
  }
}
