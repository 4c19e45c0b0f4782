package import AudioModel

/// What was read of the tags of a file.
package struct TagContents: Hashable, Sendable {
  package var metadata = Metadata()
  /// What is in the tags and has no place in `metadata`, by the names people know: each once.
  package var notCarried: [String] = []
  /// What else the user should know.
  package var warnings: [String] = []

  package init() {}

  /// Notes something that has no place in `metadata`.
  ///
  /// Names beyond a hundred are a damaged file's, and one more says nothing.
  package mutating func note(_ name: String) {
    if notCarried.count < 100, !notCarried.contains(name) { notCarried.append(name) }
  }

  /// Adds what another tag of the same file says and this one does not.
  package mutating func complete(with other: TagContents) {
    let own = Set(metadata.comments.map { $0.name.uppercased() })
    metadata.comments += other.metadata.comments.filter { !own.contains($0.name.uppercased()) }
    if metadata.pictures.isEmpty { metadata.pictures = other.metadata.pictures }
    if metadata.chapters.isEmpty { metadata.chapters = other.metadata.chapters }
    if metadata.syncedLyrics.isEmpty { metadata.syncedLyrics = other.metadata.syncedLyrics }
    for name in other.notCarried { note(name) }
    warnings += other.warnings
  }
}
