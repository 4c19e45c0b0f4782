internal import AudioModel

/// One row of the table of formats: a container, its encoding, and their limits.
public struct AudioFormat: Hashable, Sendable, Identifiable {
  /// The library that reads and writes a format. Libraries are equal if they are the same type.
  package struct Library: Hashable, Sendable {
    package let type: any AudioLibrary.Type
    /// The library's code for the written format, such as an `SF_FORMAT_…` value; 0 if it needs none.
    package let code: Int32

    package init(_ type: any AudioLibrary.Type, code: Int32 = 0) {
      self.type = type
      self.code = code
    }

    package static func == (one: Library, other: Library) -> Bool {
      ObjectIdentifier(one.type) == ObjectIdentifier(other.type) && one.code == other.code
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(type))
      hasher.combine(code)
    }
  }

  /// A codec.
  package enum Codec: Hashable, Sendable {
    case flac, vorbis, opus, mpegLayer1, mpegLayer2, mpegLayer3, aac, alac
    /// Codecs that are encodings of samples in the table of formats.
    case pcm, adpcm, gsm
  }

  /// A codec of libavcodec, and the file that stores its packets.
  package struct PacketEncoding: Hashable, Sendable {
    package enum File: Hashable, Sendable {
      case m4a, m4b, caf, wavPack
    }

    package enum Codec: String, Hashable, Sendable {
      case aac, alac
      case wavPack = "wavpack"
    }

    package let file: File
    package let codec: Codec

    package init(file: File, codec: Codec) {
      self.file = file
      self.codec = codec
    }
  }

  /// The channel layouts that a format can store.
  public enum Layouts: Hashable, Sendable {
    /// Only a channel count; one and two channels mean mono and stereo.
    case countOnly
    /// Any set of the 18 WAVE positions in mask order, or none (WAVEX, FLAC with a mask comment).
    case waveMask
    /// The layouts of Core Audio's channel layout chunk (CAF, AIFF).
    case coreAudio
    /// The fixed layouts of the Vorbis I specification (also Opus), one for each channel count up to 8.
    case vorbis
    /// The layouts that libavcodec's AAC encoder accepts and an AAC configuration can store.
    case aac
    /// One for each channel count up to 8; ALAC stores only the count.
    case alac
  }

  /// The short name that identifies the row, such as `flac`.
  public let id: String
  /// The display name.
  public let name: String
  /// File name extensions in lower case, without dot, the preferred one first.
  public let extensions: [String]
  /// The container grammar.
  package let container: Container
  /// The structures that store metadata in files of this format.
  package let metadata: MetadataForm
  /// The codec; `nil` for plain samples, and for containers of several codecs.
  package let codec: Codec?
  /// The library that reads and writes the format.
  package let library: Library
  /// The packets to write if libavcodec encodes them; `nil` if `library` writes samples itself.
  package let packets: PacketEncoding?
  /// True when encoding preserves every sample.
  public let isLossless: Bool
  /// True when the format can be written.
  public let isWritable: Bool
  /// The channel counts that can be written.
  public let channels: ClosedRange<Int>
  /// The channel layouts that the format can store.
  public let layouts: Layouts
  /// The sample rates that can be written, in Hz; `nil` for any up to `highestSampleRate`.
  public let sampleRates: [Int]?
  /// The highest sample rate that can be written, in Hz.
  public let highestSampleRate: Int
  /// The maximum bytes of audio in a file; `nil` if there is no limit.
  public let maximumBytes: Int?
  /// The row to write instead if this one cannot be written or the audio is too long for it.
  public let fallbackID: String?
  /// The row to write instead if the source is lossless.
  public let losslessID: String?

  package init(
    id: String, name: String, extensions: [String], container: Container,
    metadata: MetadataForm? = nil, codec: Codec? = nil, library: Library, isLossless: Bool = true,
    isWritable: Bool = true,
    channels: ClosedRange<Int> = 1...AudioLimits.channelCount,
    layouts: Layouts = .countOnly, sampleRates: [Int]? = nil,
    highestSampleRate: Int = AudioLimits.sampleRate, maximumBytes: Int? = nil,
    fallbackID: String? = nil, losslessID: String? = nil,
    packets: PacketEncoding? = nil
  ) {
    self.id = id
    self.name = name
    self.extensions = extensions
    self.container = container
    self.metadata = metadata ?? container.metadata
    self.codec = codec
    self.library = library
    self.isLossless = isLossless
    self.isWritable = isWritable
    self.channels = channels
    self.layouts = layouts
    self.sampleRates = sampleRates
    self.highestSampleRate = highestSampleRate
    self.maximumBytes = maximumBytes
    self.fallbackID = fallbackID
    self.losslessID = losslessID
    self.packets = packets
  }
}

extension AudioFormat {
  /// The display name of the container, without the codec.
  package var containerName: String {
    switch packets?.file {
    case .m4b: "M4B (audiobook)"
    case .m4a: name.hasPrefix("M4R") ? "M4R (ringtone)" : "M4A"
    case .caf, .wavPack, nil: container.displayName ?? name
    }
  }
}
