package import AudioIO
package import AudioModel
public import SystemPackage

/// The source of a conversion, an inspection or a picture.
public enum ConversionInput: Hashable, Sendable {
  /// A file.
  case file(FilePath)
  /// Standard input, spooled to an unnamed temporary file until it ends.
  case standardInput

  /// The path for messages; `-` for standard input.
  public var path: FilePath {
    switch self {
    case .file(let path): path
    case .standardInput: "-"
    }
  }

  /// Opens the input. A cancelled wait for it ends as `cannotRead` with `EINTR`. `raw` declares headerless samples, and
  /// `tagEncoding` the encoding of texts for which the file states none. If folders are given, a file must lie below one of them, and no symbolic link is followed below it.
  package func opened(
    _ cancellation: Cancellation, raw: RawPCM? = nil, tagEncoding: TextEncoding? = nil,
    beneath folders: [FilePath] = []
  ) throws(AudioFileError) -> InputFile {
    var file =
      switch self {
      case .file(let path):
        try InputFile(
          path: path, beneath: folders, isCancelled: { cancellation.isCancelled })
      case .standardInput:
        try InputFile(standardInput: .standardInput, isCancelled: { cancellation.isCancelled })
      }
    file.raw = raw
    file.tagEncoding = tagEncoding
    return file
  }
}

/// The destination of a conversion or a picture.
public enum ConversionOutput: Hashable, Sendable {
  /// A file, published completely or not at all.
  case file(FilePath)
  /// Standard output, written once the whole output is complete.
  case standardOutput

  /// The path for messages; `-` for standard output.
  public var path: FilePath {
    switch self {
    case .file(let path): path
    case .standardOutput: "-"
    }
  }
}
