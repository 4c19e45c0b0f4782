internal import AudioContainers
internal import AudioIO
internal import SystemPackage

/// Detects encrypted audio, which libavformat demuxes like any other, so that decoding it gives noise.
enum LibAVEncryption {
  /// The cause of the error for an encrypted track.
  static let reason = "its audio is encrypted (DRM); only a copy without encryption can be decoded"

  /// Throws if the audio is encrypted according to its container's headers.
  ///
  /// - Parameters:
  ///   - number: The audio track, counted from 1.
  ///   - movie: The index of an MP4 file.
  static func check(
    _ input: borrowing InputFile, demuxer: [String], track number: Int?, movie: MP4Index?
  ) throws(AudioFileError) {
    let tracks: [Bool]
    switch demuxer.first {
    // Audible's format, which is always encrypted.
    case "aa": tracks = [true]
    case "matroska": tracks = try MatroskaEncryption.audioTracks(of: input)
    case "asf": tracks = [try ASFHeader.isEncrypted(input)]
    case "oma": tracks = [try isEncryptedOpenMG(input)]
    default: tracks = movie?.soundTracks.map(\.isEncrypted) ?? []
    }
    guard tracks.contains(true) else { return }
    let index = (number ?? 1) - 1
    if !tracks.indices.contains(index) || tracks[index] {
      throw .unsupported(input.path, reason: reason)
    }
  }

  /// Whether the header after the tag names an encryption key: 0xFFFF and 0xFF80 mean none.
  ///
  /// There is no specification; this is what libavformat reads.
  private static func isEncryptedOpenMG(
    _ input: borrowing InputFile
  ) throws(AudioFileError) -> Bool {
    let tag = try input.bytes(at: 0, count: 10)
    var start = 0
    if tag.count == 10, tag.starts(with: Array("ea3".utf8)) {
      // A size of 28 bits, as in ID3v2, excludes the header and the footer.
      let size = tag[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      start = 10 + size + (tag[5] & 0x10 != 0 ? 10 : 0)
    }
    let head = try input.bytes(at: start, count: 8)
    guard head.count == 8, head.starts(with: Array("EA3".utf8)) else { return false }
    return ![0xFFFF, 0xFF80].contains(head[6...].bigEndianValue)
  }
}

/// Encryption in Matroska and WebM.
///
/// Source: RFC 9559 section 5.1.4.1.31 (ContentEncodings).
private enum MatroskaEncryption {
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
  }

  private struct Element {
    let id: UInt64
    let content: Range<Int>
  }

  /// The maximum number of elements to read at one level.
  private static let maximumCount = 1 << 16

  /// Whether each audio track is encrypted, in file order.
  static func audioTracks(of input: borrowing InputFile) throws(AudioFileError) -> [Bool] {
    var tracks: [Bool] = []
    for segment in try elements(input, in: 0..<input.size) where segment.id == ID.segment {
      for list in try elements(input, in: segment.content, until: ID.cluster)
      where list.id == ID.tracks {
        for entry in try elements(input, in: list.content) where entry.id == ID.entry {
          if let isEncrypted = try audio(input, entry) { tracks.append(isEncrypted) }
        }
      }
    }
    return tracks
  }

  /// Whether an audio track is encrypted; `nil` for other tracks.
  private static func audio(
    _ input: borrowing InputFile, _ entry: Element
  ) throws(AudioFileError) -> Bool? {
    var isAudio = false
    var isEncrypted = false
    for part in try elements(input, in: entry.content) {
      if part.id == ID.type { isAudio = try number(input, part) == 2 }
      guard part.id == ID.encodings else { continue }
      for encoding in try elements(input, in: part.content) where encoding.id == ID.encoding {
        for field in try elements(input, in: encoding.content) {
          if field.id == ID.encryption { isEncrypted = true }
          if field.id == ID.encodingType, try number(input, field) == 1 { isEncrypted = true }
        }
      }
    }
    return isAudio ? isEncrypted : nil
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
      // A size of only ones is unknown: the element has the rest.
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
