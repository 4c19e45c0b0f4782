public import AudioModel

/// What an opened audio file holds.
public struct SourceDescription: Hashable, Sendable {
  /// Sample rate and channel layout.
  public var spec: AudioSpec
  /// The exact number of frames.
  public var frameCount: Int
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
    warnings: [String] = [], notCarried: [String] = []
  ) {
    self.spec = spec
    self.frameCount = frameCount
    self.format = format
    self.codec = codec
    self.sampleFormat = sampleFormat
    self.bitRate = bitRate
    self.metadata = metadata
    self.warnings = warnings
    self.notCarried = notCarried
  }
}
