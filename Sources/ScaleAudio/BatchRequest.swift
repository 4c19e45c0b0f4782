/// What a user named as input.
public enum BatchInput: Hashable, Sendable {
  /// A file, or a folder to be walked.
  case path(FilePath)
  /// Standard input.
  case standardInput

  /// The path that messages name; `-` for standard input.
  public var path: FilePath {
    switch self {
    case .path(let path): path
    case .standardInput: "-"
    }
  }
}

/// What is to be converted, and how: what a ``BatchPlan`` is made from.
public struct BatchRequest: Hashable, Sendable {
  /// What the user named, in order.
  public var inputs: [BatchInput]
  /// Where outputs go.
  public var naming: OutputNaming
  /// What to make of the inputs.
  public var settings: ConversionSettings
  /// What is taken from folders.
  public var walker: FileWalker
  /// Whether jobs are skipped that the journal in their output folder records as done.
  ///
  /// Outputs in an output folder are always recorded; those beside their inputs only with this.
  public var resumes: Bool

  /// A request; by default everything audible in the folders, and nothing resumed.
  public init(
    inputs: [BatchInput], naming: OutputNaming, settings: ConversionSettings,
    walker: FileWalker = FileWalker(), resumes: Bool = false
  ) {
    self.inputs = inputs
    self.naming = naming
    self.settings = settings
    self.walker = walker
    self.resumes = resumes
  }
}
