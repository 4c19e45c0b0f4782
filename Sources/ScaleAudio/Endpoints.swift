/// Where a conversion reads from.
public enum ConversionInput: Hashable, Sendable {
  /// A file.
  case file(FilePath)
  /// Standard input, which is kept in a nameless temporary file until it has ended.
  case standardInput

  /// The path that messages name; `-` for standard input.
  public var path: FilePath {
    switch self {
    case .file(let path): path
    case .standardInput: "-"
    }
  }

  /// The input, opened; a cancelled wait for it ends as `cannotRead` with `EINTR`.
  func opened(_ cancellation: Cancellation) throws(AudioFileError) -> InputFile {
    switch self {
    case .file(let path):
      try InputFile(path: path, isCancelled: { cancellation.isCancelled })
    case .standardInput:
      try InputFile(standardInput: .standardInput, isCancelled: { cancellation.isCancelled })
    }
  }
}

/// Where a conversion writes to.
public enum ConversionOutput: Hashable, Sendable {
  /// A file, which comes into being whole or not at all.
  case file(FilePath)
  /// Standard output, written once the whole output is known to be good.
  case standardOutput

  /// The path that messages name; `-` for standard output.
  public var path: FilePath {
    switch self {
    case .file(let path): path
    case .standardOutput: "-"
    }
  }
}
