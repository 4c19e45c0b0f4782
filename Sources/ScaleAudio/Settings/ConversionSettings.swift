public import AudioIO
public import AudioModel
public import TimeScaling

/// The length of the output.
public enum TimeRequest: Hashable, Sendable {
  /// Output length / input length.
  case factor(TimeFactor)
  /// The same factor, requested as a speed, 1 / factor: the names of outputs show the speed.
  case speed(TimeFactor)
  /// The same factor, requested as a tempo, 1 / factor: the names of outputs show the tempo. The method keeps the pitch.
  case tempo(TimeFactor)
  /// The length of the input.
  case unchanged
  /// Length in seconds, rounded to the nearest frame, ties to even.
  case duration(seconds: Double)
  /// Length in frames.
  case frames(Int)
  /// A map from source time to output time; needs the method `stretch`.
  case map(TimeMapRequest)
  /// A tempo in beats per minute, within ``SourceTempo/range``, from that of the source; `nil` for the one that the source
  /// states, or that is estimated from its sound.
  case bpm(Double, from: Double? = nil)
}

/// The channels of the output.
public enum ChannelMix: Hashable, Sendable {
  /// The channels of the source.
  case unchanged
  /// One channel, mixed from all channels of the source with these weights before scaling.
  case mono(Downmix)
}

/// A change of the level of a whole file, which is measured before it is stored.
public enum LevelChange: Hashable, Sendable {
  /// The level stays; samples beyond full scale are clamped and counted.
  case unchanged
  /// The file is lowered just enough that no sample is clipped; other files stay as they are.
  case guarded
  /// The sample peak becomes `peak`, in dB within ``ConversionSettings/peakRange``; nothing is clipped.
  case normalized(peak: Double)
  /// The integrated loudness by EBU R 128 becomes `target` LUFS, within ``ConversionSettings/loudnessRange``,
  /// and true peaks stay at `truePeak` dB or below, within ``ConversionSettings/peakRange``. One gain for the whole file;
  /// if that is not enough and `limits` is true, peaks are limited, otherwise the file stays quieter. Nothing is clipped.
  case loudness(target: Double, truePeak: Double, limits: Bool = true)
  /// True peaks above `truePeak` dB, within ``ConversionSettings/peakRange``, are limited; everything else stays. Nothing
  /// is clipped.
  case limited(truePeak: Double)
}

/// Everything that determines the sound, the encoding and the tags of an output.
public struct ConversionSettings: Hashable, Sendable {
  /// The length of the output.
  public var time: TimeRequest
  /// The part of the source that is converted, as if it were a file; `nil` for all of it.
  public var part: TimeRange?
  /// The parts of the source that are scaled while the rest stays unchanged; empty if all of it is scaled. A
  /// requested length is then that of the whole output. Level and sample rate must stay.
  public var only: [TimeRange] = []
  /// The method that changes the length: see <doc:Methods>.
  public var method: ScalingMethod
  /// The channels of the output.
  public var channels: ChannelMix
  /// The sample rate of the output in Hz, within ``sampleRateRange``; `nil` for the source's rate, or, if the format
  /// does not support it, the nearest rate that keeps its band.
  public var sampleRate: Int?
  /// The quality of a change of the sample rate. The method `sinc` changes it together with the length, at its own
  /// quality.
  public var rateQuality = ScalingQuality.high
  /// The output format; `nil` for the input's own, or the nearest writable one.
  public var format: AudioFormat?
  /// Encoder options; `nil` fields follow the source.
  public var encoding: EncodingOptions
  /// The sample format of lossless outputs; `nil` for the source's, or the nearest that the format holds.
  public var sampleFormat: SampleFormat?
  /// True if samples are rounded to 16 bits when they are read, for any source.
  public var forcesInt16 = false
  /// The noise added before samples are rounded to fewer bits.
  public var dither = Dither.auto
  /// The change of the level of the whole file.
  public var level = LevelChange.unchanged
  /// The identity of the album whose files get one gain, which a batch assigns; `nil` for a gain of its own.
  package var album: String?
  /// The identity of the tracks that are scaled as one stream, and the place among them, which a batch assigns; `nil` for
  /// a stream of its own.
  package var gapless: String?
  /// True if a layout that the output's format cannot express is written as the nearest one, with a
  /// warning; otherwise it is refused.
  public var allowsLayoutLoss = false
  /// The part of the source's metadata that is written to the output.
  public var metadata: MetadataSelection = .keep
  /// True to keep tags that were measured on the source and do not apply to the output, such as ReplayGain.
  public var keepsStaleTags = false
  /// The audio track to convert, from 1; `nil` for the first.
  public var track: Int?

  /// Settings that keep everything except the length.
  public init(
    time: TimeRequest, method: ScalingMethod = .smoothstep, channels: ChannelMix = .unchanged,
    format: AudioFormat? = nil, encoding: EncodingOptions = EncodingOptions()
  ) {
    self.time = time
    self.method = method
    self.channels = channels
    self.format = format
    self.encoding = encoding
  }
}

extension ConversionSettings {
  /// True if all of the source is converted and length, pitch, channels and level stay, so that the output
  /// sounds the same.
  var keepsSound: Bool {
    guard case .unchanged = time, case .unchanged = channels, level == .unchanged, part == nil
    else {
      return false
    }
    return method.semitones == 0
  }

  /// The supported sample rates of outputs, in Hz.
  public static let sampleRateRange: ClosedRange<Int> = 1000...768_000
  /// The supported loudness, in LUFS.
  public static let loudnessRange: ClosedRange<Double> = -60...0
  /// The supported peaks, in dB below full scale.
  public static let peakRange: ClosedRange<Double> = -60...0
  /// ``peakRange`` as text.
  package static let peakRangeText = "-60 to 0 dB"
}
