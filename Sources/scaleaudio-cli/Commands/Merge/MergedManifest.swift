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
  private var columns = ManifestColumns()

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

  /// The files to write.
  var files: [FilePath] { target.files }

  /// Checks an output that will be listed.
  func add(_ output: MergedLine) throws {
    if target.format == .lhotse, output.line.source == .cut, !isUniform {
      throw ValidationError(
        "With --only and --map, parts of an input have factors of their own, by which supervisions of lhotse cannot be moved; write another form."
      )
    }
    if output.audio.fromFrame != nil { columns.hasParts = true }
    if output.audio.limiting != nil { columns.hasLimiting = true }
    if output.audio.inputBPM != nil { columns.hasTempo = true }
  }

  /// Writes the manifest of all outputs that were added.
  func write(_ outputs: MergedOutputs, _ cancellation: Cancellation) throws {
    let names = try ManifestNames(
      target.format, count: outputs.count,
      origin: { (index) throws(AudioFileError) in try origin(outputs.output(at: index)) })
    if target.format == .kaldi, let clash = names.clash { throw ManifestError(clash) }
    let order = try order(outputs, names)
    let isCancelled = { cancellation.isCancelled }
    try target.write(syncing: true, isCancelled: isCancelled) {
      (file, add) throws(AudioFileError) in
      try add(target.format.header(columns))
      for place in 0..<outputs.count {
        let index = order?[place] ?? place
        let output = try outputs.output(at: index)
        try add(line(of: output, names.name(of: origin(output), at: index), in: file))
        if place & 0xFFF == 0, isCancelled() { throw .cannotWrite(file, .canceled) }
      }
    }
  }

  /// The indices of the outputs, in the order of the lines; `nil` for the order of the inputs.
  private func order(_ outputs: MergedOutputs, _ names: ManifestNames) throws -> [Int]? {
    guard target.format == .kaldi else { return nil }
    var folder = KaldiFolder()
    for index in 0..<outputs.count {
      folder.add(names.name(of: try origin(outputs.output(at: index)), at: index))
    }
    return folder.sorted()
  }

  private func line(
    of output: MergedLine, _ name: ManifestName, in file: FilePath
  ) -> [UInt8] {
    switch target.format {
    case .nemo: return output.nemo + [UInt8(ascii: "\n")]
    case .lhotse:
      let change = name.change.isEmpty ? [] : Array("_".utf8) + name.change
      return output.lhotse(name: name.lhotse, change: change) + [UInt8(ascii: "\n")]
    case .kaldi:
      return file.lastComponent.map { KaldiFolder.line($0, ManifestEntry(output), name) } ?? []
    case .csv, .jsonl: return target.format.line(ManifestEntry(output), name, columns)
    }
  }

  /// The origin of an output's name: its input in its data set, if that has a name.
  private func origin(_ output: MergedLine) -> ManifestNames.Origin {
    let slash = UInt8(ascii: "/")
    // The appended extension keeps dots in the name as part of the stem.
    let name = output.line.id.map { (id) in
      FilePath(bytes: id.map { $0 == slash ? UInt8(ascii: "_") : $0 } + Array(".x".utf8))
    }
    return ManifestNames.Origin(
      source: name ?? output.line.input, id: output.line.id, output: output.output,
      change: changes[output.variant])
  }
}
