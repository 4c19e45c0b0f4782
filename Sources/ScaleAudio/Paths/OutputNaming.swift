internal import AudioIO
internal import SystemPackage
internal import TimeScaling

/// The names of outputs.
///
/// The suffix follows the stem of the name that the user gave: `in.flac` becomes `in-x1.5.flac` and the
/// folder `Music` becomes `Music-x1.5`, whose files keep their names.
struct OutputNaming: Hashable, Sendable {
  /// The text after a stem, without a slash.
  let suffix: String
  /// The text after the name of a folder, and after a stem if the name would otherwise equal the source's name.
  let distinctSuffix: String
  /// The template for the names of files, instead of stem and suffix.
  var template: NameTemplate?
  /// True if a source's extension stays before a different one: `in-x1.5.wav.flac`.
  var keepsExtension = false

  /// Names with this suffix.
  init(suffix: String) {
    self.suffix = suffix
    distinctSuffix = suffix
  }

  /// Names that show what settings request; `showsMethod` as in ``OutputSuffix``.
  init(of settings: ConversionSettings, showsMethod: Bool? = nil) {
    suffix = OutputSuffix.of(settings, showsMethod: showsMethod)
    var isFormatOnly = false
    if case .unchanged = settings.time, settings.method.semitones == 0 { isFormatOnly = true }
    let format = settings.format == nil && !suffix.isEmpty ? "" : OutputSuffix.ofFormat(settings)
    distinctSuffix = isFormatOnly ? format + suffix : suffix
  }

  /// The name of a file's output: stem, suffix, extension.
  ///
  /// `fileExtension` replaces the input's own.
  func outputName(for input: FilePath, fileExtension: String?) -> FilePath {
    let name = FileName(input)
    let suffix = suffix.isEmpty && !name.changes(fileExtension) ? distinctSuffix : suffix
    return FilePath(bytes: name.stem + Array(suffix.utf8) + ending(of: name, fileExtension))
  }

  /// The path below the mirror folder for a file at `relativePath` below the mirrored folder.
  func mirroredPath(of relativePath: FilePath, fileExtension: String?) -> FilePath {
    let name = FileName(relativePath)
    return relativePath.removingLastComponent()
      .appending(FilePath(bytes: name.stem + ending(of: name, fileExtension)).components)
  }

  /// The folder that mirrors `folder` beside it; `nil` for the root.
  func mirrorFolder(of folder: FilePath) -> FilePath? {
    let named = RealPath.named(folder)
    guard let name = named.lastComponent, name.kind == .regular else { return nil }
    let mirror = FilePath(bytes: FilePath(root: nil, [name]).bytes + Array(distinctSuffix.utf8))
    return named.removingLastComponent().appending(mirror.components)
  }

  /// The folder for the outputs of folders with this request, below the folder for all outputs.
  var subfolder: FilePath {
    let name = distinctSuffix.drop { $0 == "-" }
    return name.isEmpty ? FilePath() : FilePath(bytes: Array(name.utf8))
  }

  private func ending(of name: FileName, _ fileExtension: String?) -> [UInt8] {
    let kept = keepsExtension && name.changes(fileExtension) ? name.dotted(nil) : []
    return kept + name.dotted(fileExtension)
  }
}

/// The parts of a file's name, as bytes.
struct FileName {
  let stem: [UInt8]
  /// The extension with its dot; may be empty.
  private let ending: [UInt8]

  init(_ path: FilePath) {
    let bytes = path.lastComponent.map { FilePath(root: nil, [$0]).bytes } ?? []
    // A leading dot makes a name hidden; it does not begin an extension.
    if let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 {
      stem = Array(bytes[..<dot])
      ending = Array(bytes[dot...])
    } else {
      stem = bytes
      ending = []
    }
  }

  /// The ending with another extension, or the file's own ending.
  func dotted(_ fileExtension: String?) -> [UInt8] {
    fileExtension.map { Array(".\($0)".utf8) } ?? ending
  }

  /// True if the extension is not the file's own.
  func changes(_ fileExtension: String?) -> Bool { dotted(fileExtension) != ending }
}

/// The properties of one output that its name may depend on.
struct NamedOutput {
  /// The path of the source, and, if it was found in a walked folder, its path below that folder.
  let source: FilePath
  let relativePath: FilePath
  /// True if the source was found in a folder, so that the name has no suffix.
  let isMirrored: Bool
  /// The number of the source, from 1, and the number of the last one.
  let index: Int
  let count: Int
  let settings: ConversionSettings
  /// The extension of the output if it differs from the source's.
  let fileExtension: String?

  /// The path below the folder of the outputs.
  func path(_ naming: OutputNaming) -> FilePath {
    guard let template = naming.template else {
      return isMirrored
        ? naming.mirroredPath(of: relativePath, fileExtension: fileExtension)
        : naming.outputName(for: source, fileExtension: fileExtension)
    }
    let ending = FileName(source).dotted(fileExtension)
    let components = template.components({ value($0, ending: ending) }, ending: ending)
    let folder = isMirrored ? relativePath.removingLastComponent() : FilePath()
    return components.reduce(folder) { $0.appending(FilePath(bytes: $1).components) }
  }

  /// The value of a placeholder.
  private func value(_ placeholder: NameTemplate.Placeholder, ending: [UInt8]) -> [UInt8] {
    switch placeholder {
    case .stem: return FileName(source).stem
    case .ext: return Array(ending.dropFirst())
    case .parent:
      let parent = RealPath.resolve(source.folder).lastComponent
      return parent.map { FilePath(root: nil, [$0]).bytes } ?? []
    case .index:
      let digits = String(index)
      let zeros = String(repeating: "0", count: max(0, String(count).count - digits.count))
      return Array((zeros + digits).utf8)
    default: return Array((settings.text(of: placeholder) ?? "").utf8)
    }
  }
}

extension ConversionSettings {
  /// The value of a placeholder that depends on these settings alone; `nil` if it is not known before the conversion.
  package func text(of placeholder: NameTemplate.Placeholder) -> String? {
    let factor: Double? =
      switch time {
      case .factor(let factor), .speed(let factor): factor.value
      case .unchanged: 1
      case .duration, .frames, .map: nil
      }
    switch placeholder {
    case .factor: return factor.map(OutputSuffix.number)
    case .speed: return factor.map { OutputSuffix.number(1 / $0) }
    case .duration:
      guard case .duration(let seconds) = time else { return nil }
      return OutputSuffix.number(seconds)
    case .from: return part?.start?.name ?? "0"
    case .to: return part?.end?.name ?? "end"
    case .method: return method.kind.rawValue
    case .pitch: return OutputSuffix.number(method.semitones)
    case .stem, .ext, .index, .parent: return ""
    }
  }
}
