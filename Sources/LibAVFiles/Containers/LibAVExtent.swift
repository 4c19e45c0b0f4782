internal import AudioContainers
internal import AudioIO

/// Detects files that are shorter than their container declares, which libavformat ignores.
enum LibAVExtent {
  /// The error for a file whose container shows that its end is missing, or that it is damaged.
  static func damage(
    _ input: borrowing InputFile, demuxer: [String], _ header: ContainerHeader?
  ) throws(AudioFileError) -> AudioFileError? {
    if demuxer.first == "flv", case .damage(let offset) = try FLVTags(of: input).end {
      return .malformed(
        input.path, reason: "from byte \(offset) on, bytes between two of its tags are not a tag")
    }
    if demuxer.first == "asf", try !ASFHeader.isTruncated(input),
      let offset = try ASFPackets.damageOffset(in: input)
    {
      return .malformed(
        input.path, reason: "at byte \(offset), where a packet should begin, none does")
    }
    if demuxer.first == "aac", let offset = try ADTSTail(of: input).cutFrameOffset {
      return .malformed(
        input.path, reason: "the frame at byte \(offset) is cut off, and another follows")
    }
    let isTruncated = try isTruncated(input, demuxer: demuxer, header)
    return isTruncated ? .truncated(input.path, expected: nil, found: nil) : nil
  }

  /// The offset of damage that libavformat passes over and no decoder finds; `nil` if there is none. Reads the whole
  /// file.
  static func passedDamage(
    in input: borrowing InputFile, demuxer: String?
  ) throws(AudioFileError) -> Int? {
    switch demuxer {
    case "matroska": try MatroskaDamage.offset(in: input)
    case "mpeg": try ProgramStreamDamage.offset(in: input)
    default: nil
    }
  }

  /// Whether the end is missing, for containers that declare their length.
  private static func isTruncated(
    _ input: borrowing InputFile, demuxer: [String], _ header: ContainerHeader?
  ) throws(AudioFileError) -> Bool {
    if let header, header.isTruncated(fileSize: input.size) { return true }
    switch demuxer.first {
    case "matroska": return try isCutMatroska(input)
    case "asf": return try ASFHeader.isTruncated(input)
    case "avi", "wav": return try RIFFHeader.isTruncated(input)
    case "caf": return try CAFHeader.isTruncated(input)
    case "sox": return try isCutSoX(input)
    case "rm": return try isCutRealMedia(input)
    case "mpeg":
      if try StreamEnd(of: input, .programStream) == .truncated { return true }
      return try ProgramStream(of: input).isTruncated
    case "mpegts":
      guard let stream = try TransportStream(of: input) else { return false }
      let end = try stream.end(in: input)
      guard end == .whole else { return end == .truncated }
      return try stream.ending(in: input) == .truncated
    // The decoders of AC-3 and DTS accept a cut frame.
    case "ac3", "ast", "dts", "eac3", "flv", "mlp", "truehd":
      return try streamEnd(of: input, demuxer: demuxer.first) == .truncated
    case "adx":
      guard let header = try ADXHeader(input) else { return false }
      return input.size < header.end
    case "ogg": return try OggStreamEnd(of: input).map { !$0.isWhole && !$0.isOpen } ?? false
    default: return false
    }
  }

  /// Whether the last frame of a stream without a container is truncated; decoding also finds this.
  static func isStreamCut(
    _ input: borrowing InputFile, demuxer: String?
  ) throws(AudioFileError) -> Bool {
    switch demuxer {
    case "aac": return try ADTSTail(of: input).isTruncated
    case "tta": return try TTAHeader.isTruncated(input)
    default: return try streamEnd(of: input, demuxer: demuxer) == .truncated
    }
  }

  /// The end of a stream of units that have their sizes in their headers; `nil` for other formats.
  static func streamEnd(
    of input: borrowing InputFile, demuxer: String?
  ) throws(AudioFileError) -> StreamEnd? {
    switch demuxer {
    case "ac3", "eac3": try StreamEnd(of: input, .ac3)
    case "dts": try StreamEnd(of: input, .dts)
    case "truehd", "mlp": try StreamEnd(of: input, .mlp)
    case "wv": try StreamEnd(of: input, .wavPack)
    case "mpegts": try TransportStream(of: input)?.end(in: input)
    case "ast": try endOfAST(input)
    case "flv":
      switch try FLVTags(of: input).end {
      case .truncated: .truncated
      case .junk(let offset): .junk(from: offset)
      case .whole, .damage: .whole
      }
    case "nut":
      if let end = try NUTIndex.end(in: input), end < input.size { .junk(from: end) } else { nil }
    default: nil
    }
  }

  /// Compares the size of the blocks in the header of AST, which has 64 bytes, with the file.
  private static func endOfAST(_ input: borrowing InputFile) throws(AudioFileError) -> StreamEnd? {
    let size = try ByteReader(of: input, isBigEndian: true, at: 4, count: 4).int32(at: 0) ?? 0
    guard size > 0, size < 0xFFFF_FFFF else { return nil }
    let end = 64 + size
    return end > input.size ? .truncated : end < input.size ? .junk(from: end) : .whole
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

  /// Compares the bytes with the number of samples, 4 bytes each, in the header of SoX's own format: after the magic,
  /// 32 bits of its own size without the magic, and 64 bits of samples.
  private static func isCutSoX(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    let isBigEndian = try input.bytes(at: 0, count: 4) == Array("XoS.".utf8)
    let head = try ByteReader(of: input, isBigEndian: isBigEndian, at: 4, count: 12)
    guard let size = head.int32(at: 0), let samples = head.uint64(at: 4), samples < 1 << 48 else {
      return false
    }
    return input.size < 4 + size + 4 * Int(samples)
  }

  /// Whether a chunk of RealMedia ends after the file: four characters, and a size of 32 bits with the header.
  private static func isCutRealMedia(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    var position = 0
    for _ in 0..<256 where position + 8 <= input.size {
      let head = try ByteReader(of: input, isBigEndian: true, at: position, count: 8)
      guard let size = head.int32(at: 4), (10..<0x7FFF_FFFF).contains(size),
        head.bytes[0..<4].allSatisfy({ (0x20..<0x7F).contains($0) })
      else { return false }
      position += size
      // FFmpeg counts ten bytes twice.
      if position > input.size + 16 { return true }
    }
    return false
  }
}
