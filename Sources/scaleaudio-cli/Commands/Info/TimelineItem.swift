import ScaleAudio

/// A mark, region, loop or disc track: everything with a position except chapters.
struct TimelineItem {
  enum Kind: String, Encodable { case mark, region, loop, track }

  let kind: Kind
  /// In frames.
  let start: Double
  /// In frames; 0 for a point.
  let length: Double
  let label: String

  /// All items of a file, grouped by kind.
  static func all(in metadata: Metadata) -> [TimelineItem] {
    let marks = metadata.marks.map { mark in
      TimelineItem(
        kind: mark.length > 0 ? .region : .mark, start: mark.start, length: mark.length,
        label: mark.label.isEmpty ? mark.note : mark.label)
    }
    let loops = (metadata.instrument?.loops ?? []).filter { $0.mode != .off }.map {
      TimelineItem(kind: .loop, start: $0.start, length: $0.end - $0.start, label: "")
    }
    // The last track of a cue sheet is the lead-out.
    let tracks = (metadata.cueSheet?.tracks.dropLast() ?? []).map {
      TimelineItem(kind: .track, start: $0.offset, length: 0, label: "\($0.number)")
    }
    return marks + loops + tracks
  }
}
