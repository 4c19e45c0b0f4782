package import AudioIO
internal import SystemPackage

/// The boxes of an MP4 or QuickTime file, from one walk: the timing of its tracks, which libavformat does not expose,
/// and where its packets and its metadata are.
///
/// Source: ISO/IEC 14496-12, sections 8.2 (movie), 8.4 (media), 8.6 (edit list, time to sample), 8.8 (fragments) and
/// 8.10 (user data).
package struct MP4Index {
  /// Units per second of durations in edit lists.
  package private(set) var timescale = 0
  /// The duration of the movie, in its units; 0 if it is unknown.
  private(set) var duration = 0
  /// When the recording was made, in seconds since 1904, of 32 bits; 0 if it is unknown.
  private(set) var creationTime = 0
  /// The places of the movie's own metadata.
  private(set) var metadata = MP4MetadataPlaces()
  /// The contents of boxes of users (`uuid`), of the file and then of the movie.
  var userBoxes: [Range<Int>] { userBoxesOfFile + userBoxesOfMovie }
  private var userBoxesOfFile: [Range<Int>] = []
  private var userBoxesOfMovie: [Range<Int>] = []
  /// The IDs of the tracks whose samples are chapters.
  private(set) var chapterTracks: [Int] = []
  /// The tracks by track ID.
  package private(set) var tracks: [Int: MP4IndexTrack] = [:]
  /// The IDs of the tracks, in file order.
  private var trackIDs: [Int] = []
  /// The tracks in file order.
  var tracksInOrder: [MP4IndexTrack] { trackIDs.compactMap { tracks[$0] } }
  /// The tracks with sound, in file order.
  package var soundTracks: [MP4IndexTrack] { tracksInOrder.filter(\.isSound) }
  /// True if the file has a movie box.
  package private(set) var hasMovie = false
  /// Why a track cannot be read; `nil` if nothing is known.
  package private(set) var damage: String?
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

  /// Walks the boxes of a file from `start` on.
  package init(_ input: borrowing InputFile, from start: Int = 0) throws(AudioFileError) {
    var movie = MP4Index()
    var (missing, hasMedia) = (0, false)
    var segments: MP4SegmentIndex?
    try MP4Box.forEach(input, in: start..<input.size) { (input, box) throws(AudioFileError) in
      // Data after the last box need not be a box, such as tags of other formats.
      if box.declaredEnd > input.size {
        if box.type == "mdat" { missing = box.declaredEnd - input.size }
        if ["moof", "moov"].contains(box.type) { movie.isTruncated = true }
      }
      switch box.type {
      case "mdat": hasMedia = true
      case "moov": try movie.takeMovie(input, box)
      case "moof":
        movie.lastFragment = box.offset
        try movie.takeFragment(input, box)
      case "sidx" where segments == nil: segments = try MP4SegmentIndex(input, box)
      case "uuid": movie.userBoxesOfFile.append(box, upTo: MP4MetadataPlaces.maximumCount)
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
    if !hasMedia {
      for track in movie.soundTracks {
        if let end = try track.places.end(input), end > input.size { movie.isTruncated = true }
      }
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

  /// Walks the boxes of a file from `start` on; `nil` if other content is there.
  package init?(_ input: borrowing InputFile, ifAt start: Int) throws(AudioFileError) {
    let type = ByteReader(bigEndian: try input.bytes(at: start, count: 16)).type(at: 4)
    guard let type, ["ftyp", "moov", "mdat", "free", "wide", "skip"].contains(type) else {
      return nil
    }
    try self.init(input, from: start)
  }

  private init() {}

  private mutating func takeMovie(
    _ input: borrowing InputFile, _ movie: MP4Box
  ) throws(AudioFileError) {
    // The metadata of the first movie counts.
    let isFirst = !hasMovie
    hasMovie = true
    var found = self
    try MP4Box.forEach(input, in: movie.content) { (input, box) throws(AudioFileError) in
      switch box.type {
      case "mvhd":
        let fields = try box.fields(input)
        found.timescale = fields.int32(at: fields.version == 1 ? 20 : 12) ?? 0
        found.duration = fields.duration(at: 16, 24)
        if isFirst {
          let time = fields.number(at: 4, count: fields.version == 1 ? 8 : 4) ?? 0
          found.creationTime = UInt32(exactly: time).map { Int($0) } ?? 0
        }
      case "udta" where isFirst:
        found.metadata.take(box, in: "moov")
        try MP4Box.forEach(input, in: box.content) { (_, inner) throws(AudioFileError) in
          found.metadata.take(inner, in: "udta")
        }
      case "meta" where isFirst: found.metadata.take(box, in: "moov")
      case "uuid" where isFirst:
        found.userBoxesOfMovie.append(box, upTo: MP4MetadataPlaces.maximumCount)
      case "trak":
        let track = try MP4IndexTrack(input, box)
        found.damage = found.damage ?? track.damage
        if !track.chapterTracks.isEmpty { found.chapterTracks = track.chapterTracks }
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
          if found.chapterTracks.contains(id) {
            try found.tracks[id]?.places.keep(run, input, box, defaultDuration: duration)
          }
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

/// The places of the metadata of a movie or a track, as the contents of boxes.
struct MP4MetadataPlaces {
  /// User data (`udta`).
  private(set) var userData: [Range<Int>] = []
  /// Items or keys (`meta`): in user data, then beside it.
  var meta: [Range<Int>] { metaInUserData + metaBeside }
  private var metaInUserData: [Range<Int>] = []
  private var metaBeside: [Range<Int>] = []
  /// Lists of chapters in the user data: Nero's `chpl` and GoPro's `HMMT`.
  private(set) var chapterLists: [MP4Box] = []

  /// The maximum number of boxes of one kind.
  static let maximumCount = 64

  /// Takes a box in a parent: `moov`, `trak` or `udta`.
  mutating func take(_ box: MP4Box, in parent: String) {
    switch (parent, box.type) {
    case ("udta", "meta"): metaInUserData.append(box, upTo: Self.maximumCount)
    case (_, "meta"): metaBeside.append(box, upTo: Self.maximumCount)
    case ("udta", "chpl"), ("udta", "HMMT"):
      if chapterLists.count < Self.maximumCount { chapterLists.append(box) }
    case (_, "udta"): userData.append(box, upTo: Self.maximumCount)
    default: break
    }
  }
}

extension [Range<Int>] {
  fileprivate mutating func append(_ box: MP4Box, upTo maximumCount: Int) {
    if count < maximumCount { append(box.content) }
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
