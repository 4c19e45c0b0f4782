internal import AudioFiles
internal import AudioIO
public import AudioModel
public import SystemPackage

/// Why outputs cannot be planned; nothing has been started.
public enum PlanningError: ErrorWithRemedy, Hashable, Sendable {
  /// Two jobs that cannot both be done.
  public enum Conflict: Hashable, Sendable {
    /// Two inputs would have the same output.
    case sameOutput(FilePath, FilePath, output: FilePath)
    /// The output of one input would replace an input, itself or another.
    case outputIsInput(FilePath, output: FilePath, other: FilePath)

    /// One line that names the files.
    public var message: String {
      switch self {
      case .sameOutput(let first, let second, let output) where first == second:
        "several outputs of \(first.printable) would be \(output.printable)"
      case .sameOutput(let first, let second, let output):
        "\(first.printable) and \(second.printable) would both become \(output.printable)"
      case .outputIsInput(let input, let output, let other) where input == other:
        "the output of \(input.printable) would be \(output.printable), which is the input itself"
      case .outputIsInput(let input, let output, let other):
        "the output of \(input.printable) would be \(output.printable), "
          + "which is the input \(other.printable)"
      }
    }
  }

  /// All jobs are in conflict.
  case conflicts([Conflict], remedy: Remedy)
  /// No output can be written beside this input.
  case needsOutput(FilePath)
  /// The name of an input that can be read only once does not show its format.
  case needsFormat(FilePath)
  /// The extension of an output is not that of a writable format.
  case unknownExtension(FilePath)
  /// The extension of an output is that of the format `other`, not of the chosen format; both are display names.
  case otherExtension(FilePath, other: String, format: String)
  /// The template has a placeholder without a value, because the request does not state this number.
  case placeholderWithoutValue(NameTemplate.Placeholder)
  /// An input is not below the folder whose tree is to be mirrored.
  case notBelow(FilePath, base: FilePath)
  /// A pipe, which can be read only once, has several outputs.
  case readOnce(FilePath)
  /// The output must be a folder, but is not one.
  case notAFolder(FilePath)
  /// The output must be a file, but is a folder.
  case isAFolder(FilePath)
  /// Several files, or a folder, cannot go to standard output.
  case severalToStandardOutput
  /// The factor is outside `TimeFactor.range`.
  case factorOutOfRange(Double)
  /// The work was asked to stop.
  case cancelled

  /// A way to solve the problem; `nil` if none is known.
  public var remedy: Remedy? {
    switch self {
    case .conflicts(_, let remedy): remedy
    case .needsOutput: .nameOutput
    case .notAFolder: .nameOutputFolder
    case .notBelow: .act("name a folder that holds all inputs")
    case .needsFormat: .chooseFormat
    case .unknownExtension: .chooseFormatOrFolder
    case .otherExtension: .any([.chooseOutputFile, .chooseFormat])
    default: nil
    }
  }

  /// The ``message``.
  public var cause: String { message }

  /// The cause: one line, or one for each conflict.
  public var message: String {
    switch self {
    case .conflicts(let conflicts, _):
      Self.list(conflicts) + "\nNothing was started"
    case .needsOutput(let path):
      "\(path.printable): no output can go beside it"
    case .needsFormat(let path):
      "\(path.printable): its name does not show the format to write"
    case .unknownExtension(let path):
      "\(path.printable): cannot write \(Self.unwritable(path))"
    case .otherExtension(let path, let other, let format):
      "\(path.printable): the extension means \(other), but the format is \(format)"
    case .placeholderWithoutValue(let placeholder):
      "{\(placeholder.rawValue)} in a name needs \(placeholder.need), which was not requested"
    case .notBelow(let path, let base):
      "\(path.printable): not inside \(base.printable), the folder that the outputs mirror"
    case .readOnce(let path):
      "\(path.printable): can be read only once, so it cannot have several outputs"
    case .notAFolder(let path):
      "\(path.printable): not a folder; several outputs need a folder"
    case .isAFolder(let path):
      "\(path.printable): a folder; name a file to write"
    case .severalToStandardOutput:
      "standard output takes only one output; give one input and one factor, speed or pitch"
    case .factorOutOfRange(let factor): "a factor of \(factor) is not within 0.01 to 100"
    case .cancelled: "stopped before it was started"
    }
  }

  /// `AAC, only M4A: a.m4a` for a format that has a writable relative, otherwise `this format`.
  private static func unwritable(_ path: FilePath) -> String {
    guard let format = path.extension.flatMap(AudioFormat.forExtension), !format.isWritable,
      let written = format.writtenForm, let fileExtension = written.extensions.first
    else { return "this format" }
    var other = path
    other.extension = fileExtension
    return "\(format.name), only \(written.name): \(other.printable)"
  }

  private static func list(_ conflicts: [Conflict]) -> String {
    let shown = conflicts.prefix(20).map(\.message)
    let more = conflicts.count - shown.count
    return (shown + (more > 0 ? ["and \(more) more like these"] : [])).joined(separator: "\n")
  }
}

extension PlanningError: CustomStringConvertible {
  /// The ``message``.
  public var description: String { message }
}
