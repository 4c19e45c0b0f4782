public import AudioModel

/// Why nothing can be heard.
public struct SoundError: ErrorWithRemedy, Hashable {
  /// What is wrong, with the name of the device if there is one.
  public let message: String
  /// What can be done about it.
  public let remedy: Remedy?

  /// The same as ``message``: no file is at fault.
  public var cause: String { message }

  package init(_ message: String, remedy: Remedy? = nil) {
    self.message = message
    self.remedy = remedy
  }
}
