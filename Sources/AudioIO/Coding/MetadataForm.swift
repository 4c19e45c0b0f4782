package import AudioModel

extension AudioFormat {
  /// The structures of a file that hold metadata.
  package enum MetadataForm: Hashable, Sendable {
    /// `LIST INFO`, an ID3v2 tag and marks, in chunks of RIFF.
    case riff
    /// Text chunks, an ID3v2 tag and marks, in chunks of IFF.
    case iff
    /// The text chunks of IFF, which are only read.
    case iffTexts
    /// `info` and marks, in chunks of CAF.
    case caf
    /// A broadcast extension and foreign chunks, in chunks of Wave64.
    case wave64
    /// An ID3v2 tag before the audio.
    case id3
    /// Vorbis comments.
    case vorbisComments
    /// The metadata blocks of FLAC: Vorbis comments and a cue sheet.
    case flac
    /// The items and chapters of MPEG-4.
    case mp4
    /// An APEv2 tag after the audio.
    case ape
    /// None.
    case none

    /// The kind of tag whose texts keep their bytes; `nil` for other structures, whose texts have a stated encoding.
    package var textKind: Metadata.Comment.Item.Kind? {
      switch self {
      case .riff: .info
      case .iff, .iffTexts: .iff
      case .caf: .caf
      case .id3: .id3
      default: nil
      }
    }

    /// The kinds of metadata that are written.
    fileprivate var holds: Holdings {
      switch self {
      // Chapters become marks.
      case .riff, .iff: [.tags, .pictures, .marks]
      case .caf: [.tags, .marks]
      case .ape: [.tags, .pictures]
      case .id3, .vorbisComments, .flac, .mp4: [.tags, .pictures, .chapters]
      case .iffTexts, .wave64, .none: []
      }
    }

    /// The time-based metadata that is written.
    fileprivate var timeMarks: TimeMarkSupport {
      switch self {
      case .riff:
        [
          .marks, .regions, .regionTexts, .notes, .instrument, .loopProperties, .syncedLyrics,
          .broadcastExtension, .foreignChunks,
        ]
      case .iff: [.marks, .notes, .keyedLoops, .idleLoops, .syncedLyrics]
      case .caf: [.marks, .regions, .keyedLoops]
      case .id3: [.chapters, .hiddenChapters, .syncedLyrics]
      case .vorbisComments: [.chapterComments]
      case .flac:
        // The last five as chunks of RIFF, in blocks for applications.
        [
          .chapterComments, .cueSheet, .instrument, .idleLoops, .loopProperties,
          .broadcastExtension, .foreignChunks,
        ]
      case .wave64: [.broadcastExtension, .foreignChunks]
      case .mp4: [.chapters]
      case .iffTexts, .ape, .none: []
      }
    }
  }

  /// The kinds of metadata that are written with the audio.
  public struct Holdings: OptionSet, Hashable, Sendable {
    /// The kinds as bits.
    public let rawValue: Int

    /// The kinds whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Text tags: all, or those that the container supports.
    public static let tags = Holdings(rawValue: 1)
    /// Pictures, such as a cover.
    public static let pictures = Holdings(rawValue: 2)
    /// Chapters with titles.
    public static let chapters = Holdings(rawValue: 4)
    /// Cue points, regions or loops.
    public static let marks = Holdings(rawValue: 8)

    /// The names of the kinds of metadata: `tags`, `pictures`, `chapters`, `marks`.
    public var names: [String] {
      let all: [(Holdings, String)] = [
        (.tags, "tags"), (.pictures, "pictures"), (.chapters, "chapters"), (.marks, "marks"),
      ]
      return all.filter { contains($0.0) }.map(\.1)
    }
  }

  /// The kinds of metadata that are written in this format.
  public var holds: Holdings { isWritable ? metadata.holds : [] }

  /// The time-based metadata that files of this format can store; empty if it cannot be written.
  package var timeMarks: TimeMarkSupport { isWritable ? metadata.timeMarks : [] }
}
