/// Content of a source that an output lacks, mostly metadata, as a value and as a phrase.
public struct MetadataLoss: Hashable, Sendable, CustomStringConvertible {
  /// The kind of content. Raw values stay the same in every version.
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
    /// The position of a speaker.
    case speaker
    /// Precision: of samples, or of times.
    case precision
    /// A text file beside the audio, or a part of one.
    case sidecar
    /// Content that the reader of the source left out, as it describes it.
    case source
  }

  /// The kind of content.
  public let kind: Kind
  /// A name of the missing metadata, such as `tag RVA2` or `pictures of chapters`.
  public let text: String

  /// A loss.
  public init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }

  /// The ``text``.
  public var description: String { text }
}

extension [MetadataLoss] {
  /// The texts as a list: `iXML, pictures and 3 more`.
  package func listed(most: Int = 20) -> String {
    let names = prefix(most).map(\.text).joined(separator: ", ")
    return count > most ? "\(names) and \(count - most) more" : names
  }
}
