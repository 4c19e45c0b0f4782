internal import AudioContainers
internal import AudioIO
internal import CLibAV

/// Detects files that are shorter than their container declares, which libavformat ignores.
enum LibAVExtent {
  /// Whether the end is missing, for containers that declare their length.
  static func isCut(
    _ input: borrowing InputFile, demuxer: [String], _ header: ContainerHeader?
  ) throws(AudioFileError) -> Bool {
    if let header, header.isCut(fileSize: input.size) { return true }
    switch demuxer.first {
    case "matroska": return try isCutMatroska(input)
    case "asf": return try ASFHeader.isCut(input)
    case "avi", "wav": return try RIFFHeader.isCut(input)
    case "caf": return try CAFHeader.isCut(input)
    case "ast":
      // The bytes of the blocks, after a header of 64 bytes.
      let size = try ByteReader(of: input, isBigEndian: true, at: 4, count: 4).int32(at: 0) ?? 0
      return size < 0xFFFF_FFFF && input.size < 64 + size
    case "sox": return try isCutSoX(input)
    case "rm": return try isCutRealMedia(input)
    case "flv": return try isCutFLV(input)
    case "mpeg": return try StreamEnd(of: input, .programStream) == .cut
    case "truehd", "mlp": return try StreamEnd(of: input, .mlp) == .cut
    case "adx": return try isCutADX(input)
    case "voc": return try VOCFile(of: input).isCut(fileSize: input.size)
    case "ogg": return try OggStreamEnd(of: input)?.isWhole == false
    case "mpegts": return input.size % 188 != 0 && input.size % 192 != 0 && input.size % 204 != 0
    default: return false
    }
  }

  /// Whether the last frame of a stream without a container is cut; decoding also finds this.
  static func isStreamCut(
    _ input: borrowing InputFile, demuxer: String?
  ) throws(AudioFileError) -> Bool {
    switch demuxer {
    case "aac": return try ADTSTail(of: input).isCut
    case "tta": return try TTAHeader.isCut(input)
    default: return try streamEnd(of: input, demuxer: demuxer) == .cut
    }
  }

  /// The end of a stream of frames without a container; `nil` for other formats.
  static func streamEnd(
    of input: borrowing InputFile, demuxer: String?
  ) throws(AudioFileError) -> StreamEnd? {
    switch demuxer {
    case "ac3", "eac3": try StreamEnd(of: input, .ac3)
    case "dts": try StreamEnd(of: input, .dts)
    case "truehd", "mlp": try StreamEnd(of: input, .mlp)
    case "wv": try StreamEnd(of: input, .wavPack)
    default: nil
    }
  }

  /// Whether a NUT file lacks the index that ends it: "NUT Open Container Format", 64 bits of startcode, and in the
  /// last 12 bytes the size of the index and a checksum.
  static func lacksNUTIndex(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    let tail = try ByteReader(of: input, isBigEndian: true, at: max(0, input.size - 12), count: 8)
    guard let size = tail.uint64(at: 0).flatMap({ Int(exactly: $0) }), size < input.size else {
      return true
    }
    return try input.bytes(at: input.size - size, count: 8)
      != [0x4E, 0x58, 0xDD, 0x67, 0x2F, 0x23, 0xE6, 0x4E]
  }

  /// Checks the EBML header and the segment, whose size may be unknown (RFC 8794 sections 4 to 6).
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

  /// Checks that the last tag of FLV is whole; Adobe, "Flash Video File Format 10.1", section E.3: after each tag, its
  /// size in 32 bits.
  private static func isCutFLV(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    let last = try ByteReader(of: input, isBigEndian: true, at: max(0, input.size - 4), count: 4)
    guard let size = last.int32(at: 0) else { return true }
    // A file without tags ends with the size of none.
    if size == 0 { return false }
    guard size >= 11, size + 4 <= input.size else { return try endsWithinTag(input) }
    let head = try ByteReader(
      of: input, isBigEndian: true, at: input.size - 4 - size, count: 8)
    guard let type = head.number(at: 0, count: 1), let content = head.number(at: 1, count: 3),
      let time = head.number(at: 4, count: 3), let high = head.number(at: 7, count: 1)
    else { return true }
    // Some programs count the tag without its header.
    if ![8, 9, 18].contains(type & 0x1F) || ![size - 11, size].contains(Int(content)) {
      return true
    }
    guard let duration = try flvDuration(input), type & 0x1F != 18 else { return false }
    let end = Double(high << 24 | time) / 1000
    return duration - end > 1 + duration / 100
  }

  /// Whether a tag of FLV ends after the file, by their sizes from the first on.
  private static func endsWithinTag(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    var position = 13
    while position + 4 <= input.size {
      let head = try ByteReader(of: input, isBigEndian: true, at: position, count: 4)
      guard let type = head.number(at: 0, count: 1), let size = head.number(at: 1, count: 3),
        [8, 9, 18].contains(type & 0x1F)
      else { return false }
      position += 11 + Int(size)
      if position > input.size { return true }
      position += 4
    }
    return false
  }

  /// The property `duration` of `onMetaData` in the first tag, in seconds; `nil` if there is none.
  private static func flvDuration(
    _ input: borrowing InputFile
  ) throws(AudioFileError) -> Double? {
    let head = try ByteReader(of: input, isBigEndian: true, at: 0, count: 4096)
    // The length of the name, the name, and 0 for a number.
    let key = [0, 8] + Array("duration".utf8) + [0]
    guard head.bytes.count > key.count + 8,
      let start = (0..<head.bytes.count - key.count - 8).first(where: {
        head.bytes[$0] == 0 && head.bytes[$0..<$0 + key.count].elementsEqual(key)
      }), let bits = head.number(at: start + key.count, count: 8)
    else { return nil }
    let value = Double(bitPattern: bits)
    return value.isFinite && value > 0 ? value : nil
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

  /// Compares the bytes with the number of samples in the header of ADX, in blocks of 18 bytes and 32 samples; the
  /// offset of the audio is that of `(c)CRI`, which ends there.
  private static func isCutADX(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    let head = try ByteReader(of: input, isBigEndian: true, at: 0, count: 16)
    guard let offset = head.int16(at: 2), let type = head.number(at: 4, count: 3),
      type == 0x03_12_04,
      let channels = head.number(at: 7, count: 1), let samples = head.int32(at: 12)
    else { return false }
    return input.size < offset + 4 + (samples + 31) / 32 * 18 * Int(channels)
  }
}

/// What a container promises of the length of its audio.
enum LibAVPromise {
  /// Demuxers of containers that state their length.
  private static let stating: Set = ["rm", "ast", "flv", "matroska", "mmf"]

  /// The frames that the container promises if the decoded ones miss more of them than encoder delay, a last block
  /// and rounding can; `nil` otherwise.
  static func missed(by decoded: Int, _ decoder: LibAVDecoder) -> Int? {
    let container = decoder.container
    guard let block = decoder.block, let name = container.demuxerNames.first,
      stating.contains(name),
      container.pointer.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE
    else { return nil }
    // The duration of a container with other tracks may be theirs.
    let others = container.streams.filter {
      $0.pointee.index != decoder.track.stream.pointee.index
        && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    }
    guard others.isEmpty, var promised = LibAVEstimate.declared(decoder) else { return nil }
    let stream = decoder.track.stream.pointee
    if stream.start_time > 0, stream.time_base.den > 0 {
      let base = Double(stream.time_base.num) / Double(stream.time_base.den)
      let start = Double(stream.start_time) * base * Double(block.sampleRate)
      promised -= Int(exactly: start.rounded()) ?? 0
    }
    let slack = max(4 * block.frameCount, block.sampleRate / 4) + promised / 200
    return promised - decoded > slack ? promised : nil
  }
}
