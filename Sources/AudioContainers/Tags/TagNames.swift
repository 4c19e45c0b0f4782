package import AudioModel

/// The comment names of tags in other formats.
///
/// These are the names of TagLib's property map, and for tags without one:
///
/// | name | tag |
/// | --- | --- |
/// | `ENCODER` | ID3v2 TSSE, MP4 `©too`, RIFF `ISFT` |
/// | `COMMENT:description`, `LYRICS:description`, `URL:description` | COMM, USLT, WXXX, the description keeps its case |
/// | `RATING:e-mail` (0 to 1), `PLAYCOUNT:e-mail` | POPM, as in Quod Libet |
/// | `INVOLVEDPEOPLE:role` | roles in TIPL without a name in TagLib |
/// | `UFID:owner` | UFID, except MusicBrainz's |
/// | `TRACKTOTAL`, `DISCTOTAL` | the part after the slash in TRCK, TPOS, `trkn`, and `disk` |
/// | `ID3:XXXX`, `MP4:xxxx`, `INFO:XXXX` | any other text frame, item, or sub-chunk |
/// | `ITUNESADVISORY` and others | MP4 items, as named by Mp3tag |
package enum TagNames {
  /// Names that other programs use, and the names to write instead.
  private static let synonyms: [String: String] = [
    "YEAR": "DATE", "DESCRIPTION": "COMMENT", "ALBUM ARTIST": "ALBUMARTIST",
    "ALBUM_ARTIST": "ALBUMARTIST", "ORGANIZATION": "LABEL", "UNSYNCEDLYRICS": "LYRICS",
    "UNSYNCED LYRICS": "LYRICS", "TRACK": "TRACKNUMBER", "DISC": "DISCNUMBER",
    "TOTALTRACKS": "TRACKTOTAL", "TOTALDISCS": "DISCTOTAL",
  ]
  private static let totals = [("TRACKNUMBER", "TRACKTOTAL"), ("DISCNUMBER", "DISCTOTAL")]

  /// Splits `3/12` into two comments, as in Vorbis comments.
  static func splitTotals(in comments: inout [Metadata.Comment]) {
    for (number, total) in totals {
      guard let index = comments.firstIndex(where: { $0.name == number }),
        !comments.contains(where: { $0.name.uppercased() == total })
      else { continue }
      let parts = comments[index].value.split(
        separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, Int(parts[1]) != nil else { continue }
      comments[index].value = String(parts[0])
      var sum = Metadata.Comment(name: total, value: String(parts[1]))
      sum.item = comments[index].item
      comments.insert(sum, at: index + 1)
    }
  }

  /// The comments under the names of ID3v2, MP4, and RIFF, with totals joined to their numbers, and the values
  /// of each field together.
  ///
  /// A synonym keeps its name if there is already a comment with the standard name. A comment from an item of this kind
  /// of tag stays what it is.
  static func written(
    _ comments: [Metadata.Comment], items: Metadata.Comment.Item.Kind
  ) -> [Metadata.Comment] {
    let names = Set(comments.map { $0.name.uppercased() })
    var written = comments
    for index in written.indices where !written[index].isItem(of: items) {
      if let name = synonyms[written[index].name.uppercased()], !names.contains(name) {
        written[index].name = name
      }
    }
    for (number, total) in totals {
      let numbers = written.indices.filter { written[$0].name.uppercased() == number }
      // A total in an item of its own stays there.
      let item = numbers.first.map { written[$0].isItem(of: items) ? written[$0].item : nil }
      let sums = written.indices.filter {
        written[$0].name.uppercased() == total
          && (written[$0].isItem(of: items) ? written[$0].item : nil) == item
      }
      guard numbers.count == 1, sums.count == 1, !written[numbers[0]].value.contains("/"),
        Int(written[sums[0]].value) != nil
      else { continue }
      written[numbers[0]].value += "/" + written[sums[0]].value
      written.remove(at: sums[0])
    }
    // A zero would split one value into two.
    for index in written.indices where written[index].value.utf8.contains(0) {
      written[index].value.unicodeScalars.removeAll { $0 == "\0" }
    }
    return grouped(written).flatMap(\.comments)
  }

  /// The comments grouped by upper-case name, in order of first occurrence.
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
