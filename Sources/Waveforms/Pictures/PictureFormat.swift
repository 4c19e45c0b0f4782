/// A file format that pictures are written in.
public enum PictureFormat: String, CaseIterable, Hashable, Sendable {
  /// Portable Network Graphics.
  case png
  /// Scalable Vector Graphics; text is outlines, so that it looks the same without its font.
  case svg
  /// Portable Document Format, one page.
  case pdf

  /// The format of files with this extension, without its dot; `nil` for others.
  public init?(fileExtension: String) {
    self.init(rawValue: fileExtension.lowercased())
  }
}

/// Why a picture could not be drawn.
public enum RenderingError: Error, Hashable, Sendable {
  /// The library that draws cannot be loaded, for this reason.
  case unavailable(reason: String)
  /// The picture would be too small, too large, or otherwise beyond sense.
  case badSize(reason: String)
  /// The library that draws failed, for this reason.
  case failed(reason: String)

  /// The cause and the remedy, on one line.
  public var cause: String {
    switch self {
    case .unavailable(let reason):
      "drawing takes the library Cairo, which cannot be loaded (\(reason)); install libcairo2"
    case .badSize(let reason): reason
    case .failed(let reason): "drawing failed: \(reason)"
    }
  }
}
