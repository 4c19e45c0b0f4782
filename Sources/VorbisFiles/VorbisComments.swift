internal import AudioModel
internal import AudioTags
internal import CVorbis

/// The comments of a Vorbis stream that is to be written; owns the memory of libvorbis' structure.
final class VorbisComments {
  /// What could not be carried.
  private(set) var notCarried: [String] = []
  private(set) var header = vorbis_comment()
  private var entries: [UnsafeMutablePointer<CChar>?] = []
  private var lengths: [Int32] = []
  private let entryList: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let lengthList: UnsafeMutablePointer<Int32>

  /// The comments and, as further comments, the pictures.
  init(_ metadata: Metadata) {
    var fields: [[UInt8]] = []
    var notCarried: [String] = []
    for comment in metadata.comments {
      if let bytes = CommentField.bytes(of: comment) {
        fields.append(bytes)
      } else {
        notCarried.append("tag \(comment.name.prefix(40))")
      }
    }
    for picture in metadata.pictures {
      if let text = PictureBlock.base64(of: picture) {
        fields.append(Array("\(PictureBlock.field)=\(text)".utf8))
      } else {
        notCarried.append("a picture of \(picture.data.count) bytes")
      }
    }
    if !metadata.syncedLyrics.isEmpty { notCarried.append("synchronized lyrics") }
    self.notCarried = notCarried
    // libvorbis' own vorbis_comment_add takes C strings, and values may hold any character.
    for field in fields {
      let entry = UnsafeMutablePointer<CChar>.allocate(capacity: field.count + 1)
      for (index, byte) in field.enumerated() { entry[index] = CChar(bitPattern: byte) }
      entry[field.count] = 0
      entries.append(entry)
      lengths.append(Int32(clamping: field.count))
    }
    entryList = .allocate(capacity: max(1, entries.count))
    entryList.initialize(from: entries, count: entries.count)
    lengthList = .allocate(capacity: max(1, lengths.count))
    lengthList.initialize(from: lengths, count: lengths.count)
    header.user_comments = entryList
    header.comment_lengths = lengthList
    header.comments = Int32(clamping: entries.count)
  }

  deinit {
    for entry in entries { entry?.deallocate() }
    entryList.deallocate()
    lengthList.deallocate()
  }
}
