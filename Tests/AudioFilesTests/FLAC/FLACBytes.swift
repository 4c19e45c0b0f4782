import Foundation
import SystemPackage
import TestSupport
import Testing

/// FLAC and Ogg files as bytes, taken apart by hand (RFC 9639, RFC 3533).
enum FLACBytes {
  /// The byte of each metadata block's header, and of the first frame.
  static func boundaries(_ bytes: [UInt8]) -> [Int] {
    var offsets = [4]
    while true {
      let start = offsets[offsets.count - 1]
      let length = bytes[start + 1..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      offsets.append(start + 4 + length)
      if bytes[start] & 0x80 != 0 { return offsets }
    }
  }

  /// The start of each frame, and the block size, as `flac -a` reports them.
  static func frames(of path: FilePath, in folder: TemporaryFolder) throws -> [(
    offset: Int, size: Int
  )] {
    let analysis = folder.file("analysis.txt")
    let tool = try Tool.run("flac", ["-saf", "-o", analysis.string, path.string])
    #expect(tool.status == 0, "\(tool.errorText)")
    let text = String(decoding: try Files.read(analysis), as: UTF8.self)
    return text.split(separator: "\n").filter { $0.hasPrefix("frame=") }.compactMap { line in
      var fields: [Substring: Int] = [:]
      for field in line.split(separator: "\t") {
        let parts = field.split(separator: "=")
        if parts.count == 2 { fields[parts[0]] = Int(parts[1]) }
      }
      guard let offset = fields["offset"], let size = fields["blocksize"] else { return nil }
      return (offset, size)
    }
  }

  /// Clears the length and the MD5 signature in the stream information.
  static func forgetLengthAndSignature(_ bytes: inout [UInt8], ogg: Bool) throws {
    let page = 28
    // In Ogg a header of 9 bytes (0x7F "FLAC", version, count) precedes "fLaC".
    let info = ogg ? page + 9 + 4 + 4 : 4 + 4
    bytes[info + 13] &= 0xF0
    for index in info + 14..<info + 34 { bytes[index] = 0 }
    if ogg { OggBytes.seal(&bytes, pageAt: 0) }
  }
}

/// Ogg pages taken apart and sealed by hand.
enum OggBytes {
  struct Page {
    var offset: Int
    var size: Int
  }

  static func pages(_ bytes: [UInt8]) -> [Page] {
    var pages: [Page] = []
    var offset = 0
    while offset + 27 <= bytes.count {
      let segments = Int(bytes[offset + 26])
      let size =
        27 + segments + bytes[offset + 27..<offset + 27 + segments].reduce(0) { $0 + Int($1) }
      pages.append(Page(offset: offset, size: size))
      offset += size
    }
    return pages
  }

  /// Writes the right checksum into a page: CRC-32 of polynomial 0x04C11DB7, not reflected.
  static func seal(_ bytes: inout [UInt8], pageAt offset: Int) {
    let segments = Int(bytes[offset + 26])
    let size =
      27 + segments + bytes[offset + 27..<offset + 27 + segments].reduce(0) { $0 + Int($1) }
    for index in 22..<26 { bytes[offset + index] = 0 }
    var crc: UInt32 = 0
    for byte in bytes[offset..<offset + size] {
      crc ^= UInt32(byte) << 24
      for _ in 0..<8 { crc = crc & 0x8000_0000 != 0 ? crc << 1 ^ 0x04C1_1DB7 : crc << 1 }
    }
    for index in 0..<4 {
      bytes[offset + 22 + index] = UInt8(truncatingIfNeeded: crc >> (8 * index))
    }
  }
}
