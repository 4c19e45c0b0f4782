import ScaleAudio

/// The name of an output in a data set, without spaces.
struct ManifestName: Hashable, Sendable {
  /// The name of the source.
  let base: [UInt8]
  /// How the output differs from its source, in the abbreviations of Kaldi and lhotse: `sp0.9` for a speed with its
  /// pitch, `tp0.9` for a tempo; empty if it does not differ.
  let change: [UInt8]

  /// A name for each job of a plan, all different.
  ///
  /// The base is the source's stem. If stems repeat, all bases are paths below the folder that all sources share; if
  /// those repeat, names of outputs.
  static func all(_ jobs: [ConversionJob]) -> [ManifestName] {
    all(
      sources: jobs.map {
        $0.work.input == .standardInput ? $0.work.output.path : $0.work.input.path
      },
      outputs: jobs.map(\.work.output.path), changes: jobs.map { change($0.work.settings) })
  }

  /// A distinct name for each output of these sources.
  static func all(
    sources: [FilePath], outputs: [FilePath], changes: [[UInt8]]
  ) -> [ManifestName] {
    let ways: [() -> [[UInt8]]] = [
      { sources.map(stem) }, { belowSharedFolder(sources) }, { outputs.map(stem) },
      { belowSharedFolder(outputs) },
    ]
    var names: [ManifestName] = []
    for way in ways {
      names = zip(way(), changes).map { ManifestName(base: withoutSpaces($0), change: $1) }
      if Set(names).count == names.count { return names }
    }
    var seen: [ManifestName: Int] = [:]
    return names.map { (name) in
      seen[name, default: 0] += 1
      let number = seen[name] ?? 1
      if number == 1 { return name }
      return ManifestName(base: name.base + Array("-\(number)".utf8), change: name.change)
    }
  }

  /// How outputs with some settings differ from their sources.
  static func change(_ settings: ConversionSettings) -> [UInt8] {
    guard let speed = settings.text(of: .speed), speed != "1" else { return [] }
    return Array(((settings.method.kind == .stretch ? "tp" : "sp") + speed).utf8)
  }

  private static func stem(_ path: FilePath) -> [UInt8] {
    let name = path.lastComponent.map { FilePath(root: nil, [$0]).bytes } ?? []
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
    return Array(name[..<dot])
  }

  /// The components below the folder that all paths share, joined by hyphens.
  private static func belowSharedFolder(_ paths: [FilePath]) -> [[UInt8]] {
    let parts = paths.map { (path) in
      path.components.filter { $0.kind == .regular }.map { FilePath(root: nil, [$0]).bytes }
    }
    var shared = (parts.first ?? []).dropLast()
    for part in parts {
      let same = zip(shared, part.dropLast()).prefix { $0 == $1 }.count
      shared = shared.prefix(same)
    }
    return zip(parts, paths).map { (part, path) in
      let folders = part.dropFirst(shared.count).dropLast()
      return Array((Array(folders) + [stem(path)]).joined(separator: [UInt8(ascii: "-")]))
    }
  }

  private static func withoutSpaces(_ name: [UInt8]) -> [UInt8] {
    name.map { $0 <= UInt8(ascii: " ") || $0 == 0x7F ? UInt8(ascii: "_") : $0 }
  }
}
