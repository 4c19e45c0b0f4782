internal import AudioContainers
internal import AudioIO

/// Finds damage in the structure of a container before anything is decoded, in the formats that are scanned here. For
/// all other formats, ``LibAVPromise`` compares the length.
enum LibAVExtent {
  /// The error for a file if its container is damaged or its end is missing.
  static func damage(
    _ input: borrowing InputFile, demuxer: String?, _ header: ContainerHeader?
  ) throws(AudioFileError) -> AudioFileError? {
    if demuxer == "aac", let offset = try ADTSTail(of: input).cutFrameOffset {
      return .malformed(
        input.path, reason: "the frame at byte \(offset) is cut off, and another follows")
    }
    let isTruncated = try isTruncated(input, demuxer: demuxer, header)
    return isTruncated ? .truncated(input.path, expected: nil, found: nil) : nil
  }

  /// The offset of damage that libavformat skips and no decoder detects; `nil` if there is none. Reads the whole file.
  static func passedDamage(
    in input: borrowing InputFile, demuxer: String?
  ) throws(AudioFileError) -> Int? {
    demuxer == "matroska" ? try MatroskaDamage.offset(in: input) : nil
  }

  /// True when the sizes in the headers show that the end is missing.
  private static func isTruncated(
    _ input: borrowing InputFile, demuxer: String?, _ header: ContainerHeader?
  ) throws(AudioFileError) -> Bool {
    if let header, header.isTruncated(fileSize: input.size) { return true }
    switch demuxer {
    case "matroska": return try isCutMatroska(input)
    case "avi", "wav": return try RIFFHeader.isTruncated(input)
    case "caf": return try CAFHeader.isTruncated(input)
    case "ogg": return try OggStreamEnd(of: input).map { !$0.isWhole && !$0.isOpen } ?? false
    default: return false
    }
  }

  /// True when the last frame of a stream is cut, which decoding finds too.
  static func isStreamCut(
    _ input: borrowing InputFile, demuxer: String?
  ) throws(AudioFileError) -> Bool {
    switch demuxer {
    case "aac": try ADTSTail(of: input).isTruncated
    case "wv": try WavPackBlock.isTruncated(input)
    default: false
    }
  }

  /// Checks the EBML header and the segment, whose size may be unknown.
  private static func isCutMatroska(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    var offset = 0
    for _ in 0..<8 {
      let head = try input.bytes(at: offset, count: MatroskaElement.maximumHeadBytes)
      guard let element = MatroskaElement(head, at: offset), element.contentSize != nil else {
        return false
      }
      guard let end = element.end else { return true }
      if element.id == MatroskaElement.ID.segment || end > input.size { return end > input.size }
      offset = end
    }
    return false
  }
}
