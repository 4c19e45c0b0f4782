public import AudioModel

/// What an opened audio file holds.
public struct SourceDescription: Hashable, Sendable {
  /// Sample rate and channel layout.
  public var spec: AudioSpec
  /// How the number of frames is known.
  public enum LengthBasis: String, Hashable, Sendable {
    /// The file declares it, and reading holds the file to that.
    case declared
    /// All of the file was decoded.
    case counted
    /// It follows from a rounded duration or a bit rate; no conversion relies on such a number.
    case estimated
  }

  /// The number of frames: exact, unless `lengthBasis` is `estimated`.
  public var frameCount: Int
  /// How that number is known.
  public var lengthBasis: LengthBasis
  /// The format's row in the table of formats.
  public var format: AudioFormat
  /// The name of the codec or sample encoding, such as `PCM 24-bit` or `Vorbis`.
  public var codec: String
  /// How samples are stored, or `nil` for lossy codecs, which have no depth of their own.
  public var sampleFormat: SampleFormat?
  /// Average bits per second of the encoded audio; `nil` where it says nothing (PCM, lossless).
  public var bitRate: Int?
  /// Tags and pictures.
  public var metadata: Metadata
  /// What was found that the user should know.
  public var warnings: [String]
  /// What is attached and not in `metadata`, so that it will be missing in the output: names people know.
  public var notCarried: [String]

  package init(
    spec: AudioSpec, frameCount: Int, format: AudioFormat, codec: String,
    sampleFormat: SampleFormat?, bitRate: Int? = nil, metadata: Metadata = Metadata(),
    warnings: [String] = [], notCarried: [String] = [], lengthBasis: LengthBasis = .declared
  ) {
    self.spec = spec
    self.frameCount = frameCount
    self.lengthBasis = lengthBasis
    self.format = format
    self.codec = codec
    self.sampleFormat = sampleFormat
    self.bitRate = bitRate
    self.metadata = metadata
    self.warnings = warnings
    self.notCarried = notCarried
  }
}
