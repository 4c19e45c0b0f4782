/// Texts of a file as it stores them, where that is not UTF-8.
///
/// An output with the same kind of tag gets the same bytes.
package struct StoredTexts: Hashable, Sendable {
  /// The kind of tag that holds the texts, and of the marks beside it; `nil` for Vorbis comments, which are UTF-8 in any
  /// output.
  package let kind: Metadata.Comment.Item.Kind?
  /// The stored bytes of texts.
  package var bytes: [String: [UInt8]] = [:]
  /// The texts whose encoding was assumed, because nothing states it.
  package var assumed: Set<String> = []
  /// Texts of ID3v2 that are labeled Latin-1, though their bytes seem to be of another encoding. ID3v2 keeps the label,
  /// so that programs that know better find the same bytes.
  package var latin1: Set<String> = []
  /// The name of the declared encoding; `nil` if there is none.
  package var encoding: String?
  /// The content of RIFF's `CSET` chunk, which declares the encoding.
  package var characterSet: [UInt8]?

  /// No texts in a kind of tag.
  package init(kind: Metadata.Comment.Item.Kind?) { self.kind = kind }

  /// The texts of ID3v2 that are labeled Latin-1; `nil` if they may be.
  package init?(labeledLatin1 texts: Set<String>) {
    guard texts.contains(where: Self.isMislabeled) else { return nil }
    self.init(kind: .id3)
    latin1 = texts
    assumed = texts
  }

  /// True if a text in Latin-1 has control characters, several accents or signs in a row that differ, or nothing but
  /// such: so are other alphabets and CJK read as Latin-1, and the quotation marks of Windows.
  package static func isMislabeled(_ text: String) -> Bool {
    let values = text.unicodeScalars.map(\.value)
    if values.contains(where: { (0x80..<0xA0).contains($0) }) { return true }
    let runs = values.split { $0 < 0x80 }
    if runs.contains(where: { $0.count >= 4 && Set($0).count >= 3 }) { return true }
    let hasASCII = values.contains { $0 < 0x80 && Character(Unicode.Scalar($0) ?? " ").isLetter }
    return !hasASCII && values.count { $0 >= 0xC0 } >= 2
  }

  /// Adds the texts of another part of the same file.
  package mutating func add(_ other: StoredTexts) {
    bytes.merge(other.bytes) { own, _ in own }
    assumed.formUnion(other.assumed)
    latin1.formUnion(other.latin1)
    encoding = encoding ?? other.encoding
    characterSet = characterSet ?? other.characterSet
  }
}

extension Metadata {
  /// Adds texts of the file as they are stored.
  package mutating func add(_ texts: StoredTexts?) {
    guard let texts else { return }
    guard let own = storedTexts else { return storedTexts = texts }
    // Chunks keep the bytes of all their texts, and ID3v2 those of some.
    var both = own.kind == .id3 ? texts : own
    both.add(own.kind == .id3 ? own : texts)
    storedTexts = both
  }

  /// The texts in an unknown encoding that an output with another kind of tag gets, in order.
  package func assumedTexts(writtenTo form: Metadata.Comment.Item.Kind?) -> [String] {
    guard let stored = storedTexts, stored.kind == nil || stored.kind != form,
      !stored.assumed.isEmpty
    else { return [] }
    let texts =
      comments.map(\.value) + marks.flatMap { [$0.label, $0.note, $0.text] } + chapters.map(\.title)
    return texts.filter { stored.assumed.contains($0) }
  }
}
