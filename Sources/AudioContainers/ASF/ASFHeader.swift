package import AudioIO
internal import AudioModel
internal import CTagLib

extension AudioFormat.Container {
  package static let asf = Self(
    "asf",
    tags: { (input, start, reading) throws(AudioFileError) in
      try ASFHeader.readTags(input, at: start, into: &reading)
    }, recognizes: { head in head.has([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) })
}

/// The header object of an ASF file, validated before TagLib reads it.
///
/// TagLib 1.13 reads the declared number of attributes even if it extends past the end of the object.
/// Source: Microsoft, "Advanced Systems Format Specification" revision 01.20.03, sections 3.1, 3.4, 3.11,
/// 4.7 and 4.8.
package enum ASFHeader {
  private static let extendedContent: [UInt8] = [
    0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11, 0x97, 0xF0, 0x00, 0xA0, 0xC9, 0x5E, 0xA8, 0x50,
  ]
  private static let headerExtension: [UInt8] = [
    0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11, 0x8E, 0xE3, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
  ]
  private static let metadata: [UInt8] = [
    0xEA, 0xCB, 0xF8, 0xC5, 0xAF, 0x5B, 0x77, 0x48, 0x84, 0x67, 0xAA, 0x8C, 0x44, 0xFA, 0x4C, 0xCA,
  ]
  private static let metadataLibrary: [UInt8] = [
    0x94, 0x1C, 0x23, 0x44, 0x98, 0x94, 0xD1, 0x49, 0xA1, 0x41, 0x1D, 0x13, 0x4E, 0x45, 0x70, 0x54,
  ]

  /// Reads the tags in the header object.
  static func readTags(
    _ input: borrowing InputFile, at start: Int, into reading: inout TagReading
  ) throws(AudioFileError) {
    // The little-endian 64-bit size of the header object follows its GUID.
    let bytes = try input.bytes(at: start + 16, count: 8)
    guard bytes.count == 8, let count = Int(exactly: bytes.littleEndianValue),
      count <= input.size - start
    else { return }
    guard count <= TagContents.maximumByteCount, isSound(try input.bytes(at: start, count: count))
    else {
      reading.contents.warnings.append("its tags are damaged or too large and were not read")
      return
    }
    try reading.take(CTAG_ASF, input, start..<start + count)
  }

  /// Returns true if all objects lie within the header and have room for their declared attributes.
  package static func isSound(_ bytes: [UInt8]) -> Bool {
    // The header's own GUID, size, number of objects and two reserved bytes.
    bytes.count >= 30 && areSound(bytes[30...])
  }

  private static func areSound(_ objects: ArraySlice<UInt8>) -> Bool {
    var rest = objects
    while rest.count >= 24 {
      guard let size = Int(exactly: rest.dropFirst(16).prefix(8).littleEndianValue), size >= 24,
        size <= rest.count, isSound(rest.prefix(16), content: rest.prefix(size).dropFirst(24))
      else { return false }
      rest = rest.dropFirst(size)
    }
    return rest.isEmpty
  }

  private static func isSound(_ guid: ArraySlice<UInt8>, content: ArraySlice<UInt8>) -> Bool {
    // The minimum size of an attribute: three fields of 2 bytes, or four of 2 and one of 4.
    switch Array(guid) {
    case extendedContent: return holds(content, attributesOf: 6)
    case metadata, metadataLibrary: return holds(content, attributesOf: 12)
    // Two reserved fields and a size precede the nested objects.
    case headerExtension: return content.count >= 22 && areSound(content.dropFirst(22))
    default: return true
    }
  }

  private static func holds(_ content: ArraySlice<UInt8>, attributesOf minimumByteCount: Int)
    -> Bool
  {
    guard content.count >= 2 else { return false }
    return Int(content.prefix(2).littleEndianValue) * minimumByteCount <= content.count - 2
  }

  /// The Content Encryption and the Extended Content Encryption object (ASF specification 1.20, sections 3.14
  /// and 3.15).
  private static let encryptions: [[UInt8]] = [
    [
      0xFB, 0xB3, 0x11, 0x22, 0x23, 0xBD, 0xD2, 0x11, 0xB4, 0xB7, 0x00, 0xA0, 0xC9, 0x55, 0xFC,
      0x6E,
    ],
    [
      0x14, 0xE6, 0x8A, 0x29, 0x22, 0x26, 0x17, 0x4C, 0xB9, 0x35, 0xDA, 0xE0, 0x7E, 0xE9, 0x28,
      0x9C,
    ],
  ]

  /// Returns true if the header describes an encryption of the content.
  package static func isEncrypted(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    let end = min(size(littleEndian: try input.bytes(at: 16, count: 8)), input.size)
    var offset = 30
    for _ in 0..<4096 where offset + 24 <= end {
      let head = try input.bytes(at: offset, count: 24)
      if encryptions.contains(Array(head.prefix(16))) { return true }
      let count = size(littleEndian: Array(head.dropFirst(16)))
      guard count >= 24 else { return false }
      offset += min(count, end)
    }
    return false
  }

  private static func size(littleEndian bytes: [UInt8]) -> Int {
    Int(min(bytes.prefix(8).littleEndianValue, UInt64(Int.max / 4)))
  }
}
