package import AudioIO

/// The audio tracks of Matroska and WebM: their encryption, and the names of their codecs.
///
/// Source: RFC 9559 sections 5.1.4.1.31 (ContentEncodings) and 5.1.4.1.21 (CodecID).
package enum MatroskaTracks {
  private enum ID {
    static let segment: UInt64 = 0x1853_8067
    static let tracks: UInt64 = 0x1654_AE6B
    static let cluster: UInt64 = 0x1F43_B675
    static let entry: UInt64 = 0xAE
    static let type: UInt64 = 0x83
    static let encodings: UInt64 = 0x6D80
    static let encoding: UInt64 = 0x6240
    static let encodingType: UInt64 = 0x5033
    static let encryption: UInt64 = 0x5035
    static let codec: UInt64 = 0x86
  }

  private struct Element {
    let id: UInt64
    let content: Range<Int>
  }

  /// The maximum number of elements to read at one level.
  private static let maximumCount = 1 << 16

  /// Whether each audio track is encrypted, in file order.
  package static func encryptions(of input: borrowing InputFile) throws(AudioFileError) -> [Bool] {
    try audioTracks(of: input).map(\.isEncrypted)
  }

  /// The codecs whose identifiers FFmpeg's libraries do not know.
  private static let names = [
    "A_AC4": "AC-4", "A_MPEGH": "MPEG-H 3D Audio", "A_DTS/X": "DTS:X", "A_ATRAC/AT1": "ATRAC1",
  ]

  /// The name of the first audio track's codec, or its identifier.
  package static func unknownCodec(of input: borrowing InputFile) throws(AudioFileError) -> String?
  {
    guard let id = try audioTracks(of: input).first?.codec, !id.isEmpty else { return nil }
    return names[id] ?? "`\(id)`"
  }

  /// An audio track.
  private struct AudioTrack {
    var isEncrypted = false
    var codec = ""
  }

  /// The audio tracks, in file order.
  private static func audioTracks(
    of input: borrowing InputFile
  ) throws(AudioFileError) -> [AudioTrack] {
    var tracks: [AudioTrack] = []
    for segment in try elements(input, in: 0..<input.size) where segment.id == ID.segment {
      for list in try elements(input, in: segment.content, until: ID.cluster)
      where list.id == ID.tracks {
        for entry in try elements(input, in: list.content) where entry.id == ID.entry {
          if let track = try audio(input, entry) { tracks.append(track) }
        }
      }
    }
    return tracks
  }

  /// An audio track; `nil` for other tracks.
  private static func audio(
    _ input: borrowing InputFile, _ entry: Element
  ) throws(AudioFileError) -> AudioTrack? {
    var isAudio = false
    var track = AudioTrack()
    for part in try elements(input, in: entry.content) {
      if part.id == ID.type { isAudio = try number(input, part) == 2 }
      if part.id == ID.codec {
        let text = try input.bytes(at: part.content.lowerBound, count: min(64, part.content.count))
        track.codec = String(decoding: text.prefix { (0x20..<0x7F).contains($0) }, as: UTF8.self)
      }
      guard part.id == ID.encodings else { continue }
      for encoding in try elements(input, in: part.content) where encoding.id == ID.encoding {
        for field in try elements(input, in: encoding.content) {
          if field.id == ID.encryption { track.isEncrypted = true }
          if field.id == ID.encodingType, try number(input, field) == 1 { track.isEncrypted = true }
        }
      }
    }
    return isAudio ? track : nil
  }

  private static func number(
    _ input: borrowing InputFile, _ element: Element
  ) throws(AudioFileError) -> UInt64 {
    try input.bytes(at: element.content.lowerBound, count: min(8, element.content.count))
      .bigEndianValue
  }

  /// The elements of a range, up to the first with the id `last`.
  private static func elements(
    _ input: borrowing InputFile, in range: Range<Int>, until last: UInt64? = nil
  ) throws(AudioFileError) -> [Element] {
    var elements: [Element] = []
    var offset = range.lowerBound
    while elements.count < maximumCount, offset < range.upperBound {
      let head = try input.bytes(at: offset, count: 12)
      guard let first = head.first, first != 0 else { break }
      let idCount = first.leadingZeroBitCount + 1
      guard idCount <= 4, head.count > idCount, head[idCount] != 0 else { break }
      let sizeCount = head[idCount].leadingZeroBitCount + 1
      guard head.count >= idCount + sizeCount else { break }
      let mask = UInt64(1) << UInt64(7 * sizeCount) - 1
      let size = mask & head[idCount..<idCount + sizeCount].bigEndianValue
      let start = min(offset + idCount + sizeCount, range.upperBound)
      // A size of only ones is unknown: the element extends to the end.
      let count = size == mask ? Int.max : Int(exactly: size) ?? Int.max
      let end = count < range.upperBound - start ? start + count : range.upperBound
      let id = head[..<idCount].bigEndianValue
      if id == last { break }
      elements.append(Element(id: id, content: start..<end))
      offset = end
    }
    return elements
  }
}
