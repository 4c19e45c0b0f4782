package import AudioModel

/// Encodes one audio file.
///
/// Ends with ``finish()``; a writer that is dropped without it leaves nothing behind.
package protocol AudioFileWriter: AnyObject {
  /// What the user should know of the file.
  var warnings: [String] { get }
  /// What of the metadata the file cannot hold: names people know. Complete after ``finish()``.
  var notCarried: [String] { get }

  /// Appends whole interleaved frames, channels in the order of the layout given at creation.
  func write<Sample: PCMSample>(_ frames: Span<Sample>) throws(AudioFileError)

  /// Completes the file's content: headers, trailing metadata, checksums.
  func finish() throws(AudioFileError)
}

extension AudioFileWriter {
  package var warnings: [String] { [] }
  package var notCarried: [String] { [] }
}

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

extension AudioFormat {
  /// Whether the encoder has a bit rate.
  public var takesBitRate: Bool { !isLossless }
  /// Whether the encoder has a quality on a scale of its own.
  ///
  /// libavcodec's AAC encoder has one, but more of it is not always better: 2 was measured to be
  /// worse than 1.5, and 4 worse than 1.
  public var takesQuality: Bool {
    !isLossless && codec != .opus && codec != .aac
  }
  /// Whether the encoder has a compression level.
  public var takesCompressionLevel: Bool { codec == .flac }

  /// The options that this format's encoder has a use for, and a sentence about each of the others.
  package func usable(
    _ options: EncodingOptions
  ) -> (options: EncodingOptions, warnings: [String]) {
    var usable = options
    var warnings: [String] = []
    if options.bitRate != nil && !takesBitRate {
      usable.bitRate = nil
      warnings.append("\(name) has no bit rate; the one given is ignored")
    }
    if options.quality != nil && !takesQuality {
      usable.quality = nil
      warnings.append("\(name) has no encoding quality; the one given is ignored")
    }
    if options.compressionLevel != nil && !takesCompressionLevel {
      usable.compressionLevel = nil
      warnings.append("\(name) has no compression level; the one given is ignored")
    }
    return (usable, warnings)
  }
}
