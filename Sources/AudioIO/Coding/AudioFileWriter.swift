package import AudioModel

/// Encodes one audio file.
///
/// Call ``finish()`` at the end. Releasing a writer without it discards the file.
package protocol AudioFileWriter: AnyObject {
  /// Warnings for the user.
  var warnings: [String] { get }
  /// Metadata that the file cannot hold, by display name. Known before any frame is written.
  var notCarried: [MetadataLoss] { get }
  /// The size of the finished file in bytes, known before any frame is written; `nil` if it depends on the audio.
  var plannedBytes: Int? { get }

  /// Appends whole interleaved frames; channels are in the order of the layout given at creation.
  func write<Sample: PCMSample>(_ frames: Span<Sample>) throws(AudioFileError)

  /// Completes the file's content: headers, trailing metadata, checksums.
  func finish() throws(AudioFileError)
}

extension AudioFileWriter {
  package var warnings: [String] { [] }
  package var notCarried: [MetadataLoss] { [] }
  package var plannedBytes: Int? { nil }
}

/// Settings of an encoder.
public struct EncodingOptions: Hashable, Sendable {
  /// The rate of a lossy encoding, in bits per second.
  public var bitRate: Int?
  /// The quality of a lossy encoding on the codec's own scale (Vorbis: -1 to 10).
  public var quality: Double?
  /// The effort of a lossless encoder (FLAC: 0 to 8).
  public var compressionLevel: Int?

  /// Encoder settings; the writer chooses each one that is `nil`.
  public init(bitRate: Int? = nil, quality: Double? = nil, compressionLevel: Int? = nil) {
    self.bitRate = bitRate
    self.quality = quality
    self.compressionLevel = compressionLevel
  }
}

/// The file to be written.
package struct OutputDescription: Hashable, Sendable {
  /// Sample rate, and channel layout of the frames to write.
  package var spec: AudioSpec
  /// The exact number of frames to write.
  package var frameCount: Int
  /// Frames that the writer gets before and after those, which no player plays: the sound around the output in a stream
  /// that goes on, so that a lossy encoder does not begin and end in silence.
  package var (preRoll, postRoll) = (0, 0)
  /// Frames before the end of the output that are also the pre-roll of the next output of the stream; `nil` if there is
  /// none. An encoder that depends on all that it encoded before begins anew there, as the encoder of the next output does,
  /// so that both outputs have the same packets where they meet.
  package var nextPreRoll: Int?
  /// The average bit rate of the lossy source of the next output.
  package var nextSourceBitRate: Int?
  /// The row of the table of formats.
  package var format: AudioFormat
  package var options: EncodingOptions
  package var metadata: Metadata
  /// The average bit rate of a lossy source, which the encoder matches by default.
  package var sourceBitRate: Int?
  /// The actual layout of the frames if the format cannot store it and losing it is allowed; frames are then
  /// written in the order of the WAVE mask. `nil` if `spec.layout` is the actual layout.
  package var givenLayout: ChannelLayout?
  /// Core Audio's description of `spec.layout`, if the source has one; containers that support it store it.
  package var coreAudioLayout: [UInt8]?
  /// True if the level was requested, so that an encoder must not lower it as a margin against clipping, as LAME does.
  package var keepsLevel = false
  /// The format of stored samples; `nil` for lossy codecs. Frames are passed to the writer in this type.
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

extension OutputDescription {
  /// All frames that the writer gets.
  package var writtenFrames: Int { preRoll + frameCount + postRoll }
}

extension AudioFormat {
  /// The frames before and after an output that its encoder takes into account, and the frames of its blocks; 0 where the
  /// file cannot leave them out.
  ///
  /// MP3 has 12 bits each for these frames, a part of a block, and its own delay and padding. Encoders of AAC need some
  /// packets until they choose windows by the sound before. Opus begins with 640 ms, of which the output gets the second
  /// half, for a decoder.
  package func rolls(at sampleRate: Int) -> (before: Int, after: Int, block: Int) {
    switch codec {
    case .mpegLayer3: (2304, 1152, 1152)
    case .aac: (8192, 4096, 1024)
    case .opus: (sampleRate / 50 * 32, sampleRate / 50 * 4, max(1, sampleRate / 50))
    default: (0, 0, 1)
    }
  }

  /// True when the encoder has a bit rate setting.
  public var takesBitRate: Bool { !isLossless }
  /// True when the encoder has a quality scale.
  ///
  /// libavcodec's AAC encoder has one, but higher is not always better: in measurements 2 was worse than
  /// 1.5, and 4 worse than 1.
  public var takesQuality: Bool {
    !isLossless && codec != .opus && codec != .aac
  }
  /// True when the encoder has a compression level.
  public var takesCompressionLevel: Bool { codec == .flac }

  /// The options that this format's encoder supports, and for each other option the setting and the reason:
  /// `WAV has no bit rate`.
  package func usable(
    _ options: EncodingOptions
  ) -> (options: EncodingOptions, unused: [(setting: Remedy.Setting, lack: String)]) {
    var usable = options
    var unused: [(setting: Remedy.Setting, lack: String)] = []
    if options.bitRate != nil && !takesBitRate {
      usable.bitRate = nil
      unused.append((.bitRate, "\(name) has no bit rate"))
    }
    if options.quality != nil && !takesQuality {
      usable.quality = nil
      unused.append((.quality, "\(name) has no encoding quality"))
    }
    if options.compressionLevel != nil && !takesCompressionLevel {
      usable.compressionLevel = nil
      unused.append((.compressionLevel, "\(name) has no compression level"))
    }
    return (usable, unused)
  }
}
