package import AudioModel

/// How an encoder is to be set.
public struct EncodingOptions: Hashable, Sendable {
  /// The rate of a lossy encoding, in bits per second.
  public var bitRate: Int?
  /// The quality of a lossy encoding on the codec's own scale (Vorbis: -1 to 10).
  public var quality: Double?
  /// The effort of a lossless encoder (FLAC: 0 to 8).
  public var compressionLevel: Int?

  /// Options; what is `nil` is chosen by the writer.
  public init(bitRate: Int? = nil, quality: Double? = nil, compressionLevel: Int? = nil) {
    self.bitRate = bitRate
    self.quality = quality
    self.compressionLevel = compressionLevel
  }
}

/// What a writer is to make.
package struct OutputDescription: Hashable, Sendable {
  /// Sample rate, and the layout of the frames that will be written.
  package var spec: AudioSpec
  /// The exact number of frames that will be written.
  package var frameCount: Int
  /// The row of the table of formats.
  package var format: AudioFormat
  package var options: EncodingOptions
  package var metadata: Metadata
  /// The source's average bit rate, where it was lossy, for a like one.
  package var sourceBitRate: Int?
  /// The layout in which the frames come, where the format cannot say it and that loss is allowed; they
  /// are written in the order of the WAVE mask. `nil` where `spec.layout` is that layout.
  package var givenLayout: ChannelLayout?
  /// How samples are to be stored; `nil` for lossy codecs. The frames that are written are of this type.
  package var sampleFormat: SampleFormat?

  package init(
    spec: AudioSpec, frameCount: Int, format: AudioFormat, options: EncodingOptions,
    metadata: Metadata, sourceBitRate: Int?,
    sampleFormat: SampleFormat? = .int16
  ) {
    self.spec = spec
    self.frameCount = frameCount
    self.format = format
    self.options = options
    self.metadata = metadata
    self.sourceBitRate = sourceBitRate
    self.sampleFormat = sampleFormat
  }
}
