/// Metadata of a source that an output lacks, as a value and as a phrase.
public struct MetadataLoss: Hashable, Sendable, CustomStringConvertible {
  /// The kind of metadata. Raw values stay the same in every version.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A text tag, a number, or a part of one.
    case tag
    /// A picture, or its type and description.
    case picture
    /// A chapter, or a part of one.
    case chapter
    /// A cue point, marker, region, loop, or an instrument.
    case mark
    /// Lyrics with times.
    case lyrics
    /// A chunk or block of the container, such as `iXML`.
    case chunk
    /// An attached file.
    case attachment
  }

  /// The kind of metadata.
  public let kind: Kind
  /// A name of the missing metadata, such as `tag RVA2` or `pictures of chapters`.
  public let text: String

  /// A loss.
  public init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }

  /// The ``text``.
  public var description: String { text }
}
