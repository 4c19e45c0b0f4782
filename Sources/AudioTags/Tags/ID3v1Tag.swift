internal import AudioIO
internal import AudioModel
internal import CTagLib

/// ID3v1, the 128 bytes at the end of an MPEG audio file.
enum ID3v1Tag {
  /// The fields of the tag in the last 128 bytes; `nil` where there is none.
  static func comments(
    of input: borrowing InputFile
  ) throws(AudioFileError) -> [Metadata.Comment]? {
    let tag = try input.bytes(at: input.size - 128, count: 128)
    guard tag.count == 128, tag.starts(with: Array("TAG".utf8)) else { return nil }
    let fields = [("TITLE", 3..<33), ("ARTIST", 33..<63), ("ALBUM", 63..<93), ("DATE", 93..<97)]
    var comments = fields.map { name, range in
      Metadata.Comment(name: name, value: text(tag[range]))
    }
    // Version 1.1 puts the track number at the end of the comment, behind a zero.
    let hasTrack = tag[125] == 0 && tag[126] != 0
    comments.append(
      Metadata.Comment(name: "COMMENT", value: text(tag[97..<(hasTrack ? 125 : 127)])))
    if hasTrack { comments.append(Metadata.Comment(name: "TRACKNUMBER", value: "\(tag[126])")) }
    comments.append(Metadata.Comment(name: "GENRE", value: genre(Int32(tag[127]))))
    return comments.filter { !$0.value.isEmpty }
  }

  /// The name of a genre by its number; empty where it has none.
  private static func genre(_ number: Int32) -> String {
    var genre = ""
    withUnsafeMutablePointer(to: &genre) { target in
      ctag_genre(number, target) { context, name in
        context?.assumingMemoryBound(to: String.self).pointee = String(
          decoding: UnsafeRawBufferPointer(start: name.start, count: name.count), as: UTF8.self)
      }
    }
    return genre
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String {
    var bytes = Array(field.prefix { $0 != 0 })
    while bytes.last == 0x20 { bytes.removeLast() }
    return TagText.string(bytes)
  }
}
