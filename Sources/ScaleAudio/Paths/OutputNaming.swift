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

  /// `-x1.5` for a factor, `-90s` for a duration, `-90000f` for frames, `-mapped` for a time map; if the pitch is moved,
  /// followed by `-pitch-2`, or `-pitch-2` alone if the length stays. At most six decimals.
  static func defaultSuffix(
    for time: TimeRequest, method: ScalingMethod = .smoothstep
  ) -> String {
    let length =
      switch time {
      case .factor(let factor): "-x" + decimal(factor.value)
      case .duration(let seconds): "-" + decimal(seconds) + "s"
      case .frames(let frames): "-\(frames)f"
      case .map: "-mapped"
      }
    guard method.semitones != 0 else { return length }
    let pitch = "-pitch" + decimal(method.semitones)
    return length == "-x1" ? pitch : length + pitch
  }

  /// A number with at most six decimals, without trailing zeros.
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

  /// The path below the mirror folder for a file at `relativePath` below the mirrored folder.
  func mirroredPath(of relativePath: FilePath, fileExtension: String?) -> FilePath {
    let name = FileName(relativePath)
    return relativePath.removingLastComponent()
      .appending(FilePath(bytes: name.stem + name.dotted(fileExtension)).components)
  }

  /// The folder that mirrors `folder` beside it; `nil` for the root.
  func mirrorFolder(of folder: FilePath) -> FilePath? {
    var named = folder
    // `.` and `..` are not names.
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
    // A leading dot makes a name hidden; it does not begin an extension.
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
