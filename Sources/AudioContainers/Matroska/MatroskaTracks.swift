package import AudioIO

/// The audio tracks of Matroska and WebM: their encryption, their delays, and the names of their codecs.
///
/// Source: RFC 9559 sections 5.1.4.1.31 (ContentEncodings), 5.1.4.1.21 (CodecID), and 5.1.4.1.26 (CodecDelay).
package enum MatroskaTracks {
  private typealias ID = MatroskaElement.ID
  private typealias Element = MatroskaElement.Part

  /// Returns for each audio track, in file order, true if it is encrypted.
  package static func encryptions(of input: borrowing InputFile) throws(AudioFileError) -> [Bool] {
    try audioTracks(of: input).map(\.isEncrypted)
  }

  /// The encoder delay of each audio track, in nanoseconds, in file order.
  package static func codecDelays(of input: borrowing InputFile) throws(AudioFileError) -> [UInt64]
  {
    try audioTracks(of: input).map(\.codecDelay)
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
    var codecDelay: UInt64 = 0
  }

  /// The numbers of all tracks, as blocks state them.
  static func numbers(of input: borrowing InputFile) throws(AudioFileError) -> Set<UInt64> {
    var numbers: Set<UInt64> = []
    for entry in try entries(of: input) {
      for part in try MatroskaElement.parts(input, in: entry.content) where part.id == ID.number {
        numbers.insert(try part.number(in: input))
      }
    }
    return numbers
  }

  /// The audio tracks, in file order.
  private static func audioTracks(
    of input: borrowing InputFile
  ) throws(AudioFileError) -> [AudioTrack] {
    var tracks: [AudioTrack] = []
    for entry in try entries(of: input) {
      if let track = try audio(input, entry) { tracks.append(track) }
    }
    return tracks
  }

  /// The descriptions of all tracks.
  private static func entries(of input: borrowing InputFile) throws(AudioFileError) -> [Element] {
    var entries: [Element] = []
    for segment in try MatroskaElement.parts(input, in: 0..<input.size)
    where segment.id == ID.segment {
      for list in try MatroskaElement.parts(input, in: segment.content, until: ID.cluster)
      where list.id == ID.tracks {
        entries += try MatroskaElement.parts(input, in: list.content).filter { $0.id == ID.entry }
      }
    }
    return entries
  }

  /// An audio track; `nil` for other tracks.
  private static func audio(
    _ input: borrowing InputFile, _ entry: Element
  ) throws(AudioFileError) -> AudioTrack? {
    var isAudio = false
    var track = AudioTrack()
    for part in try MatroskaElement.parts(input, in: entry.content) {
      if part.id == ID.type { isAudio = try part.number(in: input) == 2 }
      if part.id == ID.codecDelay { track.codecDelay = try part.number(in: input) }
      if part.id == ID.codec {
        let text = try input.bytes(at: part.content.lowerBound, count: min(64, part.content.count))
        track.codec = String(decoding: text.prefix { (0x20..<0x7F).contains($0) }, as: UTF8.self)
      }
      guard part.id == ID.encodings else { continue }
      for encoding in try MatroskaElement.parts(input, in: part.content)
      where encoding.id == ID.encoding {
        for field in try MatroskaElement.parts(input, in: encoding.content) {
          if field.id == ID.encryption { track.isEncrypted = true }
          if field.id == ID.encodingType, try field.number(in: input) == 1 {
            track.isEncrypted = true
          }
        }
      }
    }
    return isAudio ? track : nil
  }
}
