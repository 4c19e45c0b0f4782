package import AudioIO
package import AudioModel
internal import CTagLib
import Glibc
package import SystemPackage

/// The comments of Ogg Opus, which are its second packet.
///
/// Source: RFC 7845 section 5.2.
package enum OpusComments {
  private static let magic = Array("OpusTags".utf8)
  private static let packetIndex: UInt32 = 1

  /// The comments and pictures of an Opus file; empty for other Ogg streams.
  static func read(_ input: borrowing InputFile) -> TagContents {
    var contents = TagContents()
    var packet: [UInt8] = []
    let status = read(packetOf: input.descriptor, into: &packet)
    guard status == CTAG_OK, packet.starts(with: magic) else { return contents }
    var rest = packet.dropFirst(magic.count)
    guard takeEntry(&rest) != nil, let count = takeNumber(&rest) else {
      contents.warnings.append("the tags are damaged and were not read")
      return contents
    }
    for _ in 0..<count {
      guard let entry = takeEntry(&rest) else {
        contents.warnings.append("the tags are damaged; some may be lost")
        break
      }
      guard let comment = entry.withUnsafeBufferPointer({ CommentField.comment(of: $0) }) else {
        contents.note("tags that are not NAME=value in UTF-8")
        continue
      }
      if contents.metadata.comments.count == TagContents.maximumCommentCount {
        contents.note("tags beyond the first \(TagContents.maximumCommentCount)")
        break
      }
      if comment.name.uppercased() != PictureBlock.field {
        contents.metadata.comments.append(comment)
      } else if let picture = PictureBlock.picture(base64: comment.value) {
        contents.metadata.pictures.append(picture)
      } else {
        contents.note("a damaged picture")
      }
    }
    return contents
  }

  /// Replaces the comments and pictures of a complete Opus file.
  ///
  /// Keeps the encoder's name and version. Appends what comments cannot hold to `notCarried`.
  package static func write(
    _ metadata: Metadata, to descriptor: FileDescriptor, notCarried: inout [String], path: FilePath
  ) throws(AudioFileError) {
    var old: [UInt8] = []
    guard read(packetOf: descriptor, into: &old) == CTAG_OK, old.starts(with: magic) else {
      throw .encoderFailed(path, reason: "its comments are missing")
    }
    var rest = old.dropFirst(magic.count)
    guard let vendor = takeEntry(&rest) else {
      throw .encoderFailed(path, reason: "its comments are damaged")
    }
    let (entries, lost) = CommentField.entries(of: metadata)
    notCarried += lost
    var packet =
      magic + vendor.count.littleEndianBytes(4) + vendor + entries.count.littleEndianBytes(4)
    for entry in entries { packet += entry.count.littleEndianBytes(4) + entry }
    let status = packet.withUnsafeBufferPointer { bytes in
      ctag_replace_ogg_packet(
        descriptor.rawValue, packetIndex, ctag_bytes(start: bytes.baseAddress, count: bytes.count))
    }
    let cause = Errno(rawValue: errno)
    guard status == CTAG_OK else {
      if status == CTAG_IO { throw .cannotWrite(path, cause) }
      throw .encoderFailed(path, reason: "TagLib cannot write the comments")
    }
  }

  private static func read(
    packetOf descriptor: FileDescriptor, into packet: inout [UInt8]
  ) -> ctag_status {
    withUnsafeMutablePointer(to: &packet) { target in
      ctag_read_ogg_packet(descriptor.rawValue, packetIndex, target) { context, bytes in
        context?.assumingMemoryBound(to: [UInt8].self).pointee = Array(
          UnsafeBufferPointer(start: bytes.start, count: bytes.count))
      }
    }
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
