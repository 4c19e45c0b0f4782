extension Metadata {
  /// A stretch of the audio with a title.
  ///
  /// Moments are in frames at the audio's sample rate; they need not be whole until they are written.
  public struct Chapter: Hashable, Sendable {
    /// Where it begins, in frames.
    public var start: Double
    /// Where it ends, in frames; `nil` for where the next one begins, or the audio ends.
    public var end: Double?
    /// What it is called; may be empty.
    public var title: String
    /// An address that belongs to it.
    public var address: String?
    /// A picture that belongs to it.
    public var picture: Picture?

    /// A chapter from `start` on.
    public init(
      start: Double, end: Double? = nil, title: String, address: String? = nil,
      picture: Picture? = nil
    ) {
      self.start = start
      self.end = end
      self.title = title
      self.address = address
      self.picture = picture
    }
  }
}
