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
