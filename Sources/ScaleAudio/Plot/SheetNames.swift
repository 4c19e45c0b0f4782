internal import AudioIO
internal import SystemPackage
internal import Waveforms

/// The names on a contact sheet.
enum SheetNames {
  /// The folder that contains all of these files, as it was named; empty if there is none, or for the current folder.
  static func folder(of paths: [FilePath]) -> String {
    let folders = paths.map { $0.removingLastComponent() }
    guard var common = folders.first else { return "" }
    for folder in folders.dropFirst() {
      while !common.isEmpty && !folder.starts(with: common) {
        let shorter = common.removingLastComponent()
        if shorter == common { return "" }
        common = shorter
      }
    }
    return common == FilePath(".") ? "" : common.printable
  }

  /// The tracks with distinct names: files with equal names get as many of their folders as distinguish them.
  static func distinct(
    _ tracks: [(path: FilePath, track: WaveformTrack)]
  ) -> [(path: FilePath, track: WaveformTrack)] {
    var tracks = tracks
    let most = tracks.map(\.path.components.count).max() ?? 0
    var depth = 2
    while depth <= most {
      let byName = Dictionary(grouping: tracks.indices) { tracks[$0].track.outline.name }
      let equal = byName.values.filter { $0.count > 1 }.flatMap { $0 }
      if equal.isEmpty { break }
      for index in equal {
        let end = tracks[index].path.components.suffix(depth)
        tracks[index].track.outline.name = FilePath(root: nil, end).printable
      }
      depth += 1
    }
    return tracks
  }
}
