internal import SystemPackage

/// The packet table of ALAC in CAF.
///
/// libsndfile keeps the packets in a temporary file until the end and never asks whether they got
/// there, so a full disk under the temporary folder would leave a table without packets.
enum ALACPackets {
  /// Checks that the packets take as many bytes as the table says.
  ///
  /// Source: Apple, "Core Audio Format Specification 1.0", section Packet Table Chunk: sizes are numbers of
  /// 7 bits a byte, the highest bit set in all but the last.
  static func verify(_ file: borrowing InputFile) throws(AudioFileError) {
    let header = try CAFHeader.read(file)
    var position = 8
    for name in header.chunkNames {
      let head = HeaderBytes(bytes: try file.bytes(at: position, count: 12), isBigEndian: true)
      guard let size = head.number(at: 4, count: 8).flatMap({ Int(exactly: $0) }) else { break }
      if name == "pakt" {
        let sum = try sumOfSizes(file, in: position + 12 + 24..<position + 12 + size)
        guard sum == file.size - header.audioOffset else {
          throw .cannotWrite(file.path, .noSpace)
        }
        return
      }
      position += 12 + size
    }
    throw .encoderFailed(file.path, reason: "libsndfile wrote no packet table")
  }

  private static func sumOfSizes(
    _ file: borrowing InputFile, in range: Range<Int>
  ) throws(AudioFileError) -> Int {
    var sum = 0
    var value = 0
    var position = range.lowerBound
    while position < range.upperBound {
      let bytes = try file.bytes(at: position, count: min(65536, range.upperBound - position))
      if bytes.isEmpty { break }
      for byte in bytes {
        value = value << 7 & 0xFFFF_FFFF | Int(byte & 0x7F)
        if byte & 0x80 == 0 {
          sum += value
          value = 0
        }
      }
      position += bytes.count
    }
    return sum
  }
}
