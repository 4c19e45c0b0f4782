/// What is attached to audio: text tags, pictures, and everything that speaks of its time.
///
/// Names are those of Vorbis comments, the widest vocabulary among the formats: any name, any
/// number of values, in order.
public struct Metadata: Hashable, Sendable {
  /// One text tag.
  public struct Comment: Hashable, Sendable {
    /// The field's name as written, such as `TITLE`; compared without case.
    public var name: String
    /// The field's value.
    public var value: String
    /// The language of the value, by three letters (ISO 639-2), where the file gives one (ID3v2's
    /// comments and lyrics).
    public var language: String?

    /// A tag of this name and value.
    public init(name: String, value: String, language: String? = nil) {
      self.name = name
      self.value = value
      self.language = language
    }
  }

  /// The text tags, in file order.
  public var comments: [Comment]
  /// The pictures, in file order.
  public var pictures: [Picture]
  /// The chapters, in the order of their time.
  public var chapters: [Chapter] = []
  /// Cue points, markers and regions, in file order.
  public var marks: [Mark] = []
  /// How a sampler plays the audio.
  public var instrument: Instrument?
  /// The tempo of a loop.
  public var loopProperties: LoopProperties?
  /// The tracks of a disc.
  public var cueSheet: CueSheet?
  /// Lyrics with times.
  public var syncedLyrics: [SyncedLyrics] = []
  /// The content of a broadcast extension chunk (EBU Tech 3285 `bext`).
  public var broadcastExtension: [UInt8]?

  /// Tags and pictures; by default none.
  public init(comments: [Comment] = [], pictures: [Picture] = []) {
    self.comments = comments
    self.pictures = pictures
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { self == Metadata() }

  /// The values of a field, compared without case.
  public func values(_ name: String) -> [String] {
    comments.filter { $0.name.uppercased() == name.uppercased() }.map(\.value)
  }
}
