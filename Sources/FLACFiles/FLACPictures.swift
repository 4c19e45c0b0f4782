internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import AudioTags

/// The pictures of a FLAC stream, each held to the length of its block.
///
/// libFLAC 1.4 takes as much memory for a picture as the fields in it say, up to 4 GB, however short its
/// block is; so it passes over them, and they are read here.
///
/// Source: RFC 9639 sections 8.1 (headers of blocks) and 8.8 (picture).
struct FLACPictures {
  private(set) var pictures: [Metadata.Picture] = []
  /// Whether a block of this kind does not hold exactly a picture.
  private(set) var areDamaged = false

  private static let pictureType: UInt8 = 6
  /// The type that stands for what is no metadata block.
  private static let forbiddenType: UInt8 = 127

  init(of input: borrowing InputFile, inOgg: Bool) throws(AudioFileError) {
    var stream = try FLACByteReader(input, inOgg: inOgg)
    var position = 4
    while true {
      let head = try stream.bytes(of: input, at: position, count: 4)
      guard head.count == 4, head[0] & 0x7F != Self.forbiddenType else { return }
      let length = Int(head[1...].bigEndianValue)
      if head[0] & 0x7F == Self.pictureType {
        take(try stream.bytes(of: input, at: position + 4, count: length))
      }
      let isLast = head[0] & 0x80 != 0
      if isLast { return }
      position += 4 + length
    }
  }

  private mutating func take(_ block: [UInt8]) {
    if let picture = PictureBlock.picture(block) {
      pictures.append(picture)
    } else {
      areDamaged = true
    }
  }
}

/// A FLAC stream's bytes from `fLaC` on, as they stand in a file or on the pages of an Ogg stream.
private struct FLACByteReader {
  private let inOgg: Bool
  /// Where `fLaC` stands: in the file or, in Ogg, in the pages' content.
  private let start: Int
  /// The content of the pages read so far, and where the next begins.
  private var content: [UInt8] = []
  private var nextPage = 0

  /// RFC 9639 section 10.1: nine bytes of the mapping into Ogg come before `fLaC`.
  private static let mappingBytes = 9

  init(_ input: borrowing InputFile, inOgg: Bool) throws(AudioFileError) {
    self.inOgg = inOgg
    start = inOgg ? Self.mappingBytes : try ID3Tag.end(of: input)
  }

  /// The bytes from `offset`, at most `count`; fewer where the stream ends.
  mutating func bytes(
    of input: borrowing InputFile, at offset: Int, count: Int
  ) throws(AudioFileError) -> [UInt8] {
    guard inOgg else { return try input.bytes(at: start + offset, count: count) }
    let first = start + offset
    while content.count < first + count, try readPage(input) {}
    return Array(content.dropFirst(first).prefix(count))
  }

  private mutating func readPage(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    let head = try input.bytes(at: nextPage, count: 300)
    guard let page = OggPageHeader(head[...]) else { return false }
    let headerBytes = 27 + Int(head[26])
    content += try input.bytes(at: nextPage + headerBytes, count: page.byteCount - headerBytes)
    nextPage += page.byteCount
    return true
  }
}
