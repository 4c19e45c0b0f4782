/// A fact about a source or an output that did not stop the work, as a value and as a sentence.
public struct AudioWarning: Hashable, Sendable, CustomStringConvertible {
  /// The subject of a warning. Raw values stay the same in every version.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The source, as its reader describes it: damage, bytes that are left out, chained streams.
    case source
    /// Samples of the source that are not finite, replaced by zero.
    case notFinite = "not-finite"
    /// A setting that does not apply to the output, and is ignored.
    case ignoredSetting = "ignored-setting"
    /// A part or a time map that extends beyond the source.
    case length
    /// A sample rate that the output's format lacks: the audio is resampled.
    case sampleRate = "sample-rate"
    /// A format or a depth that the output has instead of the source's.
    case format
    /// A channel layout that the output states instead of the source's.
    case layout
    /// A bit rate that the output cannot have.
    case bitRate = "bit-rate"
    /// A level that could not be measured or reached.
    case level
    /// A track that is not scaled as one stream with those beside it.
    case gapless
    /// The output, as its writer describes it.
    case output
    /// Tags, pictures, marks or chapters that the output lacks.
    case notCarried = "not-carried"
    /// Texts that are in an unknown encoding.
    case tagEncoding = "tag-encoding"
    /// A text file beside the audio that was not written.
    case sidecar
    /// A picture beside the audio that was not written.
    case picture
    /// An output that is missing in the journal.
    case journal
    /// A checksum that could not be computed.
    case checksum
  }

  /// The subject.
  public let kind: Kind
  /// One sentence in English, without a final period.
  public let text: String

  /// A warning.
  public init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }

  /// A warning about a source, as its reader describes it.
  package static func source(_ text: String) -> AudioWarning { AudioWarning(.source, text) }

  /// The ``text``.
  public var description: String { text }
}
