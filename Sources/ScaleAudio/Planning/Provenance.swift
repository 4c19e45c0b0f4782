internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import SystemPackage
internal import TimeScaling

/// How an output was made, as its encoder tag says: `scaleaudio 0.1.0 factor=1.5 method=smoothstep`, with `mapped` after
/// the factor if it is the mean of a time map, and settings of the method at the end, such as `pitch=-2`. Where only the
/// format changes, it is `scaleaudio 0.1.0`.
struct Provenance: Hashable {
  let factor: Double
  let isMapped: Bool
  let method: ScalingMethod.Kind
  let semitones: Double

  /// Reads a tag; `nil` for one of another program.
  init?(_ tag: String) {
    let words = tag.split(separator: " ")
    guard words.first == "scaleaudio", words.count >= 2 else { return nil }
    var values: [Substring: Substring] = [:]
    for word in words.dropFirst(2) {
      let parts = word.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { values[parts[0]] = parts[1] }
    }
    let stated = values["factor"] ?? (words.count == 2 ? "1" : nil)
    guard let factor = stated.flatMap({ Double($0) }), factor > 0, factor.isFinite
    else { return nil }
    self.factor = factor
    isMapped = words.contains("mapped")
    method = values["method"].flatMap { ScalingMethod.Kind(rawValue: String($0)) } ?? .smoothstep
    semitones = values["pitch"].flatMap { Double($0) } ?? 0
  }

  /// Reads the tags of an output.
  init?(_ metadata: Metadata) {
    guard let found = metadata.values("ENCODER").lazy.compactMap({ Provenance($0) }).first else {
      return nil
    }
    self = found
  }

  /// Reads the tags of a file; `nil` for a file of another program, and for one that cannot be read.
  init?(of path: FilePath, _ files: FilePolicy) {
    guard
      let file = try? ConversionInput.file(path).opened(
        Cancellation(), raw: files.raw, tagEncoding: files.tagEncoding, beneath: files.inputRoots),
      let source = try? AudioFile.reader(for: file, salvaging: true, estimates: .ofDecoding).source
    else { return nil }
    self.init(source.metadata)
  }
}
