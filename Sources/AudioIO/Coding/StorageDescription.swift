/// How a file stores its audio, as far as its container and its codec tell; what is `nil` is not told.
public struct StorageDescription: Hashable, Sendable {
  /// Whether the encoded audio takes the same number of bits all through.
  public enum BitRateMode: String, Hashable, Sendable {
    case constant, variable
  }

  /// The packets of the codec: FLAC's and MPEG's frames, ADPCM's blocks, MP4's samples.
  public struct Packets: Hashable, Sendable {
    /// How many there are, those of headers left out.
    public var count: Int?
    /// Bytes of the smallest and the largest.
    public var bytes: ClosedRange<Int>?
    /// PCM frames that each decodes to, the last perhaps fewer; `nil` where they differ, too.
    public var frameCount: Int?

    /// Packets of which so much is known.
    public init(count: Int? = nil, bytes: ClosedRange<Int>? = nil, frameCount: Int? = nil) {
      self.count = count
      self.bytes = bytes
      self.frameCount = frameCount
    }
  }

  /// One of a container's tracks of audio.
  public struct Track: Hashable, Sendable {
    /// Its number among them, from 1 on, as `--track` takes it.
    public var number: Int
    /// The name of its codec.
    public var codec: String
    /// In Hz; 0 where the container does not tell.
    public var sampleRate: Int
    /// 0 where the container does not tell.
    public var channelCount: Int
    /// The name of its channel layout.
    public var layout: String?
    /// Three letters (ISO 639-2).
    public var language: String?
    public var title: String?
    /// Whether the other facts are of this one.
    public var isSelected: Bool

    package init(
      number: Int, codec: String, sampleRate: Int, channelCount: Int, layout: String? = nil,
      language: String? = nil, title: String? = nil, isSelected: Bool
    ) {
      self.number = number
      self.codec = codec
      self.sampleRate = sampleRate
      self.channelCount = channelCount
      self.layout = layout
      self.language = language
      self.title = title
      self.isSelected = isSelected
    }
  }

  /// What the container is called: `Ogg`, `WAV`, `M4A`.
  public var container: String
  /// Significant bits of a sample, where the codec tells them; its storage may have more.
  public var bitDepth: Int?
  /// Where the encoded audio begins, in bytes from the beginning of the file.
  public var audioOffset: Int?
  /// Bytes of the encoded audio, those of the container in between left out.
  public var audioByteCount: Int?
  /// Whether those bytes, and the packets, are not told because the container has no index of them:
  /// counting them is asked for separately.
  public var needsCounting = false
  public var bitRateMode: BitRateMode?
  /// Whether the encoding keeps the depth of samples but not every one of them (WavPack's hybrid mode).
  public var isLossy = false
  /// Average bits per second, where the container tells them rather than the bytes.
  public var declaredBitRate: Int?
  public var packets: Packets?
  /// PCM frames that the encoder put before the audio.
  public var delay: Int?
  /// PCM frames behind the audio, which fill the last packet.
  public var padding: Int?
  /// The MD5 of the samples that the file holds (FLAC), in hexadecimal.
  public var declaredMD5: String?
  /// All tracks of audio, where the container may have several.
  public var tracks: [Track] = []

  /// Facts of a container of this name.
  public init(container: String) { self.container = container }
}

extension StorageDescription.Packets {
  /// Adds a packet of so many bytes.
  package mutating func add(byteCount: Int) {
    count = (count ?? 0) + 1
    bytes = min(bytes?.lowerBound ?? byteCount, byteCount)...max(bytes?.upperBound ?? 0, byteCount)
  }

  /// The most bytes by which padding makes the packets of a constant stream differ (AC-3 at 44.1 kHz).
  private static let maximumPadding = 2

  /// The mode of a stream of nothing but these packets.
  package var bitRateMode: StorageDescription.BitRateMode? {
    bytes.map { $0.upperBound - $0.lowerBound <= Self.maximumPadding ? .constant : .variable }
  }
}
