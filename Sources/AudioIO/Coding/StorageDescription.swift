/// How a file stores its audio, from the headers of its container and codec; unknown values are `nil`.
public struct StorageDescription: Hashable, Sendable {
  /// Whether the bit rate is the same throughout the file.
  public enum BitRateMode: String, Hashable, Sendable {
    case constant, variable
  }

  /// The packets of the codec: FLAC's and MPEG's frames, ADPCM's blocks, MP4's samples.
  public struct Packets: Hashable, Sendable {
    /// The number of packets, without headers.
    public var count: Int?
    /// The sizes of the smallest and the largest packet, in bytes.
    public var bytes: ClosedRange<Int>?
    /// PCM frames per packet, except the last; `nil` if packets differ or it is unknown.
    public var frameCount: Int?

    /// A description of packets.
    public init(count: Int? = nil, bytes: ClosedRange<Int>? = nil, frameCount: Int? = nil) {
      self.count = count
      self.bytes = bytes
      self.frameCount = frameCount
    }
  }

  /// An audio track of a container.
  public struct Track: Hashable, Sendable {
    /// The number of the track among the audio tracks, from 1.
    public var number: Int
    /// The display name of the codec.
    public var codec: String
    /// In Hz; 0 if the container does not state it.
    public var sampleRate: Int
    /// 0 if the container does not state it.
    public var channelCount: Int
    /// The name of the channel layout.
    public var layout: String?
    /// The language code, three letters (ISO 639-2).
    public var language: String?
    /// The title of the track.
    public var title: String?
    /// Whether this track is the one that the description is about.
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

  /// The display name of the container: `Ogg`, `WAV`, `M4A`.
  public var container: String
  /// Significant bits per sample if the codec states them; samples may be stored with more.
  public var bitDepth: Int?
  /// The offset of the encoded audio in the file, in bytes.
  public var audioOffset: Int?
  /// Bytes of encoded audio, without container headers between packets.
  public var audioByteCount: Int?
  /// Whether the byte count and the packets are unknown because the container has no index, and packets were
  /// not counted.
  public var needsCounting = false
  /// Whether the bit rate is constant or variable.
  public var bitRateMode: BitRateMode?
  /// The video in the container, which is not converted: `H.264, 1920 x 1080`.
  public var video: String?
  /// Whether a codec with a bit depth is lossy nevertheless (WavPack's hybrid mode).
  public var isLossy = false
  /// Average bits per second as the container declares them.
  public var declaredBitRate: Int?
  /// The profile of an AAC codec: `LC`, `HE`, `HEv2`, `xHE`.
  public var profile: String?
  /// The sample rate of the codec in Hz, if it differs from that of the decoded audio: 48000 for Opus.
  public var codecSampleRate: Int?
  /// The encoder and its settings, as it states them: `LAME 3.100, V2`.
  public var encoder: String?
  /// The packets of the audio.
  public var packets: Packets?
  /// The encoder delay: PCM frames before the audio.
  public var delay: Int?
  /// The padding: PCM frames after the audio, which fill the last packet.
  public var padding: Int?
  /// The MD5 of the samples in the file (FLAC), in hexadecimal.
  public var declaredMD5: String?
  /// All audio tracks of a container that may have several.
  public var tracks: [Track] = []

  /// A description with only the container's name.
  public init(container: String) { self.container = container }
}

extension StorageDescription.Packets {
  /// Adds a packet of `byteCount` bytes.
  package mutating func add(byteCount: Int) {
    count = (count ?? 0) + 1
    bytes = min(bytes?.lowerBound ?? byteCount, byteCount)...max(bytes?.upperBound ?? 0, byteCount)
  }

  /// The maximum difference in bytes that padding causes in a constant stream (AC-3 at 44.1 kHz).
  private static let maximumPadding = 2

  /// The bit rate mode of a stream of these packets.
  package var bitRateMode: StorageDescription.BitRateMode? {
    bytes.map { $0.upperBound - $0.lowerBound <= Self.maximumPadding ? .constant : .variable }
  }
}
