internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// Tracks that are scaled as one stream and cut at frames of the output.
final class GaplessAlbum: Sendable {
  /// One file of an album.
  struct Track: Hashable, Sendable {
    let input: ConversionInput
    /// The description of the file, without its tags.
    private(set) var source: SourceDescription

    init(_ input: ConversionInput, _ source: SourceDescription) {
      (self.input, self.source) = (input, source)
      self.source.metadata = Metadata()
    }
  }

  let tracks: [Track]
  /// The frames before each track, and after the last those of the album.
  let starts: [Int]
  /// A text that equals that of an album of the same files, in the same state.
  let digest: String
  /// The policy by which the files are opened.
  private let files: FilePolicy
  private let audioTrack: Int?
  /// The scaled frames after those of the track that was scaled last, for the next track; `nil` for none.
  private let kept = Locked<(any AnyObject & Sendable)?>(nil)

  /// An album of tracks that have the same rate and channels, and fit into the range of `Int`.
  init(_ tracks: [Track], digest: String, files: FilePolicy, audioTrack: Int?) {
    (self.tracks, self.digest, self.files) = (tracks, digest, files)
    self.audioTrack = audioTrack
    starts = tracks.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.source.frameCount) }
  }

  /// A reader of one track at its first frame.
  func open(_ index: Int) throws(AudioFileError) -> any FrameStream {
    let input = try tracks[index].input.opened(
      Cancellation(), raw: files.raw, tagEncoding: files.tagEncoding, beneath: files.inputRoots)
    return try AudioFile.reader(for: input, salvaging: files.salvages, track: audioTrack)
  }

  /// Takes what was kept; `nil` if nothing was.
  func takeKept() -> (any AnyObject & Sendable)? {
    kept.withLock { kept in
      defer { kept = nil }
      return kept
    }
  }

  /// Keeps scaled frames for the next track.
  func keep(_ frames: any AnyObject & Sendable) { kept.withLock { $0 = frames } }
}

/// The place of a track in an album that is scaled as one stream.
struct GaplessPlace: Hashable, Sendable {
  let album: GaplessAlbum
  /// The track, from 0.
  let index: Int

  /// The frames of the album that are the track.
  var frames: Range<Int> { album.starts[index]..<album.starts[index + 1] }
  /// Frames of the album.
  var albumFrames: Int { album.starts[album.tracks.count] }
  var isLast: Bool { index == album.tracks.count - 1 }
  /// The track after this one; `nil` for the last.
  var next: GaplessAlbum.Track? { isLast ? nil : album.tracks[index + 1] }

  /// True if an error concerns another track of the album.
  func isOfNeighbor(_ error: ConversionError) -> Bool {
    guard let path = error.path else { return false }
    return album.tracks.indices.contains {
      $0 != index && album.tracks[$0].input.path == path
    }
  }

  static func == (one: GaplessPlace, other: GaplessPlace) -> Bool {
    one.album === other.album && one.index == other.index
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(album.digest)
    hasher.combine(index)
  }
}

/// The frames of a scaled album that are one of its tracks.
struct GaplessCut {
  let place: GaplessPlace
  /// Frames of the output before the track.
  let framesBefore: Int
  /// The length of the whole album.
  let whole: OutputLength
}

extension ConversionPlan {
  /// The plan of the whole album, for a track of one.
  func whole(of cut: GaplessCut) -> ConversionPlan {
    var plan = self
    plan.inputFrames = cut.place.albumFrames
    plan.scaledFrames = cut.whole.scaledFrames
    plan.output.frameCount = cut.whole.outputFrames
    plan.cut = nil
    return plan
  }
}

/// The frames of all tracks of an album, one after another.
final class JoinedStream: FrameStream {
  let source: SourceDescription
  let seeking: Seeking = .direct
  let album: GaplessAlbum
  private var reader: (any FrameStream)?
  private var index = 0
  /// The results of each track that was read to its end, or to a seek.
  private let results: Locked<[Int: Result]>

  /// The findings of reading one track.
  struct Result: Sendable {
    var clipping = Clipping()
    var nonFiniteSamples = 0
    /// True when it was read to its end, which finds all damage.
    var hasEnded = false
  }

  /// The tracks of an album, described like the one with `source`.
  init(_ album: GaplessAlbum, like source: SourceDescription) {
    self.album = album
    var source = source
    source.frameCount = album.starts[album.tracks.count]
    source.metadata = Metadata()
    self.source = source
    results = Locked([:])
  }

  /// The findings of reading a track so far. Any thread may ask.
  func result(ofTrack index: Int) -> Result { results.withLock { $0[index] ?? Result() } }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    while index < album.tracks.count {
      let reader: any FrameStream
      if let open = self.reader { reader = open } else { reader = try album.open(index) }
      self.reader = reader
      let frames = try reader.read(into: buffer)
      record(reader, hasEnded: frames == 0)
      if frames > 0 { return frames }
      self.reader = nil
      index += 1
    }
    return 0
  }

  func seek(toFrame frame: Int) throws(AudioFileError) {
    let target = max(0, (album.starts.lastIndex { $0 <= frame } ?? 0))
    if target >= album.tracks.count {
      (index, reader) = (album.tracks.count, nil)
      return
    }
    if target != index || reader == nil {
      (index, reader) = (target, try album.open(target))
    }
    try reader?.seek(toFrame: frame - album.starts[target])
  }

  private func record(_ reader: any FrameStream, hasEnded: Bool) {
    let result = Result(
      clipping: reader.clipping, nonFiniteSamples: reader.nonFiniteSamples, hasEnded: hasEnded)
    results.withLock { $0[index] = result }
  }
}
