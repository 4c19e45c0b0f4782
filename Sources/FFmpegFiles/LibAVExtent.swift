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
    case "asf": return try isCutASF(input)
    case "avi", "wav": return try isCutRIFF(input)
    case "caf": return try isCutCAF(input)
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
      let size = mask & head[idCount..<idCount + sizeCount].reduce(0) { $0 << 8 | UInt64($1) }
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

  /// The header object and then the data object, which gives its size (ASF specification 1.20,
  /// sections 2.1 and 5.1).
  private static func isCutASF(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    let header = try input.bytes(at: 16, count: 8)
    let start = size(littleEndian: header)
    let data = try input.bytes(at: start, count: 24)
    let guid: [UInt8] = [0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]
    guard data.starts(with: guid) else { return start >= input.size }
    // A broadcast leaves the size at 0 or at that of an empty object.
    let count = size(littleEndian: Array(data.dropFirst(16)))
    return count > 50 && count > input.size - start
  }

  /// RIFF chunks one behind another, as AVI has them beyond 1 GB.
  private static func isCutRIFF(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    var offset = 0
    while true {
      let head = try input.bytes(at: offset, count: 8)
      guard head.count == 8, head.starts(with: Array("RIFF".utf8)) else { return false }
      let count = size(littleEndian: Array(head.dropFirst(4)))
      if count == 0 || count >= 0xFFFF_FFFF { return false }
      if offset + 8 + count > input.size { return true }
      offset += 8 + count + count & 1
    }
  }

  /// CAF chunks; the size of the audio's may be -1, for what is there.
  private static func isCutCAF(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    var offset = 8
    for _ in 0..<4096 {
      let head = try input.bytes(at: offset, count: 12)
      if head.count < 12 { return !head.isEmpty }
      let count = head[4...].reduce(0) { $0 << 8 | UInt64($1) }
      if count == .max { return false }
      guard let count = Int(exactly: count), count <= input.size - offset - 12 else {
        return true
      }
      offset += 12 + count
    }
    return false
  }

  private static func size(littleEndian bytes: [UInt8]) -> Int {
    let value = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(min(value, UInt64(Int.max / 4)))
  }
}
