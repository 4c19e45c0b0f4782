internal import AudioIO
internal import AudioModel
internal import SystemPackage
internal import TimeScaling

/// The albums of a batch, each measured when the first of its jobs runs.
final class AlbumRun: Sendable {
  private struct Key: Hashable {
    let folder: FilePath
    let settings: ConversionSettings
  }

  /// The jobs of an album, and its level once it was measured.
  private final class Album: Sendable {
    let works: [Conversion]
    let level = Locked<Result<AlbumLevel, ConversionError>?>(nil)

    init(_ works: [Conversion]) { self.works = works }
  }

  private let albums: [Key: Album]

  init(_ jobs: [ConversionJob]) {
    var works: [Key: [Conversion]] = [:]
    for job in jobs where job.work.settings.album != nil {
      if let key = Self.key(of: job.work) { works[key, default: []].append(job.work) }
    }
    albums = works.mapValues { works in
      Album(
        works.sorted {
          ($0.gapless?.album.digest ?? "", $0.gapless?.index ?? 0)
            < ($1.gapless?.album.digest ?? "", $1.gapless?.index ?? 0)
        })
    }
  }

  /// Makes the jobs of each folder that have the same settings an album, if there are several.
  ///
  /// An album is identified by the names, sizes and times of its files, so that a journal shows if an output was made for
  /// the same album.
  /// Tracks that are scaled as one stream are always one, because steps of the level would be heard.
  static func assign(in jobs: inout [ConversionJob], onlyGapless: Bool = false) {
    var albums: [Key: [Int]] = [:]
    for index in jobs.indices where jobs[index].refusal == nil && !jobs[index].isMissing {
      let work = jobs[index].work
      if onlyGapless, work.gapless == nil || work.settings.level == .unchanged { continue }
      if let key = key(of: jobs[index].work) { albums[key, default: []].append(index) }
    }
    for members in albums.values where members.count > 1 {
      let digest = digest(of: members.map { jobs[$0].work.input.path })
      for index in members { jobs[index].work.settings.album = digest }
    }
  }

  static func digest(of paths: [FilePath]) -> String {
    var checksum = FileChecksum()
    for path in paths.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      let stamp = FileStatus(path: path)?.stamp
      let name = path.lastComponent.map { FilePath(root: nil, [$0]).bytes } ?? []
      let text = " \(stamp?.size ?? -1) \(stamp?.modified ?? -1)\n"
      (name + Array(text.utf8)).withUnsafeBytes { checksum.add($0) }
    }
    return String(checksum.finish().prefix(16))
  }

  /// The album that a file would belong to; `nil` for standard input.
  private static func key(of work: Conversion) -> Key? {
    guard case .file(let path) = work.input else { return nil }
    var settings = work.settings
    (settings.format, settings.gapless) = (nil, nil)
    return Key(folder: path.folder, settings: settings)
  }

  /// A conversion at the level of its album. Measures the album first, on cores that are free, if no other thread has;
  /// files that cannot be read do not count.
  func settled(
    _ work: Conversion, _ cancellation: Cancellation
  ) throws(ConversionError) -> Conversion {
    guard work.settings.album != nil, let album = Self.key(of: work).flatMap({ albums[$0] })
    else { return work }
    let level = album.level.withLock { level in
      let found = level ?? Self.level(of: album.works, cancellation)
      level = found
      return found
    }
    var settled = work
    settled.albumLevel = try level.get()
    return settled
  }

  private static func level(
    of works: [Conversion], _ cancellation: Cancellation
  ) -> Result<AlbumLevel, ConversionError> {
    let parts = parts(of: works, limitedBy: nil, cancellation)
    if cancellation.isCancelled { return .failure(.cancelled) }
    let found = parts.compactMap(\.self)
    var level = AlbumLevel()
    var before = ScaledLevel(found)
    let isClipped = found.contains(where: \.isClippedWhenRead)
    level.gain = found.compactMap {
      $0.rule?.gain(for: before, in: $0.range, isClippedWhenRead: isClipped)
    }.min()
    level.loudness = before.loudness.map { $0 + (level.gain ?? 1).decibels }
    let searches = found.compactMap { $0.rule?.limitSearch(for: before, in: $0.range) }
    guard var search = searches.min(by: { $0.ceiling < $1.ceiling }) else { return .success(level) }
    var isOpen = true
    while isOpen {
      let limited = Self.parts(of: works, parts, limitedBy: search, cancellation)
      if cancellation.isCancelled { return .failure(.cancelled) }
      before = ScaledLevel(limited.compactMap(\.self))
      level.loudness = before.loudness
      isOpen = search.next(before)
    }
    (level.gain, level.search) = (search.gain, search)
    return .success(level)
  }

  /// The files of an album after a limiter; only those that it changes are measured again.
  private static func parts(
    of works: [Conversion], _ parts: [AlbumPart?], limitedBy search: LimitSearch,
    _ cancellation: Cancellation
  ) -> [AlbumPart?] {
    var result = parts.map { $0?.raised(by: search.gain) }
    let changed = parts.indices.filter { (parts[$0]?.highest ?? 0) * search.gain > search.ceiling }
    let measured = Self.parts(of: changed.map { works[$0] }, limitedBy: search, cancellation)
    for (index, part) in zip(changed, measured) { result[index] = part }
    return result
  }

  private static func parts(
    of works: [Conversion], limitedBy search: LimitSearch?, _ cancellation: Cancellation
  ) -> [AlbumPart?] {
    let parts = Locked([AlbumPart?](repeating: nil, count: works.count))
    CoreBudget.shared.occupy()
    defer { CoreBudget.shared.release() }
    let sequences = works.indices.sequences { works[$0].continues(works[$1]) }
    CoreBudget.shared.perform(sequences.count) { sequence in
      for index in sequences[sequence] {
        let part = try? works[index].measured(limitedBy: search, cancellation: cancellation)
        parts.withLock { $0[index] = part }
      }
    }
    return parts.withLock { $0 }
  }
}
