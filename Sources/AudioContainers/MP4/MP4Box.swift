package import AudioIO
internal import SystemPackage

/// A box of an MP4 or QuickTime file.
///
/// Source: ISO/IEC 14496-12 section 4.2.
package struct MP4Box {
  /// Four Latin-1 characters.
  package let type: String
  /// The offset of the header.
  let offset: Int
  /// The range of the content in the file, without the header, limited to the file.
  package let content: Range<Int>
  /// The end of the box according to its size, which may exceed the file.
  let declaredEnd: Int

  /// The box at `offset`, in a parent or file that ends at `limit`; `nil` if there is none.
  init?(
    _ input: borrowing InputFile, at offset: Int, limit: Int
  ) throws(AudioFileError) {
    guard offset >= 0, limit - offset >= 8 else { return nil }
    let head = ByteReader(bigEndian: try input.bytes(at: offset, count: 16))
    guard let size32 = head.uint32(at: 0), let type = head.type(at: 4) else { return nil }
    var headSize = 8
    var size = Int(size32)
    if size == 1 {
      guard let size64 = head.uint64(at: 8), let large = Int(exactly: size64) else { return nil }
      headSize = 16
      size = large
    } else if size == 0 {
      size = limit - offset
    }
    let (end, overflow) = offset.addingReportingOverflow(size)
    guard size >= headSize, !overflow, offset + headSize <= limit else { return nil }
    self.type = type
    self.offset = offset
    declaredEnd = end
    content = offset + headSize..<min(end, limit)
  }

  /// The maximum number of boxes at one level: ten days of one-second fragments.
  private static let maximumBoxCount = 1_000_000

  /// Calls `body` for each box at the top level of `range`.
  package static func forEach(
    _ input: borrowing InputFile, in range: Range<Int>,
    _ body: (borrowing InputFile, MP4Box) throws(AudioFileError) -> Void
  ) throws(AudioFileError) {
    var offset = range.lowerBound
    for _ in 0..<maximumBoxCount {
      guard let box = try MP4Box(input, at: offset, limit: range.upperBound) else { return }
      try body(input, box)
      offset = box.declaredEnd
    }
  }

  /// The content of the first box of a type in `range`; `nil` if there is none.
  package static func first(
    _ type: String, in range: Range<Int>, of input: borrowing InputFile
  ) throws(AudioFileError) -> Range<Int>? {
    var offset = range.lowerBound
    for _ in 0..<maximumBoxCount {
      guard let box = try MP4Box(input, at: offset, limit: range.upperBound) else { return nil }
      if box.type == type { return box.content }
      offset = box.declaredEnd
    }
    return nil
  }

  /// The offset of a second file type box, after the index of the first file; `nil` if there is none.
  static func endOfFirstFile(in input: borrowing InputFile) throws(AudioFileError) -> Int? {
    var (hasIndex, isFragmented) = (false, false)
    var end: Int?
    try forEach(input, in: 0..<input.size) { (_, box) throws(AudioFileError) in
      switch box.type {
      case "moov": hasIndex = true
      case "moof": isFragmented = true
      case "ftyp" where hasIndex && !isFragmented: end = end ?? box.offset
      default: break
      }
    }
    return end
  }

  /// The fields of a small box, at most `count` bytes.
  package func fields(
    _ input: borrowing InputFile, count: Int = 256
  ) throws(AudioFileError) -> ByteReader {
    ByteReader(
      bigEndian: try input.bytes(at: content.lowerBound, count: min(count, content.count)))
  }
}

extension ByteReader {
  /// The version of a full box, which is its first byte.
  var version: UInt8 { bytes.first ?? 0 }
}

extension ByteWriter {
  /// Appends a box: 32 bits of size including the header, a type of four Latin-1 characters, and the content.
  ///
  /// Source: ISO 14496-12 section 4.2.
  mutating func box(_ type: String, _ content: (inout ByteWriter) -> Void) {
    let start = bytes.count
    append32(0)
    append(type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    content(&self)
    replace32(at: start, with: bytes.count - start)
  }

  /// Appends a full box, whose content begins with 8 bits of version and 24 bits of flags.
  mutating func box(
    _ type: String, version: Int, flags: Int = 0, _ content: (inout ByteWriter) -> Void
  ) {
    box(type) { box in
      box.append8(version)
      box.append24(flags)
      content(&box)
    }
  }
}

/// The kind of an MP4 or QuickTime file.
package enum MP4Brand {
  /// The format's row by the file type box (ISO/IEC 14496-12 section 4.3), which old QuickTime files lack.
  ///
  /// Brands do not reliably distinguish audiobooks and ringtones from music; among these, the file name
  /// extension decides.
  package static func rowID(of input: borrowing InputFile) throws(AudioFileError) -> String {
    let fields = ByteReader(bigEndian: try input.bytes(at: 0, count: 128))
    guard fields.type(at: 4) == "ftyp", let brand = fields.type(at: 8) else { return "mov" }
    let end = min(fields.int32(at: 0) ?? 0, fields.bytes.count)
    let others = stride(from: 16, to: end - 3, by: 4).compactMap { fields.type(at: $0) }
    if brand == "qt  " { return "mov" }
    if brand.hasPrefix("3g") { return "3gp" }
    let name = input.path.extension?.lowercased() ?? ""
    let isAudio = brand.hasPrefix("M4A") || brand.hasPrefix("M4B") || others.contains("M4A ")
    if ["m4a", "m4b", "m4r"].contains(name), brand != "M4B " || name != "m4a" { return name }
    if brand.hasPrefix("M4B") { return "m4b" }
    return isAudio ? "m4a" : "mp4"
  }
}
