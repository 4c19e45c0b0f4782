public import AudioModel

/// The content of an opened audio file.
public struct SourceDescription: Hashable, Sendable {
  /// Sample rate and channel layout.
  public var spec: AudioSpec
  /// How the number of frames is known, from most to least certain.
  public enum LengthBasis: String, Hashable, Sendable {
    /// The file declares it; reading fails if the file holds another number.
    case declared
    /// The whole file was decoded.
    case counted
    /// Computed from a rounded duration or a bit rate; conversions never rely on it.
    case estimated
  }

  /// The number of frames: exact, unless `lengthBasis` is `estimated`.
  public var frameCount: Int
  /// How the number of frames is known.
  public var lengthBasis: LengthBasis
  /// The row of the table of formats.
  public var format: AudioFormat
  /// The name of the codec or sample encoding, such as `PCM 24-bit` or `Vorbis`.
  public var codec: String
  /// The codec, if a demuxing library read a codec that another library also decodes.
  package var codecKind: AudioFormat.Codec?
  /// The format of the stored samples; `nil` for lossy codecs, which have no bit depth.
  public var sampleFormat: SampleFormat?
  /// Average bits per second of the encoded audio; `nil` for PCM and lossless codecs.
  public var bitRate: Int?
  /// Seconds from the start of the container's timeline to the first frame. Times in metadata are relative to the first
  /// frame, those of text files beside the audio to the timeline.
  package var delay = 0.0
  /// Facts about the storage of the audio.
  public var storage = StorageDescription()
  /// Core Audio's description of the channel layout, as the file has it, if it has one for `spec.layout`.
  package var coreAudioLayout: [UInt8]?
  /// Tags and pictures.
  public var metadata: Metadata
  /// Warnings for the user.
  public var warnings: [AudioWarning]
  /// Metadata of the file that is missing in `metadata`, and so in the output.
  public var notCarried: [MetadataLoss]

  package init(
    spec: AudioSpec, frameCount: Int, format: AudioFormat, codec: String,
    codecKind: AudioFormat.Codec? = nil, sampleFormat: SampleFormat?, bitRate: Int? = nil,
    metadata: Metadata = Metadata(),
    warnings: [AudioWarning] = [], notCarried: [MetadataLoss] = [],
    lengthBasis: LengthBasis = .declared
  ) {
    self.spec = spec
    self.frameCount = frameCount
    self.lengthBasis = lengthBasis
    self.format = format
    self.codec = codec
    self.codecKind = codecKind
    self.sampleFormat = sampleFormat
    self.bitRate = bitRate
    self.metadata = metadata
    self.warnings = warnings
    self.notCarried = notCarried
  }
}
