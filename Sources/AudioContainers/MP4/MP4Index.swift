package import AudioIO
internal import SystemPackage

/// The timing of the tracks of an MP4 or QuickTime file, which libavformat does not expose.
///
/// Source: ISO/IEC 14496-12, sections 8.2 (movie), 8.4 (media), 8.6 (edit list, time to sample) and
/// 8.8 (fragments).
package struct MP4Index {
  /// Units per second of durations in edit lists.
  package private(set) var timescale = 0
  /// The tracks by track ID.
  package private(set) var tracks: [Int: MP4IndexTrack] = [:]
  /// The IDs of the tracks, in file order.
  private var trackIDs: [Int] = []
  /// The tracks with sound, in file order.
  package var soundTracks: [MP4IndexTrack] {
    trackIDs.compactMap { tracks[$0] }.filter(\.isSound)
  }
  /// True if the file has a movie box.
  package private(set) var hasMovie = false
  /// True if the movie, or media data that the sound needs, extends past the end of the file.
  package private(set) var isTruncated = false
  /// Warnings about media data that extends past the end of the file although all audio packets are present.
  package private(set) var warnings: [String] = []
  /// The default duration of samples in fragments, by track ID.
  private var defaultDurations: [Int: Int] = [:]
  /// The default size of samples in fragments, by track ID.
  private var defaultSizes: [Int: Int] = [:]
  /// The duration of a fragmented movie, in units of the movie; 0 if it is not declared.
  package private(set) var fragmentedDuration = 0
  /// The offset of the last fragment.
  private var lastFragment = 0

  package init(_ input: borrowing InputFile) throws(AudioFileError) {
    var movie = MP4Index()
    var missing = 0
    var segments: MP4SegmentIndex?
    try MP4Box.forEach(input, in: 0..<input.size) { (input, box) throws(AudioFileError) in
      // Data after the last box need not be a box, such as tags of other formats.
      if box.declaredEnd > input.size {
        if box.type == "mdat" { missing = box.declaredEnd - input.size }
        if ["moof", "moov"].contains(box.type) { movie.isTruncated = true }
      }
      switch box.type {
      case "moov": try movie.takeMovie(input, box)
      case "moof":
        movie.lastFragment = box.offset
        try movie.takeFragment(input, box)
      case "sidx" where segments == nil: segments = try MP4SegmentIndex(input, box)
      default: break
      }
    }
    // Some programs write the duration of the movie in the units of a track; an index of all segments has its own
    // units.
    if let segments, segments.end > movie.lastFragment, movie.lastFragment > 0,
      let duration = Int(exactly: (segments.seconds * Double(movie.timescale)).rounded())
    {
      movie.fragmentedDuration = duration
    }
    if missing > 0 {
      let tracks = movie.soundTracks
      var isWhole = !tracks.isEmpty
      for track in tracks {
        guard let end = try track.places.end(input), end <= input.size else {
          isWhole = false
          break
        }
      }
      if isWhole {
        movie.warnings.append(
          "\(missing) bytes of its media data are missing; its audio is complete")
      } else {
        movie.isTruncated = true
      }
    }
    self = movie
  }

  private init() {}

  private mutating func takeMovie(
    _ input: borrowing InputFile, _ movie: MP4Box
  ) throws(AudioFileError) {
    hasMovie = true
    var found = self
    try MP4Box.forEach(input, in: movie.content) { (input, box) throws(AudioFileError) in
      switch box.type {
      case "mvhd":
        let fields = try box.fields(input)
        found.timescale = fields.int32(at: fields.version == 1 ? 20 : 12) ?? 0
      case "trak":
        let track = try MP4IndexTrack(input, box)
        if found.tracks.updateValue(track, forKey: track.id) == nil {
          found.trackIDs.append(track.id)
        }
      case "mvex":
        try MP4Box.forEach(input, in: box.content) { (input, box) throws(AudioFileError) in
          let fields = try box.fields(input)
          if box.type == "mehd" { found.fragmentedDuration = fields.duration(at: 4, 4) }
          guard box.type == "trex" else { return }
          if let id = fields.int32(at: 4) {
            found.defaultDurations[id] = fields.int32(at: 12)
            found.defaultSizes[id] = fields.int32(at: 16)
          }
        }
      default: break
      }
    }
    self = found
  }

  private mutating func takeFragment(
    _ input: borrowing InputFile, _ fragment: MP4Box
  ) throws(AudioFileError) {
    // Moved rather than copied, because the data of all earlier fragments may be large.
    var found = MP4Index()
    swap(&self, &found)
    defer { swap(&self, &found) }
    try MP4Box.forEach(input, in: fragment.content) { (input, box) throws(AudioFileError) in
      guard box.type == "traf" else { return }
      var id = 0
      var duration = 0
      var run = MP4PacketPlaces.Run(start: fragment.offset, size: 0)
      try MP4Box.forEach(input, in: box.content) { (input, box) throws(AudioFileError) in
        if box.type == "tfhd" {
          let fields = try box.fields(input)
          id = fields.int32(at: 4) ?? 0
          duration = Self.duration(fields) ?? found.defaultDurations[id] ?? 0
          run = MP4PacketPlaces.Run(
            header: fields, fragment: fragment.offset, defaultSize: found.defaultSizes[id] ?? 0)
        } else if box.type == "trun", found.tracks[id] != nil {
          found.tracks[id]?.isFragmented = true
          try found.tracks[id]?.samples.appendRun(input, box, defaultDuration: duration)
          try found.tracks[id]?.places.append(&run, input, box)
        }
      }
    }
  }

  /// The default duration in a track fragment header; `nil` if there is none.
  private static func duration(_ header: ByteReader) -> Int? {
    guard let flags = header.int32(at: 0), flags & 8 != 0 else { return nil }
    // The optional base data offset and sample description index precede it.
    return header.int32(at: 8 + (flags & 1 != 0 ? 8 : 0) + (flags & 2 != 0 ? 4 : 0))
  }
}

/// The segments that follow a segment index box.
///
/// Source: ISO/IEC 14496-12 section 8.16.3.
private struct MP4SegmentIndex {
  /// The duration of all segments.
  let seconds: Double
  /// The end of the last segment in the file.
  let end: Int

  /// The content of a box; `nil` if it is not plausible.
  init?(_ input: borrowing InputFile, _ box: MP4Box) throws(AudioFileError) {
    let fields = try box.fields(input, count: box.content.count)
    let isLong = fields.version == 1
    let list = isLong ? 28 : 20
    guard let timescale = fields.int32(at: 8), timescale > 0,
      let start = isLong ? fields.uint64(at: 20) : fields.uint32(at: 16).map(UInt64.init),
      let count = fields.int16(at: list + 2), let offset = Int(exactly: start)
    else { return nil }
    var size = 0
    var duration = 0.0
    for index in 0..<count {
      guard let bytes = fields.uint32(at: list + 4 + 12 * index),
        let units = fields.uint32(at: list + 8 + 12 * index)
      else { return nil }
      // The highest bit marks a segment that is another index.
      size += Int(bytes & 0x7FFF_FFFF)
      duration += Double(units)
    }
    let (end, overflows) = (box.declaredEnd + size).addingReportingOverflow(offset)
    if overflows { return nil }
    self.end = end
    seconds = duration / Double(timescale)
  }
}
