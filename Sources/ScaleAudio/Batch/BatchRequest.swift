public import SystemPackage

/// The inputs, outputs and settings of a ``Batch``.
public struct BatchRequest: Hashable, Sendable {
  /// The inputs that the user named, in order.
  public var inputs: [NamedInput]
  /// The destination of the outputs.
  public var destination: OutputDestination
  /// A folder whose tree the outputs of the inputs below it mirror, including those of files named directly. `nil`
  /// names the outputs of files after their names alone, and mirrors each folder by itself.
  public var base: FilePath?
  /// The text after the stem of a name, without a slash; `nil` for one that shows the requested change.
  public var suffix: String?
  /// The template for the names of outputs, instead of stem and suffix; for folders, below the output folder.
  public var template: NameTemplate?
  /// True if the extension of an input stays before a different one, as in `in-x1.5.wav.flac`.
  public var keepsExtensions = false
  /// True if names show the method, false if they do not; `nil` to show it only if it is not the
  /// default.
  public var showsMethod: Bool?
  /// The sound, encoding and tags of the outputs.
  public var settings: ConversionSettings
  /// The settings of further outputs of each input.
  public var otherSettings: [ConversionSettings] = []
  /// How files are treated.
  public var files: FilePolicy
  /// The rules that select files in folders.
  public var walker: FileWalker
  /// True if jobs are skipped that were done before, according to a journal in their output folder.
  ///
  /// Without a journal entry, an existing output counts as done if it is no older than its source, and has the
  /// format, length, rate, channels and depth that the job would give it.
  public var resumes: Bool

  /// A request; by default every audio file in the folders is converted, beside its input.
  public init(
    inputs: [NamedInput], destination: OutputDestination = .beside, suffix: String? = nil,
    settings: ConversionSettings, files: FilePolicy = FilePolicy(),
    walker: FileWalker = FileWalker(), resumes: Bool = false
  ) {
    self.inputs = inputs
    self.destination = destination
    self.suffix = suffix
    self.settings = settings
    self.files = files
    self.walker = walker
    self.resumes = resumes
  }

  /// The folder for the outputs of folders, below the folder for all outputs: one for each of several requests,
  /// unless a template names them.
  func tree(of naming: OutputNaming, below folder: FilePath) -> FilePath {
    let isOne = otherSettings.isEmpty || template != nil
    return isOne ? folder : folder.appending(naming.subfolder.components)
  }

  /// The names of the outputs with some settings.
  func naming(_ settings: ConversionSettings) -> OutputNaming {
    var naming =
      suffix.map { OutputNaming(suffix: $0) }
      ?? OutputNaming(of: settings, showsMethod: showsMethod)
    naming.template = template
    naming.keepsExtension = keepsExtensions
    return naming
  }
}
