public import AudioModel

/// Facts about how a file stores its audio, which conversions do not need; unknown values are `nil`.
public struct StorageDescription: Hashable, Sendable {
  /// Constant or variable bit rate.
  public enum BitRateMode: String, Hashable, Sendable {
    case constant, variable
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
    /// True for the track that the description is about.
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

  /// Significant bits per sample if the codec states them; samples may be stored with more.
  public var bitDepth: Int?
  /// Constant or variable bit rate, if the codec's headers show it.
  public var bitRateMode: BitRateMode?
  /// Average bits per second of the encoded audio, if it is known better than ``SourceDescription/bitRate``.
  package var averageBitRate: Int?
  /// The video in the container, which is not converted: `H.264, 1920 x 1080`.
  public var video: String?
  /// True for a codec that has a bit depth and is lossy nevertheless (WavPack's hybrid mode).
  public var isLossy = false
  /// The profile of an AAC codec: `LC`, `HE`, `HEv2`, `xHE`.
  public var profile: String?
  /// The sample rate of the codec in Hz, if the decoded audio has another: 48000 for Opus.
  public var codecSampleRate: Int?
  /// The encoder and its settings, as it states them: `LAME 3.100, V2`.
  public var encoder: String?
  /// The encoder delay: PCM frames before the audio.
  public var delay: Int?
  /// The padding: PCM frames after the audio, which fill the last packet.
  public var padding: Int?
  /// The MD5 of the samples in the file (FLAC), in hexadecimal.
  public var declaredMD5: String?
  /// All audio tracks of a container that may have several.
  public var tracks: [Track] = []

  /// A description without facts.
  public init() {}

  /// The average bits per second for a number of bytes and frames; `nil` without frames.
  package static func bitRate(bytes: Int, frames: Int, _ spec: AudioSpec) -> Int? {
    let seconds = spec.seconds(frames: frames)
    return seconds > 0 ? Int(exactly: (Double(bytes) * 8 / seconds).rounded()) : nil
  }
}
