public import AudioIO

extension AudioFormat {
  /// The row of this name, or failing that of this extension, in any case; `nil` when there is none.
  public static func named(_ text: String) -> AudioFormat? {
    let lowered = text.lowercased()
    return all.first { $0.id == lowered } ?? forExtension(lowered)
  }

  /// The row that is written for the name of a codec that stands in M4A files: `aac`, `alac`; `nil`
  /// for any other.
  public static func ofCodec(_ text: String) -> AudioFormat? {
    let ids = ["aac": "m4a-aac", "alac": "m4a-alac"]
    guard let id = ids[text.lowercased()] else { return nil }
    return all.first { $0.id == id }
  }

  /// The row that a file name extension (without dot, any case) stands for.
  public static func forExtension(_ text: String) -> AudioFormat? {
    let lowered = text.lowercased()
    return all.first { $0.extensions.contains(lowered) }
  }
}
