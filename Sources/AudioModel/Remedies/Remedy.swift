/// An error that names its cause and, as a value, what can be done about it.
public protocol ErrorWithRemedy: Error {
  /// One line: the file at fault, if any, and the cause.
  var message: String { get }
  /// The cause, without the file's name.
  var cause: String { get }
  /// A way to solve the problem; `nil` if none is known.
  var remedy: Remedy? { get }
}

/// A way for a person to solve a problem, as a value. Each program words it for its own options or
/// controls.
public enum Remedy: Hashable, Sendable {
  /// A setting that a remedy can name.
  public enum Setting: String, CaseIterable, Hashable, Sendable {
    case bitRate, quality, compressionLevel, sampleFormat, sampleRate, track, downmix
    case channels, range, partStart, partEnd, only, pixelsPerSecond, port, listenAddress, bpm
    case strict
  }

  /// Decode what is left of a damaged file.
  case salvage
  /// Declare what the samples of a file without a header are.
  case declareRaw
  /// Look up which formats can be read; the samples of a file without a header need a declaration.
  case seeFormats
  /// Make the file again, or repair its header.
  case repairHeader
  /// Replace the output that exists, or keep it and skip the work.
  case replaceOrSkip
  /// Run the same work again.
  case retry
  /// Free space on the output's file system, then run the same work again.
  case freeSpace
  /// Write in one of these formats, by identifier and best first: they hold what the other does not.
  case useFormat([String])
  /// Name the format to write.
  case chooseFormat
  /// Name the format to write, or mark the output as a folder.
  case chooseFormatOrFolder
  /// Write the nearest layout that the format can state.
  case allowLayoutLoss
  /// Merge all channels into one.
  case mergeChannels
  /// Give a setting a value as described, such as `from 0 to 8`.
  case set(Setting, to: String)
  /// Give a setting another value.
  case change([Setting])
  /// Leave a setting out, or write in one of these formats, by identifier.
  case omit(Setting, orUseFormat: [String])
  /// Choose this method, by its name.
  case useMethod(String)
  /// Choose another output or another suffix.
  case chooseOutput
  /// Choose another output.
  case chooseOutputFile
  /// Choose a shorter name for the output.
  case shortenName
  /// Name an output: a file or a stream.
  case nameOutput
  /// Write what would be heard into a file.
  case writeSound
  /// Name a folder for several outputs.
  case nameOutputFolder
  /// Name fewer inputs, or write beside them.
  case separateOutputs
  /// Keep the folders of the inputs below this one.
  case keepFolders(below: String)
  /// Keep the extensions of the sources in the names of the outputs.
  case keepExtensions
  /// Name the outputs by a template such as `{parent}-{stem}.{ext}`.
  case nameOutputs(template: String)
  /// Write in a format that holds what would be lost, or allow the loss.
  case allowLosses
  /// Do something that only words can describe, in the imperative: `install FFmpeg's libraries`.
  case act(String)
  /// Any one of several remedies, best first.
  indirect case any([Remedy])
}
