public import AudioIO
public import AudioModel
package import SystemPackage

/// The treatment of an output that exists already.
public enum ExistingOutput: String, Hashable, Sendable {
  /// The conversion fails, and the existing file stays.
  case refuse
  /// The complete output replaces the existing file in one step.
  case replace
  /// The conversion is skipped.
  case skip
}

/// How a conversion treats files: everything besides the sound and the tags of its output.
public struct FilePolicy: Hashable, Sendable {
  /// The treatment of an output that exists already.
  public var existing: ExistingOutput
  /// The declaration of headerless inputs; `nil` if their content shows the format.
  public var raw: RawPCM?
  /// The encoding of tags, marks and cue sheets for which a file states none; `nil` if it is not known.
  public var tagEncoding: TextEncoding?
  /// True if the readable part of a damaged input is converted; otherwise the input is refused.
  public var salvages: Bool
  /// True if text files named like the input (lyrics, cue sheets, subtitles, labels) are scaled too.
  public var scalesSidecars: Bool
  /// True if a picture of source and result is drawn beside the output, as PNG under its name.
  public var drawsPicture: Bool
  /// True if the output gets the source's modification and access times.
  public var keepsFileTimes: Bool
  /// True if an output is flushed to the disk before it is published, so that a power failure cannot
  /// leave a partial file under its name.
  public var syncsOutput: Bool
  /// True if a conversion fails where its output would lack anything of its source; see ``PlannedOutput/losses``.
  public var refusesLosses = false
  /// True if the finished output is read again for ``ConversionReport/samplesSHA256``.
  public var hashesSamples = false
  /// True if the finished output is read again for ``ConversionReport/file``.
  public var hashesFile = false
  /// True if a file that an output replaces stays beside it, as `name (1).wav` or with the next number.
  package var keepsReplaced = false
  /// Folders below one of which inputs and their sidecars must lie, with no symbolic link on the way; empty if they may be
  /// anywhere.
  package var inputRoots: [FilePath] = []
  /// Folders below one of which everything must lie that is written: outputs, their sidecars and pictures, new folders and
  /// journals, with no symbolic link on the way; empty if they may be anywhere.
  package var outputRoots: [FilePath] = []

  /// A policy; by default existing and damaged files are refused, and outputs are flushed to the disk.
  public init(
    existing: ExistingOutput = .refuse, salvages: Bool = false, scalesSidecars: Bool = false,
    drawsPicture: Bool = false, keepsFileTimes: Bool = false, syncsOutput: Bool = true
  ) {
    self.existing = existing
    self.salvages = salvages
    self.scalesSidecars = scalesSidecars
    self.drawsPicture = drawsPicture
    self.keepsFileTimes = keepsFileTimes
    self.syncsOutput = syncsOutput
  }
}
