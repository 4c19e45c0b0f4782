import ScaleAudio

/// A mark, a loop or a track of a disc: what stands at a moment and is no chapter.
struct FactsMoment {
  enum Kind: String, Encodable { case mark, region, loop, track }

  let kind: Kind
  /// In frames.
  let start: Double
  /// In frames; 0 for a point.
  let length: Double
  let label: String

  /// All of a file's, those of a kind together.
  static func all(in metadata: Metadata) -> [FactsMoment] {
    let marks = metadata.marks.map { mark in
      FactsMoment(
        kind: mark.length > 0 ? .region : .mark, start: mark.start, length: mark.length,
        label: mark.label.isEmpty ? mark.note : mark.label)
    }
    let loops = (metadata.instrument?.loops ?? []).map {
      FactsMoment(kind: .loop, start: $0.start, length: $0.end - $0.start, label: "")
    }
    // The last track of a cue sheet is the lead-out.
    let tracks = (metadata.cueSheet?.tracks.dropLast() ?? []).map {
      FactsMoment(kind: .track, start: $0.offset, length: 0, label: "\($0.number)")
    }
    return marks + loops + tracks
  }
}
