internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// Makes an extensible header, which has a channel mask, of the plain one that libsndfile writes into
/// Wave64.
///
/// libsndfile is given the file from byte ``byteCount`` on; what it puts in front of its next chunk is
/// then written anew, longer by that much.
enum Wave64Extension {
  /// By how much the header grows: its `fmt` chunk from 16 to 40 bytes of content.
  static let byteCount = 24
  /// The names of `riff` and `wave`, of 16 bytes each, and the size of the file, 8.
  private static let fmt = 40
  /// What follows the format tag in the GUID of a WAVE sub-format.
  private static let formatGUID: [UInt8] = [
    0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
  ]

  /// Rewrites the header of a file that libsndfile has closed.
  static func apply(_ mask: UInt32, to stream: SndFileStream, path: FilePath) throws(AudioFileError)
  {
    let file = try stream.reopened(path: path)
    let plain = try file.bytes(at: byteCount, count: fmt + 40)
    let head = ByteReader(bytes: plain, isBigEndian: false)
    // The chunk's size counts its own header, 24 bytes.
    guard let size = head.number(at: 16, count: 8),
      let fmtSize = head.number(at: fmt + 16, count: 8),
      head.text(at: fmt) == "fmt ", fmtSize == 40
    else {
      throw .encoderFailed(path, reason: "libsndfile laid out its header in an unknown way")
    }
    let format = plain[fmt + 24..<fmt + 40]
    var header = Array(plain[0..<16]) + bytes(size + UInt64(byteCount), 8)
    header += plain[24..<fmt + 16] + bytes(fmtSize + UInt64(byteCount), 8)
    // WAVE_FORMAT_EXTENSIBLE, then the plain fields, the size of what is added, the valid bits.
    header += [0xFE, 0xFF] + format.dropFirst(2) + [22, 0] + format.suffix(2)
    header += bytes(UInt64(mask), 4) + format.prefix(2) + formatGUID
    do {
      try file.descriptor.writeAll(toAbsoluteOffset: 0, header)
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
  }

  private static func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }
}
