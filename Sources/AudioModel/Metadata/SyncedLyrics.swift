extension Metadata {
  /// Words or events with the moments at which they come (ID3v2 SYLT).
  public struct SyncedLyrics: Hashable, Sendable {
    /// One line or syllable.
    public struct Line: Hashable, Sendable {
      /// When it comes, in frames.
      public var start: Double
      public var text: String

      /// `text` at `start`.
      public init(start: Double, text: String) {
        self.start = start
        self.text = text
      }
    }

    /// The language, by three letters (ISO 639-2).
    public var language: String
    /// What it is, as ID3v2.4 section 4.9 numbers it: 1 is lyrics.
    public var contentType: UInt8
    public var description: String
    public var lines: [Line]

    /// Lines in a language.
    public init(
      language: String = "und", contentType: UInt8 = 1, description: String = "", lines: [Line]
    ) {
      self.language = language
      self.contentType = contentType
      self.description = description
      self.lines = lines
    }
  }
}
