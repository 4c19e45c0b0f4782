/// Why a request cannot be planned; nothing has been started.
public enum BatchPlanError: Error, Hashable, Sendable {
  /// Two jobs of a batch that cannot both be done.
  public enum Conflict: Hashable, Sendable {
    /// Two inputs would have one output.
    case sameOutput(FilePath, FilePath, output: FilePath)
    /// The output of one input would replace an input, itself or another.
    case outputIsInput(FilePath, output: FilePath, other: FilePath)

    /// One line that names the files and the remedy.
    public var message: String {
      switch self {
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

  /// Jobs stand in each other's way.
  case conflicts([Conflict])
  /// An input has no place of its own beside which its output could go.
  case needsOutput(FilePath)
  /// The format of an input that can be read only once is not told by its name.
  case needsFormat(FilePath)
  /// An output's extension names no format that is written.
  case unknownExtension(FilePath)
  /// The output must be a folder but is something else.
  case notAFolder(FilePath)
  /// The output must be a file but is a folder.
  case isAFolder(FilePath)
  /// Standard output takes one file, and there are more or a folder.
  case severalToStandardOutput
  /// The work was asked to stop.
  case cancelled

  /// What is wrong and what to do about it; a line, or one for each conflict.
  public var message: String {
    switch self {
    case .conflicts(let conflicts):
      Self.list(conflicts)
        + "\nNothing was started. Choose another --output or --suffix, or name fewer inputs."
    case .needsOutput(let path):
      "\(path.printable): an output must be named for it: -o FILE, or -o - for standard output"
    case .needsFormat(let path):
      "\(path.printable): its name does not tell the format to write: choose a --format"
    case .unknownExtension(let path):
      "\(path.printable): its extension names no format that is written: choose a --format, "
        + "or end it with / if it is a folder"
    case .notAFolder(let path):
      "\(path.printable): not a folder, and several outputs need one"
    case .isAFolder(let path):
      "\(path.printable): a folder; name a file to write"
    case .severalToStandardOutput: "standard output takes one file: name one input"
    case .cancelled: "stopped before it was started"
    }
  }

  private static func list(_ conflicts: [Conflict]) -> String {
    let shown = conflicts.prefix(20).map(\.message)
    let more = conflicts.count - shown.count
    return (shown + (more > 0 ? ["and \(more) more like these"] : [])).joined(separator: "\n")
  }
}

extension BatchPlanError: CustomStringConvertible {
  public var description: String { message }
}
