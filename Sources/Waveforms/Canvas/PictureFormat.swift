/// A file format of pictures.
public enum PictureFormat: String, CaseIterable, Hashable, Sendable {
  /// Portable Network Graphics.
  case png
  /// Scalable Vector Graphics. Text stays text, with a title and a description.
  case svg
  /// Portable Document Format, with one page.
  case pdf

  /// The format of a file extension without its dot; `nil` for unknown extensions.
  public init?(fileExtension: String) {
    self.init(rawValue: fileExtension.lowercased())
  }
}

/// The reason why a picture could not be drawn.
public enum RenderingError: Error, Hashable, Sendable {
  /// The drawing library cannot be loaded.
  case unavailable(reason: String)
  /// A size is out of range.
  case badSize(reason: String)
  /// The drawing library failed.
  case failed(reason: String)

  /// The cause and the remedy, in one line.
  public var cause: String {
    switch self {
    case .unavailable(let reason):
      "drawing needs the Cairo library, which cannot be loaded (\(reason)); install libcairo2"
    case .badSize(let reason): reason
    case .failed(let reason): "drawing failed: \(reason)"
    }
  }
}
