/// The metadata of audio: text tags, pictures, and everything that refers to positions in the audio.
///
/// Field names follow Vorbis comments, the most general of the formats: any name, any number of values, in
/// order.
public struct Metadata: Hashable, Sendable {
  /// One text tag.
  public struct Comment: Hashable, Sendable {
    /// The field's name as written, such as `TITLE`; compared without case.
    public var name: String
    /// The field's value.
    public var value: String
    /// The three-letter language code of the value (ISO 639-2), if the file gives one (ID3v2 comments and
    /// lyrics, user data of QuickTime and 3GPP).
    public var language: String?
    /// The item of the file that holds it, if the name alone does not identify it. A tag of the same kind gets the same
    /// item.
    package var item: Item? = nil

    /// A tag with a name and a value.
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
  /// The chapters, in the order of time.
  public var chapters: [Chapter] = []
  /// Cue points, markers and regions, in file order.
  public var marks: [Mark] = []
  /// The settings of a sampler that plays the audio.
  public var instrument: Instrument?
  /// The tempo of a loop.
  public var loopProperties: LoopProperties?
  /// The number of beats in the audio according to an Apple loop (the chunk `basc` of AIFF, `uuid` of CAF); 0 if unknown.
  package var loopBeats: UInt32 = 0
  /// The tracks of a disc.
  public var cueSheet: CueSheet?
  /// Lyrics with times.
  public var syncedLyrics: [SyncedLyrics] = []
  /// The content of a broadcast extension chunk (EBU Tech 3285 `bext`).
  public var broadcastExtension: [UInt8]?
  /// Chunks of RIFF or Wave64 that none of these parts holds, in file order.
  package var foreignChunks: [ForeignChunk] = []
  /// The language of the track (ISO 639-2), if the container states one.
  package var trackLanguage: String? = nil
  /// When the recording was made according to MP4, in seconds since 1904; 0 if unknown.
  package var creationTime = 0
  /// True if the file's chunks have an ID3 tag, which WAV then has again beside `LIST INFO`.
  package var hasID3Chunk = false
  /// The texts of the file that are not stored in UTF-8.
  package var storedTexts: StoredTexts?

  /// Metadata of these tags and pictures; by default empty.
  public init(comments: [Comment] = [], pictures: [Picture] = []) {
    self.comments = comments
    self.pictures = pictures
  }

  /// True when nothing is here that an output could show: no tag, picture, mark, chapter or other part.
  public var isEmpty: Bool {
    var shown = self
    (shown.trackLanguage, shown.creationTime, shown.hasID3Chunk) = (nil, 0, false)
    shown.storedTexts = nil
    return shown == Metadata()
  }

  /// The values of a field, whose name is compared without case.
  public func values(_ name: String) -> [String] {
    comments.filter { $0.name.uppercased() == name.uppercased() }.map(\.value)
  }
}

extension Metadata.Comment {
  /// An item of a tag.
  package struct Item: Hashable, Sendable {
    /// A kind of tag whose items have names of their own.
    package enum Kind: Hashable, Sendable {
      /// TXXX frames of ID3v2, by their descriptions.
      case id3
      /// Items of MP4, by their full names: `----:com.apple.iTunes:publisher`.
      case mp4
      /// Items of APEv2, by their keys; `@` is before the key of a locator.
      case ape
      /// Sub-chunks of RIFF's `LIST INFO`.
      case info
      /// Keys of CAF's `info`.
      case caf
      /// Text chunks of AIFF.
      case iff
    }

    /// The kind of tag.
    package var kind: Kind
    /// The name in tags of this kind; may be empty.
    package var name: String

    /// An item of a name in a kind of tag.
    package init(_ kind: Kind, _ name: String) {
      self.kind = kind
      self.name = name
    }
  }

  /// True if it was read from an item of this kind of tag.
  package func isItem(of kind: Item.Kind) -> Bool { item?.kind == kind }

  /// The item's name in the tag; `nil` if it was not read from this kind of tag.
  package func itemName(in kind: Item.Kind) -> String? { isItem(of: kind) ? item?.name : nil }
}

extension Metadata {
  /// An embedded picture, with the fields of FLAC (RFC 9639 section 8.8).
  public struct Picture: Hashable, Sendable {
    /// The ID3v2 APIC picture type; 3 is the front cover.
    public var type: UInt32
    /// The MIME type of `data`, or `-->` if `data` is a URL.
    public var mimeType: String
    /// A description in any language.
    public var description: String
    /// Width and height in pixels; 0 if unknown.
    public var width, height: UInt32
    /// Bits per pixel; 0 if unknown.
    public var depth: UInt32
    /// The number of colors of an indexed picture, otherwise 0.
    public var colors: UInt32
    /// The picture file.
    public var data: [UInt8]

    /// A picture type: its name, and its name in ID3v2.
    package typealias Kind = (name: String, id3Name: String)

    /// The picture types, indexed by ``type``.
    ///
    /// Source: ID3v2.4 section 4.14 (APIC), in the spelling that FFmpeg uses.
    package static let kinds: [Kind] = [
      ("other", "Other"),
      ("file icon of 32 x 32", "32x32 pixels 'file icon'"),
      ("other file icon", "Other file icon"),
      ("front cover", "Cover (front)"),
      ("back cover", "Cover (back)"),
      ("leaflet page", "Leaflet page"),
      ("media", "Media (e.g. label side of CD)"),
      ("lead artist", "Lead artist/lead performer/soloist"),
      ("artist", "Artist/performer"),
      ("conductor", "Conductor"),
      ("band", "Band/Orchestra"),
      ("composer", "Composer"),
      ("lyricist", "Lyricist/text writer"),
      ("recording location", "Recording Location"),
      ("during recording", "During recording"),
      ("during performance", "During performance"),
      ("screen capture", "Movie/video screen capture"),
      ("bright colored fish", "A bright coloured fish"),
      ("illustration", "Illustration"),
      ("artist's logo", "Band/artist logotype"),
      ("publisher's logo", "Publisher/Studio logotype"),
    ]

    /// A picture with all fields.
    public init(
      type: UInt32, mimeType: String, description: String, width: UInt32, height: UInt32,
      depth: UInt32, colors: UInt32, data: [UInt8]
    ) {
      self.type = type
      self.mimeType = mimeType
      self.description = description
      self.width = width
      self.height = height
      self.depth = depth
      self.colors = colors
      self.data = data
    }
  }
}

/// The part of the metadata of a source to write to the output.
public enum MetadataSelection: String, CaseIterable, Hashable, Sendable {
  /// Everything that the output format can hold.
  case keep
  /// Everything except pictures.
  case text
  /// Nothing.
  case none
}

extension Metadata {
  /// The selected part of the metadata.
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
