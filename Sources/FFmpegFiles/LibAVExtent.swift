internal import AudioContainers
internal import AudioIO
internal import SystemPackage

/// Whether a file ends before its container says that it does, which libavformat passes over.
enum LibAVExtent {
  /// Whether the end is missing, as far as the kind of container tells.
  static func isCut(
    _ input: borrowing InputFile, demuxer: [String]
  ) throws(AudioFileError) -> Bool {
    switch demuxer.first {
    case "matroska": return try isCutMatroska(input)
    case "asf": return try ASFHeader.isCut(input)
    case "avi", "wav": return try RIFFHeader.isCut(input)
    case "caf": return try CAFHeader.isCut(input)
    case "ogg": return try OggStreamEnd(of: input)?.isWhole == false
    case "mpegts": return input.size % 188 != 0 && input.size % 192 != 0 && input.size % 204 != 0
    default: return false
    }
  }

  /// The EBML header and then the segment, whose size may be unknown (RFC 8794 sections 4 to 6).
  private static func isCutMatroska(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    var offset = 0
    for _ in 0..<8 {
      let head = try input.bytes(at: offset, count: 12)
      guard let first = head.first, first != 0 else { return false }
      let idCount = first.leadingZeroBitCount + 1
      guard idCount <= 4, head.count > idCount, head[idCount] != 0 else { return false }
      let sizeCount = head[idCount].leadingZeroBitCount + 1
      guard head.count >= idCount + sizeCount else { return true }
      let mask = UInt64(1) << UInt64(7 * sizeCount) - 1
      let size = mask & head[idCount..<idCount + sizeCount].bigEndianValue
      if size == mask { return false }
      guard let content = Int(exactly: size), content < Int.max / 2 else { return true }
      let end = offset + idCount + sizeCount + content
      if head.starts(with: [0x18, 0x53, 0x80, 0x67]) || end > input.size {
        return end > input.size
      }
      offset = end
    }
    return false
  }
}
