/// Where outputs go and what they are called.
///
/// The suffix is put after the stem of what the user named: `in.flac` becomes `in-x1.5.flac` and the
/// folder `Music` becomes `Music-x1.5`, whose files keep their names.
public struct OutputNaming: Hashable, Sendable {
  /// Where outputs go.
  public enum Destination: Hashable, Sendable {
    /// Files beside their inputs; folders mirrored in a folder beside them.
    case beside
    /// A file, when there is one input and it is a file; else, or when it is there, a folder.
    case path(FilePath)
    /// A folder, made when it is missing.
    case folder(FilePath)
    /// Standard output, for one input.
    case standardOutput
  }

  /// Where outputs go.
  public var destination: Destination
  /// What is put after a stem, without a slash.
  public var suffix: String

  /// Names for outputs; without `suffix` it says what was asked for.
  public init(
    destination: Destination = .beside, suffix: String? = nil, time: TimeRequest,
    method: ScalingMethod = .smoothstep
  ) {
    self.destination = destination
    self.suffix = suffix ?? Self.defaultSuffix(for: time, method: method)
  }

  /// `-x1.5` for a factor, `-90s` for a duration, `-mapped` for a time map; where the pitch is moved,
  /// `-pitch-2` behind it, or alone where the length stays. At most six decimals.
  public static func defaultSuffix(
    for time: TimeRequest, method: ScalingMethod = .smoothstep
  ) -> String {
    let length =
      switch time {
      case .factor(let factor): "-x" + decimal(factor.value)
      case .duration(let seconds): "-" + decimal(seconds) + "s"
      case .map: "-mapped"
      }
    guard method.semitones != 0 else { return length }
    let pitch = "-pitch" + decimal(method.semitones)
    return length == "-x1" ? pitch : length + pitch
  }

  /// A number with at most six decimals, without zeros at its end.
  private static func decimal(_ value: Double) -> String {
    if value < 0 { return "-" + decimal(-value) }
    guard let millionths = Int(exactly: (value * 1_000_000).rounded()) else { return "\(value)" }
    let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
    var decimals = String(rest)
    decimals = String(repeating: "0", count: 6 - decimals.count) + decimals
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return decimals.isEmpty ? "\(whole)" : "\(whole).\(decimals)"
  }

  /// The name of a file's output: stem, suffix, extension.
  ///
  /// `fileExtension` replaces the input's own.
  func outputName(for input: FilePath, fileExtension: String?) -> FilePath {
    let name = FileName(input)
    return FilePath(
      bytes: name.stem + Array(suffix.utf8) + name.dotted(fileExtension))
  }

  /// The path below a mirror folder of a file found at `relativePath` below the folder mirrored.
  func mirroredPath(of relativePath: FilePath, fileExtension: String?) -> FilePath {
    let name = FileName(relativePath)
    return relativePath.removingLastComponent()
      .appending(FilePath(bytes: name.stem + name.dotted(fileExtension)).components)
  }

  /// The folder that mirrors `folder` when no destination was named; `nil` for the root, which has
  /// nothing beside it.
  func mirrorFolder(of folder: FilePath) -> FilePath? {
    var named = folder
    // `.` and `..` have no name of their own.
    if named.lastComponent?.kind != .regular { named = RealPath.resolve(folder) }
    guard let name = named.lastComponent, name.kind == .regular else { return nil }
    let mirror = FilePath(bytes: FilePath(root: nil, [name]).bytes + Array(suffix.utf8))
    return named.removingLastComponent().appending(mirror.components)
  }
}

/// The parts of a file's name, as bytes.
struct FileName {
  let stem: [UInt8]
  /// The extension with its dot, or nothing.
  private let ending: [UInt8]

  init(_ path: FilePath) {
    let bytes = path.lastComponent.map { FilePath(root: nil, [$0]).bytes } ?? []
    // A dot at the start makes a name hidden; it begins no extension.
    if let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 {
      stem = Array(bytes[..<dot])
      ending = Array(bytes[dot...])
    } else {
      stem = bytes
      ending = []
    }
  }

  /// The ending with another extension, or its own.
  func dotted(_ fileExtension: String?) -> [UInt8] {
    fileExtension.map { Array(".\($0)".utf8) } ?? ending
  }
}
