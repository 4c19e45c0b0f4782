import ArgumentParser
import AudioIO
import ScaleAudio
import ScaleAudioRuns

/// The value of `--write`: a form and a path.
struct MergedManifestValue {
  let format: ManifestFormat
  let path: String

  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let format = ManifestFormat(rawValue: parts[0]) else {
      let names = ManifestFormat.allCases.map { "\($0.rawValue)=FILE" }
      throw ValidationError("give a form and a path, such as \(names.joined(separator: ", "))")
    }
    (self.format, path) = (format, parts[1])
  }
}

/// A manifest of the finished outputs of a run, in the order of its inputs.
final class MergedManifest {
  private let target: ManifestTarget
  /// How the names of outputs differ from those of their inputs, for each of the settings.
  private let changes: [[UInt8]]
  /// True if times within an input are scaled in proportion to its length.
  private let isUniform: Bool
  private var outputs: [MergedLine] = []

  /// A manifest of a run with these settings.
  init(_ value: MergedManifestValue, _ request: BatchRequest) {
    target = ManifestTarget(
      path: RawArgument.path(of: value.path), format: value.format, replaces: true)
    let settings = [request.settings] + request.otherSettings
    changes = settings.map(ManifestName.change)
    isUniform = settings.allSatisfy { (settings) in
      if case .map = settings.time { return false }
      return settings.only.isEmpty
    }
  }

  /// Adds an output.
  func add(_ output: MergedLine) throws {
    if target.format == .lhotse, output.line.source == .cut, !isUniform {
      throw ValidationError(
        "With --only and --map, parts of an input have factors of their own, by which supervisions of lhotse cannot be moved; write another form."
      )
    }
    outputs.append(output)
  }

  /// Writes the manifest, replacing an older one with this name.
  func write(_ cancellation: Cancellation) throws {
    outputs.sort { ($0.line.number, $0.variant) < ($1.line.number, $1.variant) }
    let isCancelled = { cancellation.isCancelled }
    switch target.format {
    case .nemo:
      try target.write(
        outputs.flatMap { $0.nemo + [UInt8(ascii: "\n")] }, syncing: true, isCancelled: isCancelled)
    case .lhotse:
      let lines = zip(outputs, names).flatMap { (output, name) -> [UInt8] in
        let change = name.change.isEmpty ? [] : Array("_".utf8) + name.change
        return output.lhotse(name: name.base + change, change: change) + [UInt8(ascii: "\n")]
      }
      try target.write(lines, syncing: true, isCancelled: isCancelled)
    case .csv, .jsonl, .kaldi:
      try target.write(
        outputs.map { ManifestEntry($0) }, names, syncing: true, isCancelled: isCancelled)
    }
  }

  /// A name for each output: based on that of its input in its data set, if it has one.
  private var names: [ManifestName] {
    let sources = outputs.map { (output) in
      output.line.id.map { id in
        let slash = UInt8(ascii: "/")
        // The appended extension keeps dots in the name as part of the stem.
        return FilePath(bytes: id.map { $0 == slash ? UInt8(ascii: "_") : $0 } + Array(".x".utf8))
      } ?? output.line.input
    }
    return ManifestName.all(
      sources: sources, outputs: outputs.map(\.output), changes: outputs.map { changes[$0.variant] }
    )
  }
}
