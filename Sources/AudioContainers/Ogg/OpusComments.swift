package import AudioIO
package import AudioModel

/// The comments of Ogg Opus, which are its second packet.
///
/// Source: RFC 7845 section 5.2.
package enum OpusComments {
  private static let magic = Array("OpusTags".utf8)
  /// The maximum size of the packet to read, in bytes.
  private static let maximumBytes = 64 << 20

  /// The comments and pictures of an Opus file; empty for other Ogg streams.
  static func read(_ input: borrowing InputFile) throws(AudioFileError) -> TagContents {
    var contents = TagContents()
    guard let packet = try packet(of: input), packet.starts(with: magic) else { return contents }
    var rest = packet.dropFirst(magic.count)
    guard takeEntry(&rest) != nil, let count = takeNumber(&rest) else {
      contents.warnings.append("the tags are damaged and were not read")
      return contents
    }
    var texts = TextDecoder(nil, declared: input.tagEncoding)
    for _ in 0..<count {
      guard let entry = takeEntry(&rest) else {
        contents.warnings.append("the tags are damaged; some may be lost")
        break
      }
      let found = entry.withUnsafeBufferPointer { CommentField.comment(of: $0, &texts) }
      guard let comment = found else {
        contents.note(.tag, "tags that are not NAME=value")
        continue
      }
      if contents.metadata.comments.count == TagContents.maximumCommentCount {
        contents.note(.tag, "tags beyond the first \(TagContents.maximumCommentCount)")
        break
      }
      if comment.name.uppercased() != PictureBlock.field {
        contents.metadata.comments.append(comment)
      } else if let picture = PictureBlock.picture(base64: comment.value) {
        contents.metadata.pictures.append(picture)
      } else {
        contents.note(.picture, "a damaged picture")
      }
    }
    contents.metadata.add(texts.stored)
    return contents
  }

  /// The second packet of the first stream; `nil` if it is incomplete or too large.
  private static func packet(of input: borrowing InputFile) throws(AudioFileError) -> [UInt8]? {
    var pages = OggPageWalker(byteCount: OggPage.maximumByteCount)
    var serialNumber: UInt32?
    var packet = OggPacket(number: 1)
    while let page = try pages.next(of: input), packet.bytes.count <= maximumBytes {
      let first = serialNumber ?? page.header.serialNumber
      serialNumber = first
      if first == page.header.serialNumber, packet.take(page.bytes) { return packet.bytes }
    }
    return nil
  }

  /// A packet of comments, with the vendor of another.
  static func packet(like other: [UInt8], entries: [[UInt8]]) -> [UInt8] {
    var rest = other.dropFirst(magic.count)
    let vendor = takeEntry(&rest) ?? []
    var bytes =
      magic + vendor.count.littleEndianBytes(4) + vendor + entries.count.littleEndianBytes(4)
    for entry in entries { bytes += entry.count.littleEndianBytes(4) + entry }
    return bytes
  }

  private static func takeNumber(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard rest.count >= 4 else { return nil }
    let number = Int(rest.prefix(4).littleEndianValue)
    rest = rest.dropFirst(4)
    return number
  }

  private static func takeEntry(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard let count = takeNumber(&rest), count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}

/// One packet of an Ogg stream, put together from pages.
private struct OggPacket {
  private(set) var bytes: [UInt8] = []
  /// Packets that end before this one.
  private var packetsBefore: Int

  /// The packet with this number in the stream, from 0.
  init(number: Int) { packetsBefore = number }

  /// Takes what a page holds of the packet; `true` if it is complete.
  mutating func take(_ page: ArraySlice<UInt8>) -> Bool {
    let page = Array(page)
    guard page.count > 27 else { return false }
    var place = 27 + Int(page[26])
    guard page.count >= place else { return false }
    for lacing in page[27..<place] {
      let end = min(place + Int(lacing), page.count)
      if packetsBefore == 0 { bytes += page[min(place, end)..<end] }
      place = end
      guard lacing < 255 else { continue }
      if packetsBefore == 0 { return true }
      packetsBefore -= 1
    }
    return false
  }
}
