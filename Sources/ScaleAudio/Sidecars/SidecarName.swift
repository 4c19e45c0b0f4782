internal import AudioFiles
internal import AudioIO
import Glibc
internal import SystemPackage

/// The name of a text file with times beside an audio file: the stem of the audio, or its whole name, and an ending.
///
/// Of `talk.wav`: `talk.srt`, `talk.en.srt`, `talk.wav.srt`, `talk.chapters.json`.
struct SidecarName: Hashable {
  /// The name, as bytes.
  let file: FilePath
  /// The form; `nil` for one whose times are not scaled.
  let form: SidecarForm?
  /// True if the name begins with the whole name of the audio.
  private let followsWholeName: Bool
  /// The part after the name of the audio, with its dot.
  private let ending: [UInt8]

  /// The name for another audio file.
  func file(of output: FilePath) -> FilePath {
    let name = FileName(output)
    return FilePath(bytes: (followsWholeName ? name.stem + name.dotted(nil) : name.stem) + ending)
  }

  /// The names of the files beside an audio file that refer to it, sorted by their bytes. Throws if its folder cannot be
  /// listed.
  static func all(beside audio: FilePath) throws(Errno) -> [SidecarName] {
    let name = FileName(audio)
    let siblings = try siblings(of: audio, beginningWith: name.stem)
    // A sidecar of `talk.en.wav` is none of `talk.wav`.
    let others = siblings.filter { isAudio($0) && FileName(FilePath(bytes: $0)).stem != name.stem }
      .map { FileName(FilePath(bytes: $0)).stem + [dot] }
    var found: [SidecarName] = []
    for sibling in siblings {
      guard let one = SidecarName(sibling, of: name),
        one.followsWholeName || !others.contains(where: { sibling.starts(with: $0) })
      else { continue }
      // One file for each name but for case.
      if found.contains(where: { $0.isSame(as: one) }) { continue }
      found.append(one)
    }
    return found
  }

  /// True for a text with times that belongs to a file of audio in its folder.
  static func isTimed(_ path: FilePath) -> Bool {
    guard let name = path.lastComponent else { return false }
    let bytes = FilePath(root: nil, [name]).bytes
    // The audio's name ends at one of the dots.
    for end in bytes.indices where end > 0 && bytes[end] == dot {
      let stem = Array(bytes[..<end])
      let siblings = (try? siblings(of: path, beginningWith: stem)) ?? []
      for audio in siblings where isAudio(audio) && FileName(FilePath(bytes: audio)).stem == stem {
        let place = path.removingLastComponent().appending(FilePath(bytes: audio).components)
        let names = (try? all(beside: place)) ?? []
        guard let found = names.first(where: { $0.file.bytes == bytes }) else { continue }
        return found.form.map { $0.hasTimes(path) } ?? true
      }
    }
    return false
  }

  private func isSame(as other: SidecarName) -> Bool {
    followsWholeName == other.followsWholeName
      && Self.lowered(ending) == Self.lowered(other.ending)
  }

  /// `nil` for a file that is no sidecar of the audio.
  private init?(_ sibling: [UInt8], of name: FileName) {
    let whole = name.stem + name.dotted(nil)
    followsWholeName =
      whole.count > name.stem.count && sibling.starts(with: whole + [Self.dot])
    ending = Array(sibling.dropFirst(followsWholeName ? whole.count : name.stem.count))
    file = FilePath(bytes: sibling)
    guard ending.first == Self.dot else { return nil }
    var parts = Self.lowered(ending.dropFirst()).split(
      separator: ".", omittingEmptySubsequences: false
    ).map(String.init)
    guard let last = parts.popLast(), !last.isEmpty else { return nil }
    let double = parts.last.map { "\($0).\(last)" }
    if let double, let form = SidecarForm(rawValue: double) {
      self.form = form
      parts.removeLast()
    } else if let double, SidecarForm.others.contains(double) {
      form = nil
      parts.removeLast()
    } else if let form = SidecarForm(rawValue: last), !last.contains(".") {
      self.form = form
    } else if SidecarForm.others.contains(last) {
      form = nil
    } else {
      return nil
    }
    // Languages and purposes stand between: `en`, `pt-BR`, `forced`.
    guard parts.count <= 2, parts.allSatisfy(Self.isTag) else { return nil }
  }

  /// True for a word that says what a text is, such as its language.
  private static func isTag(_ word: String) -> Bool {
    guard let first = word.utf8.first, (0x61...0x7A).contains(first), word.utf8.count <= 16 else {
      return false
    }
    return AudioFormat.forExtension(word) == nil
      && word.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
      }
  }

  private static let dot = UInt8(ascii: ".")

  private static func lowered(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  private static func isAudio(_ name: [UInt8]) -> Bool {
    guard let format = FilePath(bytes: name).extension.flatMap(AudioFormat.forExtension) else {
      return false
    }
    return format.container != .raw
  }

  /// The names of the other files in the folder of an audio file that begin with its stem and a dot, sorted.
  private static func siblings(
    of audio: FilePath, beginningWith stem: [UInt8]
  ) throws(Errno) -> [[UInt8]] {
    let names = try ListedFolder.names(in: audio.folder, beginningWith: stem + [dot])
    return names.filter { name in
      FileStatus(path: audio.removingLastComponent().appending(name))?.kind == .file
    }.map { FilePath(root: nil, [$0]).bytes }
  }
}

/// The names in the large folder that was listed last: sidecars are looked for beside each of its files.
private struct ListedFolder {
  let path: FilePath
  /// The time at which the folder had changed, in nanoseconds since 1970.
  let modified: Int64
  /// In the order of their bytes.
  let names: [FilePath.Component]
  let listed: ContinuousClock.Instant
  /// The time that the listing took.
  let cost: Duration

  private static let last = Locked<ListedFolder?>(nil)
  /// Smaller folders are listed each time.
  private static let leastNames = 1000
  /// A folder that outputs are written to changes all the time. Its names are used for this many times the time that it
  /// takes to list them.
  private static let mostUses = 20

  /// The names that begin with some bytes, in the order of their bytes. Throws if the folder cannot be listed.
  static func names(
    in folder: FilePath, beginningWith start: [UInt8]
  ) throws(Errno) -> [FilePath.Component] {
    guard let modified = FileStatus(path: folder)?.stamp.modified else {
      throw Errno(rawValue: errno)
    }
    return try last.withLock { (last) throws(Errno) in
      if let last, last.path == folder,
        last.modified == modified || .now - last.listed < last.cost * mostUses
      {
        return last.names(beginningWith: start)
      }
      let begin = ContinuousClock.now
      let names = try FolderListing.names(in: folder)
      let found = ListedFolder(
        path: folder, modified: modified, names: names, listed: .now, cost: .now - begin)
      last = names.count < leastNames ? nil : found
      return found.names(beginningWith: start)
    }
  }

  private func names(beginningWith start: [UInt8]) -> [FilePath.Component] {
    func bytes(_ index: Int) -> [UInt8] { FilePath(root: nil, [names[index]]).bytes }
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if bytes(middle).lexicographicallyPrecedes(start) { low = middle + 1 } else { high = middle }
    }
    return names[low...].indices.prefix { bytes($0).starts(with: start) }.map { names[$0] }
  }
}
