extension Metadata {
  /// A cue point, marker or region.
  public struct Mark: Hashable, Sendable {
    /// The number that the file gives it; `nil` if there is none.
    public var id: UInt32?
    /// The position, or the start of the region, in frames.
    public var start: Double
    /// The length of the region, in frames; 0 for a point.
    public var length: Double
    /// The name; may be empty.
    public var label: String
    /// A longer text; may be empty.
    public var note: String
    /// The four-character purpose of a WAV region, such as `rgn `; empty if there is none.
    public var purpose: String
    /// The text of a WAV region, beside its label; may be empty.
    public var text = ""
    /// True if the label is the text of a WAV region, which has no label.
    package var isLabeledByText = false
    /// Country, language, dialect and code page of a WAV region.
    package var locale: [UInt8] = []
    /// The time stamp of AIFF's comment on a marker.
    package var noteTime: UInt32 = 0
    /// The SMPTE time and the channel of a CAF marker.
    package var place: [UInt8] = []
    /// The flags of a CAF region.
    package var flags: UInt32 = 0

    /// A mark at `start`.
    public init(
      id: UInt32? = nil, start: Double, length: Double = 0, label: String = "", note: String = "",
      purpose: String = ""
    ) {
      self.id = id
      self.start = start
      self.length = length
      self.label = label
      self.note = note
      self.purpose = purpose
    }
  }

  /// The identifier of a chapter.
  package enum ChapterID: Hashable, Sendable {
    /// The digits in the names of Vorbis comments.
    case digits(String)
    /// The element identifier of ID3v2.
    case element(String)
  }

  /// A titled section of the audio.
  ///
  /// Positions are in frames at the sample rate of the audio, and may be fractional until they are written.
  public struct Chapter: Hashable, Sendable {
    /// The start, in frames.
    public var start: Double
    /// The end, in frames; `nil` for the start of the next chapter or the end of the audio.
    public var end: Double?
    /// The title; may be empty.
    public var title: String
    /// The URL of the chapter.
    public var address: String?
    /// The picture of the chapter.
    public var picture: Picture?
    /// The identifier in the file.
    package var id: ChapterID? = nil
    /// True if players do not list the chapter: it is not in ID3v2's table of contents, or Matroska's flags hide or
    /// disable it.
    package var isHidden = false

    /// A chapter that begins at `start`.
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

  /// The tracks of a disc (FLAC CUESHEET, RFC 9639 section 8.7).
  public struct CueSheet: Hashable, Sendable {
    /// A track; the last one is the lead-out.
    public struct Track: Hashable, Sendable {
      /// An index point in a track.
      public struct Index: Hashable, Sendable {
        /// The number of the index: 0 is the pre-gap, 1 the start of the track.
        public var number: UInt8
        /// The position in frames from the start of the track.
        public var offset: Double

        /// An index point at an offset from the start of the track.
        public init(number: UInt8, offset: Double) {
          self.number = number
          self.offset = offset
        }
      }

      /// The track number; 170 or 255 for the lead-out.
      public var number: UInt8
      /// The position in frames from the start of the audio.
      public var offset: Double
      /// The International Standard Recording Code; may be empty.
      public var isrc: String
      /// True if the track is audio, not data.
      public var isAudio: Bool
      /// True if the audio was recorded with pre-emphasis.
      public var hasPreEmphasis: Bool
      /// The index points, in the order of time.
      public var indices: [Index]

      /// A track at an offset from the start of the audio.
      public init(
        number: UInt8, offset: Double, isrc: String = "", isAudio: Bool = true,
        hasPreEmphasis: Bool = false, indices: [Index] = []
      ) {
        self.number = number
        self.offset = offset
        self.isrc = isrc
        self.isAudio = isAudio
        self.hasPreEmphasis = hasPreEmphasis
        self.indices = indices
      }
    }

    /// The disc's catalog number; may be empty.
    public var catalogNumber: String
    /// The number of frames before the first track.
    public var leadIn: Double
    /// True if the cue sheet is from a compact disc.
    public var isCD: Bool
    /// The tracks, in the order of time; the last one is the lead-out.
    public var tracks: [Track]

    /// A cue sheet of these tracks.
    public init(catalogNumber: String = "", leadIn: Double = 0, isCD: Bool, tracks: [Track]) {
      self.catalogNumber = catalogNumber
      self.leadIn = leadIn
      self.isCD = isCD
      self.tracks = tracks
    }
  }

  /// Words or events with their times (ID3v2 SYLT).
  public struct SyncedLyrics: Hashable, Sendable {
    /// One line or syllable.
    public struct Line: Hashable, Sendable {
      /// The start, in frames.
      public var start: Double
      /// The text of the line.
      public var text: String

      /// A line at `start`.
      public init(start: Double, text: String) {
        self.start = start
        self.text = text
      }
    }

    /// The three-letter language code (ISO 639-2).
    public var language: String
    /// The kind of content by its number in ID3v2.4 section 4.9; 1 is lyrics.
    public var contentType: UInt8
    /// A description of the content; may be empty.
    public var description: String
    /// The lines, in the order of time.
    public var lines: [Line]

    /// Lyrics of these lines.
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
