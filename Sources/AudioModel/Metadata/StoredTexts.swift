/// Texts of a file as it stores them, where that is not UTF-8.
///
/// An output with the same kind of tag gets the same bytes.
package struct StoredTexts: Hashable, Sendable {
  /// The kind of tag that holds the texts, and of the marks beside it.
  package let kind: Metadata.Comment.Item.Kind
  /// The stored bytes of texts.
  package var bytes: [String: [UInt8]] = [:]
  /// The texts whose encoding was assumed, because nothing states it.
  package var assumed: Set<String> = []
  /// The name of the declared encoding; `nil` if there is none.
  package var encoding: String?
  /// The content of RIFF's `CSET` chunk, which declares the encoding.
  package var characterSet: [UInt8]?

  /// No texts in a kind of tag.
  package init(kind: Metadata.Comment.Item.Kind) { self.kind = kind }

  /// Adds the texts of another part of the same file.
  package mutating func add(_ other: StoredTexts) {
    bytes.merge(other.bytes) { own, _ in own }
    assumed.formUnion(other.assumed)
    encoding = encoding ?? other.encoding
    characterSet = characterSet ?? other.characterSet
  }
}

extension Metadata {
  /// Adds texts of the file as they are stored.
  package mutating func add(_ texts: StoredTexts?) {
    guard let texts else { return }
    if storedTexts == nil { storedTexts = texts } else { storedTexts?.add(texts) }
  }

  /// The texts in an unknown encoding that an output with another kind of tag gets, in order.
  package func assumedTexts(writtenTo form: Metadata.Comment.Item.Kind?) -> [String] {
    guard let stored = storedTexts, stored.kind != form, !stored.assumed.isEmpty else { return [] }
    let texts =
      comments.map(\.value) + marks.flatMap { [$0.label, $0.note, $0.text] } + chapters.map(\.title)
    return texts.filter { stored.assumed.contains($0) }
  }
}
