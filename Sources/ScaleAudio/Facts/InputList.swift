#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The files that a user's inputs mean, folders walked, for work that makes no outputs.
public struct InputList: Hashable, Sendable {
  /// What to read, in the order of the inputs, folders in the order of their walk.
  public private(set) var inputs: [ConversionInput] = []
  /// Folders that could not be read, and links that lead nowhere.
  public private(set) var problems: [AudioFileError] = []
  /// Whether there is nothing: folders held no audio, and every file named is missing.
  public private(set) var isWithoutFiles = true

  /// Walks the folders.
  public init(
    _ inputs: [BatchInput], walker: FileWalker, cancellation: Cancellation = Cancellation()
  ) {
    for input in inputs { add(input, walker, cancellation) }
  }

  private mutating func add(
    _ input: BatchInput, _ walker: FileWalker, _ cancellation: Cancellation
  ) {
    switch input {
    case .standardInput:
      inputs.append(.standardInput)
      isWithoutFiles = false
    case .path(let path):
      let status = FileStatus(path: path)
      let isMissing = status == nil && (errno == ENOENT || errno == ENOTDIR)
      guard status?.kind == .folder else {
        inputs.append(.file(path))
        if !isMissing { isWithoutFiles = false }
        return
      }
      let findings = walker.walk(path, cancellation: cancellation)
      problems += findings.problems
      inputs += findings.files.map { .file($0.path) }
      if !findings.files.isEmpty { isWithoutFiles = false }
    }
  }
}
