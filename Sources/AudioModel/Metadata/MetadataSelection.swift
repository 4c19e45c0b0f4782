/// How much of what is attached to a source goes to the output.
public enum MetadataSelection: String, CaseIterable, Hashable, Sendable {
  /// Everything that the output's format can hold.
  case keep
  /// Everything but pictures.
  case text
  /// Nothing at all.
  case none
}

extension Metadata {
  /// What a selection lets through.
  public func selected(by selection: MetadataSelection) -> Metadata {
    switch selection {
    case .keep: return self
    case .none: return Metadata()
    case .text:
      var text = self
      text.pictures = []
      for index in text.chapters.indices { text.chapters[index].picture = nil }
      return text
    }
  }
}
