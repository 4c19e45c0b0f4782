package import AudioModel

/// The names under which tags of other formats stand among the comments.
///
/// Where TagLib's property map has a name, it is that one. It has none for these:
///
/// | name | what it stands for |
/// | --- | --- |
/// | `ENCODER` | ID3v2 TSSE, MP4 `©too`, RIFF `ISFT` |
/// | `COMMENT:description`, `LYRICS:description`, `URL:description` | COMM, USLT, WXXX, the description in its own case |
/// | `RATING:e-mail` (0 to 1), `PLAYCOUNT:e-mail` | POPM, as Quod Libet has them |
/// | `INVOLVEDPEOPLE:role` | roles in TIPL that TagLib has no name for |
/// | `UFID:owner` | UFID, other than MusicBrainz's |
/// | `TRACKTOTAL`, `DISCTOTAL` | what follows the slash in TRCK and TPOS, `trkn` and `disk` |
/// | `ID3:XXXX`, `MP4:xxxx`, `INFO:XXXX` | any other text frame, item or sub-chunk |
/// | `ITUNESADVISORY` and others | items of MP4, as Mp3tag names them |
package enum TagNames {
  /// Names that other programs use, and the name under which it is written.
  private static let synonyms: [String: String] = [
    "YEAR": "DATE", "DESCRIPTION": "COMMENT", "ALBUM ARTIST": "ALBUMARTIST",
    "ALBUM_ARTIST": "ALBUMARTIST", "ORGANIZATION": "LABEL", "UNSYNCEDLYRICS": "LYRICS",
    "UNSYNCED LYRICS": "LYRICS", "TRACK": "TRACKNUMBER", "DISC": "DISCNUMBER",
    "TOTALTRACKS": "TRACKTOTAL", "TOTALDISCS": "DISCTOTAL",
  ]
  private static let totals = [("TRACKNUMBER", "TRACKTOTAL"), ("DISCNUMBER", "DISCTOTAL")]

  /// Puts `3/12` into two comments, as in Vorbis comments.
  static func splitTotals(in comments: inout [Metadata.Comment]) {
    for (number, total) in totals {
      guard let index = comments.firstIndex(where: { $0.name == number }),
        !comments.contains(where: { $0.name.uppercased() == total })
      else { continue }
      let parts = comments[index].value.split(
        separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, Int(parts[1]) != nil else { continue }
      comments[index].value = String(parts[0])
      comments.insert(Metadata.Comment(name: total, value: String(parts[1])), at: index + 1)
    }
  }

  /// The comments under the names that ID3v2, MP4 and RIFF know, totals joined to their numbers, all
  /// values of a field together.
  ///
  /// A name keeps its own where both it and that which it would become are there.
  static func written(_ comments: [Metadata.Comment]) -> [Metadata.Comment] {
    let names = Set(comments.map { $0.name.uppercased() })
    var written = comments
    for index in written.indices {
      if let name = synonyms[written[index].name.uppercased()], !names.contains(name) {
        written[index].name = name
      }
    }
    for (number, total) in totals {
      let numbers = written.indices.filter { written[$0].name.uppercased() == number }
      let sums = written.indices.filter { written[$0].name.uppercased() == total }
      guard numbers.count == 1, sums.count == 1, !written[numbers[0]].value.contains("/"),
        Int(written[sums[0]].value) != nil
      else { continue }
      written[numbers[0]].value += "/" + written[sums[0]].value
      written.remove(at: sums[0])
    }
    // A zero would part one value into two.
    for index in written.indices where written[index].value.utf8.contains(0) {
      written[index].value.unicodeScalars.removeAll { $0 == "\0" }
    }
    return grouped(written).flatMap(\.comments)
  }

  /// The comments of each field, fields in the order in which they are met, names in upper case.
  package static func grouped(
    _ comments: [Metadata.Comment]
  ) -> [(name: String, comments: [Metadata.Comment])] {
    var order: [String] = []
    var groups: [String: [Metadata.Comment]] = [:]
    for comment in comments {
      let name = comment.name.uppercased()
      if groups[name] == nil { order.append(name) }
      groups[name, default: []].append(comment)
    }
    return order.map { ($0, groups[$0] ?? []) }
  }
}
