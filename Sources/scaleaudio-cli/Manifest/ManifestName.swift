import ScaleAudio

/// The name of an output in a data set, without spaces.
struct ManifestName: Hashable, Sendable {
  /// The name of the source.
  let base: [UInt8]
  /// How the output differs from its source, in the abbreviations of Kaldi and lhotse: `sp0.9` for a speed with its
  /// pitch, `tp0.9` for a tempo; empty if it does not differ.
  let change: [UInt8]

  /// The difference between outputs with some settings and their sources.
  static func change(_ settings: ConversionSettings) -> [UInt8] {
    guard let speed = settings.text(of: .speed), speed != "1" else { return [] }
    return Array(((settings.method.kind == .stretch ? "tp" : "sp") + speed).utf8)
  }
}

/// The names of many outputs in a data set, all different, and none kept in memory.
///
/// The base is the source's stem. If names repeat, all bases are paths below the folder that all sources share; if
/// those repeat, names of outputs.
struct ManifestNames {
  /// The parts from which an output is named.
  struct Origin {
    /// The path of the source, or what stands for it; its extension is no part of a name.
    let source: FilePath
    /// The name of the source in its data set, as it is written there; `nil` if it has none.
    var id: [UInt8]?
    let output: FilePath
    /// The difference between the output and its source.
    let change: [UInt8]

    /// The origin of a planned output.
    init(_ job: ConversionJob) {
      output = job.work.output.path
      source = job.work.input == .standardInput ? output : job.work.input.path
      change = ManifestName.change(job.work.settings)
    }

    init(source: FilePath, id: [UInt8]?, output: FilePath, change: [UInt8]) {
      (self.source, self.id, self.output, self.change) = (source, id, output, change)
    }

    /// The source in messages.
    var shown: String { id.map { FilePath(bytes: $0).printable } ?? source.printable }
    /// True if both outputs are made of the same source.
    func sharesSource(with other: Origin) -> Bool {
      id != nil || other.id != nil ? id == other.id : source == other.source
    }
  }

  private enum Way: CaseIterable {
    case source, belowSources, output, belowOutputs
  }

  private let format: ManifestFormat
  private var way = Way.source
  /// The numbers of leading components that all sources and all outputs share.
  private var sharedSources = 0
  private var sharedOutputs = 0
  /// The numbers of outputs whose names repeat in every way, by their indices.
  private var numbers: [Int: Int] = [:]
  /// Two outputs of different sources whose names are alike unless they are named by outputs.
  private(set) var clash: (one: Origin, other: Origin)?

  /// Chooses names for `count` outputs in a form; `origin` is called for each, in order, more than once.
  init<Failure: Error>(
    _ format: ManifestFormat, count: Int, origin: (Int) throws(Failure) -> Origin
  ) throws(Failure) {
    self.format = format
    guard format == .kaldi || format == .lhotse else { return }
    for next in Way.allCases {
      way = next
      if way == .belowSources {
        sharedSources = try shared(count) { (index) throws(Failure) in try origin(index).source }
      }
      if way == .belowOutputs {
        sharedOutputs = try shared(count) { (index) throws(Failure) in try origin(index).output }
      }
      let repeated = try repeatedHashes(count, origin)
      if repeated.isEmpty { return }
      if way == .belowSources { clash = try firstClash(repeated, count, origin) }
      if way == .belowOutputs { try number(repeated, count, origin) }
    }
  }

  /// The name of the output with this index.
  func name(of origin: Origin, at index: Int) -> ManifestName {
    var base =
      switch way {
      case .source: Self.stem(origin.source)
      case .belowSources: Self.below(sharedSources, origin.source)
      case .output: Self.stem(origin.output)
      case .belowOutputs: Self.below(sharedOutputs, origin.output)
      }
    base = Self.withoutSpaces(base)
    if let number = numbers[index] { base += Array("-\(number)".utf8) }
    return ManifestName(base: base, change: origin.change)
  }

  /// The hashes of names that are not different.
  private func repeatedHashes<Failure: Error>(
    _ count: Int, _ origin: (Int) throws(Failure) -> Origin
  ) throws(Failure) -> Set<UInt64> {
    var hashes: [UInt64] = []
    hashes.reserveCapacity(count)
    for index in 0..<count { hashes.append(hash(try origin(index))) }
    hashes.sort()
    return Set(zip(hashes, hashes.dropFirst()).lazy.filter { $0 == $1 }.map(\.0))
  }

  private func firstClash<Failure: Error>(
    _ repeated: Set<UInt64>, _ count: Int, _ origin: (Int) throws(Failure) -> Origin
  ) throws(Failure) -> (Origin, Origin)? {
    var first: [UInt64: Origin] = [:]
    for index in 0..<count {
      let found = try origin(index)
      let hash = hash(found)
      guard repeated.contains(hash) else { continue }
      if let other = first[hash], !other.sharesSource(with: found) { return (other, found) }
      if first[hash] == nil { first[hash] = found }
    }
    return nil
  }

  private mutating func number<Failure: Error>(
    _ repeated: Set<UInt64>, _ count: Int, _ origin: (Int) throws(Failure) -> Origin
  ) throws(Failure) {
    var seen: [UInt64: Int] = [:]
    for index in 0..<count {
      let hash = hash(try origin(index))
      guard repeated.contains(hash) else { continue }
      seen[hash, default: 0] += 1
      if let number = seen[hash], number > 1 { numbers[index] = number }
    }
  }

  /// A hash of the name as it is written, the same in every run: FNV-1a (Fowler, Noll, Vo).
  private func hash(_ origin: Origin) -> UInt64 {
    let name = name(of: origin, at: -1)
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in format == .kaldi ? name.kaldi : name.lhotse {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return hash
  }

  private func shared<Failure: Error>(
    _ count: Int, _ path: (Int) throws(Failure) -> FilePath
  ) throws(Failure) -> Int {
    var shared: [[UInt8]]?
    for index in 0..<count {
      let folders = Self.parts(try path(index)).dropLast()
      guard let known = shared else {
        shared = Array(folders)
        continue
      }
      shared = Array(known.prefix(zip(known, folders).prefix { $0 == $1 }.count))
    }
    return shared?.count ?? 0
  }

  private static func stem(_ path: FilePath) -> [UInt8] {
    let name = path.lastComponent.map { FilePath(root: nil, [$0]).bytes } ?? []
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
    return Array(name[..<dot])
  }

  private static func parts(_ path: FilePath) -> [[UInt8]] {
    path.components.filter { $0.kind == .regular }.map { FilePath(root: nil, [$0]).bytes }
  }

  /// The components after those that all paths share, joined by hyphens.
  private static func below(_ shared: Int, _ path: FilePath) -> [UInt8] {
    let folders = parts(path).dropFirst(shared).dropLast()
    return Array((Array(folders) + [stem(path)]).joined(separator: [UInt8(ascii: "-")]))
  }

  private static func withoutSpaces(_ name: [UInt8]) -> [UInt8] {
    name.map { $0 <= UInt8(ascii: " ") || $0 == 0x7F ? UInt8(ascii: "_") : $0 }
  }
}

extension ManifestName {
  /// The name in Kaldi's files: `sp0.9-a`.
  var kaldi: [UInt8] { change.isEmpty ? base : change + Array("-".utf8) + base }
  /// The name in manifests of lhotse: `a_sp0.9`.
  var lhotse: [UInt8] { change.isEmpty ? base : base + Array("_".utf8) + change }
}

extension ManifestError {
  /// Two sources have one name in a form that leads back from a name to its source.
  init(_ clash: (one: ManifestNames.Origin, other: ManifestNames.Origin)) {
    self.init(
      path: clash.other.source,
      cause:
        "\(clash.one.shown) and \(clash.other.shown) would have the same name in Kaldi's files",
      remedy: .act("rename one of them, or choose another form of manifest"))
  }
}
