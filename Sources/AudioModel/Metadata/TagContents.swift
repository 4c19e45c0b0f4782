/// The content of the tags of a file.
package struct TagContents: Hashable, Sendable {
  /// The maximum number of values to read: more are implausible, and slow to write.
  package static let maximumCommentCount = 1 << 14
  /// The maximum size of a tag to read, in bytes.
  package static let maximumByteCount = 64 << 20

  package var metadata = Metadata()
  /// Content of the tags that `metadata` cannot hold, without duplicates.
  package var notCarried: [MetadataLoss] = []
  /// Warnings for the user.
  package var warnings: [String] = []

  package init() {}

  /// Notes content that `metadata` cannot hold.
  ///
  /// Only a damaged file has more than a hundred names; further ones are dropped.
  package mutating func note(_ kind: MetadataLoss.Kind, _ text: String) {
    note(MetadataLoss(kind, text))
  }

  /// Notes content that `metadata` cannot hold.
  package mutating func note(_ loss: MetadataLoss) {
    if notCarried.count < 100, !notCarried.contains(loss) { notCarried.append(loss) }
  }

  /// Notes the content of another tag that contradicts this one, which takes precedence.
  package mutating func noteOverridden(of other: TagContents, in place: String) {
    var own: [String: [String]] = [:]
    for comment in metadata.comments {
      own[comment.name.uppercased(), default: []].append(comment.value)
    }
    for comment in other.metadata.comments where !StaleTags.isTechnical(comment.name) {
      guard let values = own[comment.name.uppercased()] else { continue }
      if !Self.holds(comment, values) { note(.tag, "\(comment.name) of \(place)") }
    }
    func adds<Item: Equatable>(_ items: [Item], to own: [Item]) -> Bool {
      !own.isEmpty && items.contains { !own.contains($0) }
    }
    if adds(other.metadata.pictures.map(\.data), to: metadata.pictures.map(\.data)) {
      note(.picture, "pictures of \(place)")
    }
    if adds(other.metadata.chapters, to: metadata.chapters) {
      note(.chapter, "chapters of \(place)")
    }
    if adds(other.metadata.syncedLyrics, to: metadata.syncedLyrics) {
      note(.lyrics, "synchronized lyrics of \(place)")
    }
  }

  /// True if a field's values include another tag's value, which may be joined or in Latin-1.
  private static func holds(_ comment: Metadata.Comment, _ values: [String]) -> Bool {
    let value = comment.value
    let joined = ["; ", "/", ", ", " / "].map { values.joined(separator: $0) }
    switch comment.name.uppercased() {
    case "DATE" where values.contains { $0.hasPrefix(value) || value.hasPrefix($0) }: return true
    case "TRACKNUMBER", "DISCNUMBER":
      func number(_ text: String) -> Int? { Int(text.prefix { $0 != "/" }) }
      if let own = number(value), values.contains(where: { number($0) == own }) { return true }
    default: break
    }
    return (values + joined).contains { own in
      let plain = String(
        String.UnicodeScalarView(own.unicodeScalars.map { $0.value < 256 ? $0 : "?" }))
      return own == value || plain == value
    }
  }

  /// Adds the content of another tag of the same file that this one lacks, and notes what contradicts it.
  ///
  /// `place` names the other tag; `nil` if both may differ in their forms of names.
  package mutating func complete(with other: TagContents, from place: String? = nil) {
    if let place { noteOverridden(of: other, in: place) }
    let own = Set(metadata.comments.map { $0.name.uppercased() })
    metadata.comments += other.metadata.comments.filter { !own.contains($0.name.uppercased()) }
    if metadata.pictures.isEmpty { metadata.pictures = other.metadata.pictures }
    if metadata.chapters.isEmpty { metadata.chapters = other.metadata.chapters }
    if metadata.syncedLyrics.isEmpty { metadata.syncedLyrics = other.metadata.syncedLyrics }
    if metadata.trackLanguage == nil { metadata.trackLanguage = other.metadata.trackLanguage }
    metadata.add(other.metadata.storedTexts)
    for loss in other.notCarried { note(loss) }
    warnings += other.warnings
  }
}
