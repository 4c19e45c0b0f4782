internal import AudioIO
internal import AudioModel
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

  /// Names that show what settings request, and of their method what `shown` says.
  init(of settings: ConversionSettings, shown: ShownMethod = ShownMethod()) {
    suffix = OutputSuffix.of(settings, shown: shown)
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

/// The parts of the method that names of outputs show.
public struct ShownMethod: Hashable, Sendable {
  /// True if names show the method, false if they do not; `nil` for showing every method except the default, and except
  /// those that pitch or map imply.
  public var method: Bool?
  /// True if names show the engine of `stretch`.
  public var engine = false
  /// True if names show the quality.
  public var quality = false

  /// The method by the default rule, without engine and quality.
  public init() {}
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
  /// The facts of the source that the template needs; `nil` if it needs none, or if the source cannot be read.
  var facts: NamedFacts?

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
    case .title: return Array((facts?.title ?? "").utf8).nonEmpty ?? FileName(source).stem
    case .track: return Array((facts?.track ?? "").utf8).nonEmpty ?? value(.index, ending: ending)
    case .rate:
      let rate = settings.sampleRate ?? facts?.sampleRate
      return Array((rate.map { "\($0)" } ?? "rate").utf8)
    default: return Array((settings.text(of: placeholder) ?? "").utf8)
    }
  }
}

/// The facts about a source, and about its output, that names may show.
struct NamedFacts: Hashable {
  let title, track: String?
  /// The sample rate of the output, in Hz.
  let sampleRate: Int
}

extension NameTemplate {
  /// True if names depend on the content of the source.
  func needsFacts(_ settings: ConversionSettings) -> Bool {
    placeholders.contains {
      $0 == .title || $0 == .track || $0 == .rate && settings.sampleRate == nil
    }
  }
}

extension Array {
  /// The array itself; `nil` if it is empty.
  fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}

extension ConversionSettings {
  /// The value of a placeholder that depends on these settings alone; `nil` if it is not known before the conversion.
  package func text(of placeholder: NameTemplate.Placeholder) -> String? {
    let factor: Double? =
      switch time {
      case .factor(let factor), .speed(let factor), .tempo(let factor): factor.value
      case .unchanged: 1
      case .duration, .frames, .map, .bpm: nil
      }
    switch placeholder {
    case .factor: return factor.map(OutputSuffix.number)
    case .speed, .tempo: return factor.map { OutputSuffix.number(1 / $0) }
    case .duration:
      guard case .duration(let seconds) = time else { return nil }
      return OutputSuffix.number(seconds)
    case .bpm:
      guard case .bpm(let beats, _) = time else { return nil }
      return OutputSuffix.number(beats)
    case .from: return part?.start?.name ?? "0"
    case .to: return part?.end?.name ?? "end"
    case .method: return method.kind.rawValue
    case .pitch: return OutputSuffix.number(method.semitones)
    case .engine:
      if case .stretch(let stretch) = method { return stretch.engine.rawValue }
      return method.kind.rawValue
    case .quality: return method.quality?.rawValue ?? "default"
    case .stem, .ext, .index, .parent, .rate, .title, .track: return ""
    }
  }
}

/// The text after a stem that shows what was requested.
///
/// `-from90-to120` for a part; `-x1.5` for a factor, `-speed1.25` for a speed, `-tempo0.7` for a tempo, `-90s` for a length in seconds,
/// `-90000f` for frames, `-mapped` for a time map, `-128bpm` for a tempo in beats; then `-sinc` for the method, its engine and its quality if they are
/// shown, and `-pitch-2` for a change of pitch. If neither length nor pitch changes, it shows what else changes, such as `-16bit-mono`.
enum OutputSuffix {
  /// The suffix for a request; empty if only the format may change.
  ///
  /// `shown` is what was chosen of the method.
  static func of(_ settings: ConversionSettings, shown: ShownMethod = ShownMethod()) -> String {
    let method = settings.method
    var parts = (settings.part.map { [$0.name] } ?? []) + settings.only.map(\.nameOfOnly)
    let partCount = parts.count
    if let length = length(settings.time), !(isUnchanged(settings.time) && method.semitones != 0) {
      parts.append(length)
    }
    if shown.method ?? isNotImplied(method, settings.time) { parts.append(method.kind.rawValue) }
    if shown.engine, case .stretch(let stretch) = method {
      parts.append(stretch.engine.rawValue)
    }
    if shown.quality, let quality = method.quality { parts.append(quality.rawValue) }
    if method.semitones != 0 { parts.append("pitch" + number(method.semitones)) }
    if parts.count == partCount, method.kind == .stretch {
      parts.append("pitch0")
    }
    if case .unchanged = settings.time, method.semitones == 0 { parts += sound(settings) }
    return parts.map { "-" + $0 }.joined()
  }

  /// The suffix if `of` gives none and the name of the source must not be repeated: the format's name.
  static func ofFormat(_ settings: ConversionSettings) -> String {
    "-" + (settings.format?.id ?? "copy")
  }

  /// A number with up to six decimals if they are exact, otherwise with up to four.
  static func number(_ value: Double) -> String {
    if value < 0 { return "-" + number(-value) }
    let exact = decimal(value, places: 1_000_000, digits: 6)
    guard let exact, let read = Double(exact), (read - value).magnitude < 1e-12 * max(1, value)
    else {
      return decimal(value, places: 10_000, digits: 4) ?? "\(value)"
    }
    return exact
  }

  /// A number rounded to some decimals, without trailing zeros; `nil` if it exceeds the range of integers.
  private static func decimal(_ value: Double, places: Int, digits: Int) -> String? {
    guard let scaled = Int(exactly: (value * Double(places)).rounded()) else { return nil }
    let (whole, rest) = scaled.quotientAndRemainder(dividingBy: places)
    var decimals = String(rest)
    decimals = String(repeating: "0", count: digits - decimals.count) + decimals
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return decimals.isEmpty ? "\(whole)" : "\(whole).\(decimals)"
  }

  private static func length(_ time: TimeRequest) -> String? {
    switch time {
    case .factor(let factor): "x" + number(factor.value)
    case .speed(let factor): "speed" + number(1 / factor.value)
    case .tempo(let factor): "tempo" + number(1 / factor.value)
    case .duration(let seconds): number(seconds) + "s"
    case .frames(let frames): "\(frames)f"
    case .map: "mapped"
    case .bpm(let beats, _): number(beats) + "bpm"
    case .unchanged: nil
    }
  }

  private static func isUnchanged(_ time: TimeRequest) -> Bool {
    switch time {
    case .factor(let factor), .speed(let factor), .tempo(let factor): factor.value == 1
    case .unchanged: true
    case .duration, .frames, .map, .bpm: false
    }
  }

  private static func isNotImplied(_ method: ScalingMethod, _ time: TimeRequest) -> Bool {
    switch method.kind {
    case .smoothstep: return false
    case .linear: return true
    case .sinc:
      if case .speed = time { return false }
      return true
    case .stretch:
      if case .map = time { return false }
      if case .tempo = time { return false }
      if case .unchanged = time { return false }
      if case .bpm = time { return false }
      return method.semitones == 0
    }
  }

  /// The changes besides length, pitch and format.
  private static func sound(_ settings: ConversionSettings) -> [String] {
    var parts: [String] = []
    if let bits = settings.sampleFormat ?? (settings.forcesInt16 ? .int16 : nil) {
      parts.append(bits.isFloat ? bits.rawValue : "\(bits.bitDepth)bit")
    }
    if case .mono = settings.channels { parts.append("mono") }
    if let rate = settings.sampleRate { parts.append("\(rate)hz") }
    switch settings.level {
    case .unchanged: break
    case .guarded: parts.append("guard")
    case .normalized(let peak): parts.append("peak" + number(peak))
    // A target is never positive: the hyphen before it serves as its sign.
    case .loudness(let target, _, _): parts.append(number(abs(target)) + "lufs")
    case .limited(let peak): parts.append("limit" + number(abs(peak)))
    }
    if let rate = settings.encoding.bitRate { parts.append(number(Double(rate) / 1000) + "k") }
    if let quality = settings.encoding.quality { parts.append("quality" + number(quality)) }
    if let level = settings.encoding.compressionLevel { parts.append("level\(level)") }
    if let track = settings.track { parts.append("track\(track)") }
    if settings.metadata != .keep { parts.append("tags-\(settings.metadata.rawValue)") }
    return parts
  }
}
