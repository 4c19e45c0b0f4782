internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import SystemPackage
internal import TimeScaling

/// The files of a folder that are scaled as one stream.
public enum GaplessTracks: String, Hashable, Sendable {
  /// Files with consecutive numbers in their names whose sound continues from one to the next, and that are an album by
  /// their tags, or by their names and lengths.
  case found
  /// All files of a folder, in the order of their names, with numbers by their values.
  case all
  /// None.
  case none
}

/// Finds the tracks of a batch that are scaled as one stream.
struct GaplessSearch {
  private let tracks: GaplessTracks
  private let cancellation: Cancellation

  /// A folder with more files is no album.
  private static let mostFiles = 200

  init(_ request: BatchRequest, _ cancellation: Cancellation) {
    (tracks, self.cancellation) = (request.gapless, cancellation)
  }

  private struct Key: Hashable {
    let folder: FilePath
    let settings: ConversionSettings
  }

  /// Gives the jobs that follow each other without a gap their places in albums.
  func assign(in jobs: inout [ConversionJob]) {
    if tracks == .none { return }
    var groups: [Key: [Int]] = [:]
    for index in jobs.indices where jobs[index].refusal == nil && !jobs[index].isMissing {
      let job = jobs[index]
      guard !job.isOfOutput, case .file(let path) = job.work.input, job.inputBytes > 0,
        job.work.settings.canBeGapless
      else { continue }
      var settings = job.work.settings
      settings.format = nil
      groups[Key(folder: path.folder, settings: settings), default: []].append(index)
    }
    for members in groups.values {
      for album in albums(members, of: jobs) where album.count > 1 {
        if tracks == .found, album.count > Self.mostFiles { continue }
        assign(album, in: &jobs)
      }
    }
  }

  /// The files of a folder; where some have the same name but for the extension, those of each extension apart.
  private func albums(_ members: [Int], of jobs: [ConversionJob]) -> [[Int]] {
    let stems = Set(members.map { FileName(jobs[$0].work.input.path).stem })
    if stems.count == members.count { return [members] }
    return Array(
      Dictionary(grouping: members) { jobs[$0].work.input.path.extension?.lowercased() ?? "" }
        .values)
  }

  private func assign(_ members: [Int], in jobs: inout [ConversionJob]) {
    let names = members.map { FileName(jobs[$0].work.input.path).stem }
    let order = members.indices.sorted { TrackName.precedes(names[$0], names[$1]) }
    var found: [(job: Int, source: SourceDescription)] = []
    var last: (name: [UInt8], end: TrackEnd)?
    for member in order {
      if cancellation.isCancelled { return }
      let (job, name) = (members[member], names[member])
      let isCandidate = tracks == .all || isNumbered(name, among: names)
      let end =
        isCandidate ? TrackEnd(jobs[job].work, listens: tracks == .found, cancellation) : nil
      if end == nil, tracks == .all {
        jobs[job].work.gaplessNote =
          "not joined to the tracks beside it: its exact length is not known"
      }
      var follows = false
      if let last, let end {
        if tracks == .found {
          follows =
            TrackName.follows(name, last.name) && end.fits(last.end) == nil
            && end.isOfAlbum(of: last.end, TrackName.countsTracks(name, after: last.name))
            && Joint.isContinuous(before: last.end.ends, after: end.starts)
        } else if let reason = end.fits(last.end) {
          jobs[job].work.gaplessNote =
            "not joined to \(last.end.path.printable): \(reason)"
        } else {
          follows = true
        }
      }
      if !follows {
        join(found, in: &jobs)
        found = []
      }
      if let end { found.append((job, end.source)) }
      last = end.map { (name, $0) }
    }
    join(found, in: &jobs)
  }

  /// True if a name comes just before or after another in number, so that its file is worth opening.
  private func isNumbered(_ name: [UInt8], among names: [[UInt8]]) -> Bool {
    names.contains { TrackName.follows(name, $0) || TrackName.follows($0, name) }
  }

  private func join(
    _ found: [(job: Int, source: SourceDescription)], in jobs: inout [ConversionJob]
  ) {
    guard found.count > 1, let first = found.first else { return }
    let work = jobs[first.job].work
    let total = found.reduce((0, false)) { total, one in
      let sum = total.0.addingReportingOverflow(one.source.frameCount)
      return (sum.partialValue, total.1 || sum.overflow)
    }
    if total.1 { return }
    let album = GaplessAlbum(
      found.map { .init(jobs[$0.job].work.input, $0.source) },
      digest: AlbumRun.digest(of: found.map { jobs[$0.job].work.input.path }),
      files: work.files, audioTrack: work.settings.track)
    for (index, one) in found.enumerated() {
      jobs[one.job].work.gapless = GaplessPlace(album: album, index: index)
      jobs[one.job].work.settings.gapless = "\(index + 1)/\(found.count):\(album.digest)"
    }
  }
}

extension Conversion {
  /// True if this is the track after another one of the same album.
  func continues(_ previous: Conversion) -> Bool {
    guard let place = gapless, let other = previous.gapless else { return false }
    return place.album === other.album && place.index == other.index + 1
  }
}

extension ConversionSettings {
  /// True if tracks can be scaled as one stream: all of each is scaled by one factor, or its pitch changes.
  fileprivate var canBeGapless: Bool {
    guard part == nil, only.isEmpty else { return false }
    switch time {
    case .factor(let factor), .speed(let factor), .tempo(let factor):
      return factor.value != 1 || method.semitones != 0 || sampleRate != nil
    case .unchanged: return method.semitones != 0 || sampleRate != nil
    case .duration, .frames, .map, .bpm: return false
    }
  }
}

/// The facts about a file that decide if it follows another without a gap.
private struct TrackEnd {
  let path: FilePath
  let source: SourceDescription
  /// The first and last frames of each channel; empty if nobody listens.
  private(set) var starts: [[Double]] = []
  private(set) var ends: [[Double]] = []

  /// Frames that are compared on either side of a joint.
  private static let frames = 2048

  /// `nil` for a file that cannot be read, or whose length is not exact.
  init?(_ work: Conversion, listens: Bool, _ cancellation: Cancellation) {
    path = work.input.path
    guard
      let file = try? work.input.opened(
        cancellation, raw: work.files.raw, tagEncoding: work.files.tagEncoding,
        beneath: work.files.inputRoots),
      let reader = try? AudioFile.reader(
        for: file, salvaging: work.files.salvages, track: work.settings.track),
      reader.source.frameCount > 0, reader.source.lengthBasis != .estimated
    else { return nil }
    source = reader.source
    guard listens else { return }
    let count = min(Self.frames, source.frameCount)
    guard let first = Self.samples(reader, 0..<count),
      let last = Self.samples(reader, source.frameCount - count..<source.frameCount)
    else { return nil }
    (starts, ends) = (first, last)
  }

  private static func samples(_ reader: any FrameStream, _ frames: Range<Int>) -> [[Double]]? {
    let channels = reader.spec.channelCount
    let block = Block(.float64, sampleCount: frames.count * channels)
    guard (try? reader.seek(toFrame: frames.lowerBound)) != nil else { return nil }
    var result = [[Double]](repeating: [], count: channels)
    while result[0].count < frames.count {
      let wanted = (frames.count - result[0].count) * channels
      guard let count = try? reader.read(into: block.buffer.extracting(0..<wanted)), count > 0
      else { return nil }
      let samples = block.samples(of: Double.self)
      for channel in 0..<channels {
        for frame in 0..<count { result[channel].append(samples[frame * channels + channel]) }
      }
    }
    return result
  }

  /// The reason that this file cannot follow another; `nil` if it can.
  func fits(_ previous: TrackEnd) -> String? {
    let (spec, before) = (source.spec, previous.source.spec)
    if spec.sampleRate != before.sampleRate {
      return "its sample rate is \(spec.sampleRate) Hz, not \(before.sampleRate) Hz"
    }
    if spec.layout != before.layout {
      return "its channels are \(spec.layout), not \(before.layout)"
    }
    return nil
  }

  /// Seconds that a track lasts at least, if no tag says that it is one.
  private static let leastSeconds = 5.0

  /// True if another file is the track before this one of the same album: by the tags of both, or, without any, by
  /// their lengths and if their names count tracks. Utterances that were cut from one reading are none.
  func isOfAlbum(of previous: TrackEnd, _ namesCountTracks: Bool) -> Bool {
    let album = source.metadata.values("ALBUM")
    if album != previous.source.metadata.values("ALBUM") { return false }
    if let own = trackNumber, let other = previous.trackNumber, own - 1 != other { return false }
    if !album.isEmpty { return true }
    return namesCountTracks
      && [self, previous].allSatisfy {
        $0.source.spec.seconds(frames: $0.source.frameCount) >= Self.leastSeconds
      }
  }

  /// The number in the tags, from `3` or `3/12`.
  private var trackNumber: Int? {
    source.metadata.values("TRACKNUMBER").first.flatMap { text in
      Int(text.prefix { $0 != "/" }).flatMap { (0...9999).contains($0) ? $0 : nil }
    }
  }
}
