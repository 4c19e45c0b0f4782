public import AudioModel

/// Why nothing can be heard.
public struct SoundError: ErrorWithRemedy, Hashable {
  /// What is wrong, with the name of the device if there is one.
  public let message: String
  public let remedy: Remedy?

  public var cause: String { message }

  package init(_ message: String, remedy: Remedy? = nil) {
    self.message = message
    self.remedy = remedy
  }
}
