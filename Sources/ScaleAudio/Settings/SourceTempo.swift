internal import AudioFiles
public import AudioIO
internal import AudioModel
public import SystemPackage
public import TimeScaling

/// The tempo of a source, and how it is known.
public struct SourceTempo: Hashable, Sendable {
  /// The origin of a tempo.
  public enum Origin: String, CaseIterable, Hashable, Sendable {
    /// The request states it.
    case given
    /// A tag of the file.
    case tag
    /// The information for samplers in the file: the chunk `acid` of WAV, or that of Apple Loops: `basc` of AIFF, a chunk `uuid` of CAF.
    case loop
    /// The name of the file, such as `loop_120bpm.wav`.
    case name
    /// An estimate from the sound: see `TempoMeter` of TimeScaling.
    case estimate
  }

  /// Beats per minute.
  public let beatsPerMinute: Double
  /// Its origin.
  public let origin: Origin
  /// The confidence of an estimate, from 0 to 1; `nil` for another origin.
  public let confidence: Double?

  /// The tempos that are used, in beats per minute.
  public static let range = 10.0...1000

  init(_ beatsPerMinute: Double, _ origin: Origin) {
    (self.beatsPerMinute, self.origin, confidence) = (beatsPerMinute, origin, nil)
  }

  /// An estimate, clear or not.
  init(_ estimate: TempoEstimate) {
    beatsPerMinute = estimate.beatsPerMinute
    origin = .estimate
    confidence = estimate.confidence
  }

  /// False for an estimate that is not usable.
  public var isClear: Bool { confidence ?? 1 >= TempoMeter.leastConfidence }

  /// The tempo that the tags, the information for samplers or the name of a source state; `nil` if none does.
  public init?(statedBy source: SourceDescription, named path: FilePath?) {
    let tags = source.metadata.comments.filter { StaleTags.isTempo($0.name) }
    if let beats = tags.lazy.compactMap({ Self.usable(Tempo.beats($0.value)) }).first {
      self.init(beats, .tag)
    } else if let loop = source.metadata.loopProperties, let beats = Self.beats(of: loop, source) {
      self.init(beats, .loop)
    } else if let beats = Self.tempo(of: source.metadata.loopBeats, source) {
      self.init(beats, .loop)
    } else if let beats = path?.stem.flatMap({ Self.usable(Tempo.beats(inName: $0)) }) {
      self.init(beats, .name)
    } else {
      return nil
    }
  }

  /// The tempo of a loop, stated or by the number of its beats; `nil` for a sound that is played once.
  private static func beats(
    of loop: Metadata.LoopProperties, _ source: SourceDescription
  ) -> Double? {
    guard loop.flags & 1 == 0 else { return nil }
    return usable(Double(loop.tempo)) ?? tempo(of: loop.beats, source)
  }

  /// The tempo at which the whole source has a number of beats; `nil` for none.
  private static func tempo(of beats: UInt32, _ source: SourceDescription) -> Double? {
    let seconds = source.spec.seconds(frames: source.frameCount)
    return beats > 0 && seconds > 0 ? usable(Double(beats) * 60 / seconds) : nil
  }

  private static func usable(_ beats: Double?) -> Double? {
    beats.flatMap { range.contains($0) ? $0 : nil }
  }

  /// The estimate for the frames of a stream from its current one on, clear or not; `nil` for silence, and if there are
  /// too few.
  static func estimate(
    _ stream: any FrameStream, path: FilePath, isCancelled: () -> Bool
  ) throws(AudioFileError) -> SourceTempo? {
    let channels = stream.spec.channelCount
    let meter: TempoMeter
    do throws(ScalingError) {
      meter = try TempoMeter(sampleRate: stream.spec.sampleRate, channelCount: channels)
    } catch {
      throw .cannotScale(path, reason: error.cause, remedy: error.remedy)
    }
    let block = Block(.float64, sampleCount: max(1, 32_768 / channels) * channels)
    while !meter.isFull, try stream.read(into: block) > 0 {
      if isCancelled() { throw .cannotRead(path, .interrupted) }
      meter.add(
        block.samples(of: Double.self).span.extracting(first: block.frameCount * channels))
    }
    return meter.finish().map { SourceTempo($0) }
  }
}

extension ConversionSettings {
  /// The settings with the factor for a requested tempo, by the tempo that the request or the source states, and that
  /// tempo; otherwise `other`, the tempo from elsewhere.
  ///
  /// - Throws: ``ConversionError/unclearTempo(_:_:)`` if there is none, or an estimate that is not clear, and
  ///   ``ConversionError/factorOutOfRange(_:factor:)``.
  func atTempo(
    of source: SourceDescription, input: FilePath,
    other: () throws(ConversionError) -> SourceTempo? = { nil }
  ) throws(ConversionError) -> (settings: ConversionSettings, tempo: SourceTempo?) {
    guard case .bpm(let wanted, let given) = time else { return (self, nil) }
    let stated =
      given.map { SourceTempo($0, .given) } ?? SourceTempo(statedBy: source, named: input)
    var known = stated
    if known == nil { known = try other() }
    guard let found = known, found.isClear else { throw .unclearTempo(input, known) }
    let factor = found.beatsPerMinute / wanted
    guard let usable = TimeFactor(factor) else { throw .factorOutOfRange(input, factor: factor) }
    var settings = self
    settings.time = .factor(usable)
    return (settings, found)
  }
}
