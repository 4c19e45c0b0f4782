public import AudioIO
public import AudioModel
internal import SndFileFiles

extension AudioFormat {
  /// The reason why a format cannot hold some audio.
  public struct Refusal: Hashable, Sendable {
    /// The reason, such as `MP3 holds at most 2 channels, not 6`.
    public var reason: String
    /// What to do instead.
    public var remedy: Remedy?
  }

  /// The format written for a source of this format: this format, or the nearest that can be
  /// written; `nil` if there is none.
  public var writtenForm: AudioFormat? {
    var format = self
    // The bound prevents an endless loop if the table contained a circle.
    for _ in AudioFormat.all {
      if format.isWritable { return format }
      guard let next = format.fallbackID.flatMap(AudioFormat.named) else { return nil }
      format = next
    }
    return nil
  }

  /// The format written instead of this one for a lossless source, unless the options require a
  /// lossy one (M4A: ALAC instead of AAC); otherwise this format.
  public func losslessForm(for options: EncodingOptions) -> AudioFormat {
    guard let losslessID, options.bitRate == nil, options.quality == nil,
      let form = AudioFormat.named(losslessID), form.isWritable
    else { return self }
    return form
  }

  /// This format, or the one used beyond its size limit (WAV: RF64).
  public func largeForm(
    for spec: AudioSpec, frameCount: Int, sampleFormat: SampleFormat? = .int16
  ) -> AudioFormat {
    guard isWritable, sizeRefusal(of: spec, frameCount, sampleFormat) != nil,
      refusal(of: spec, frameCount: 0) == nil, container == .wav,
      let id = fallbackID, let larger = AudioFormat.named(id)
    else { return self }
    return larger
  }

  /// The reason why this format cannot hold `frameCount` frames stored as `sampleFormat` (`nil` for
  /// lossy codecs); `nil` if it can.
  public func refusal(
    of spec: AudioSpec, frameCount: Int, sampleFormat: SampleFormat? = .int16
  ) -> Refusal? {
    guard let short = limit(for: spec, frameCount: frameCount, sampleFormat: sampleFormat) else {
      return nil
    }
    var remedies = [remedy(for: spec, frameCount, sampleFormat)].compactMap(\.self)
    if short == layoutRefusal(of: spec.layout), layoutLoss(of: spec.layout) != nil {
      remedies.append(.allowLayoutLoss)
    }
    return Refusal(
      reason: short, remedy: remedies.count > 1 ? .any(remedies) : remedies.first)
  }

  /// Suggests common formats that can hold the audio, formats of the same kind first.
  private func remedy(
    for spec: AudioSpec, _ frameCount: Int, _ sampleFormat: SampleFormat?
  ) -> Remedy? {
    let known = isLossless ? ["wav", "flac", "w64", "rf64", "caf"] : ["ogg", "mp3", "flac", "wav"]
    let able = known.filter { id in
      guard id != self.id, let format = AudioFormat.named(id), format.isWritable,
        format.channelRefusal(of: spec) == nil, format.rateRefusal(of: spec) == nil,
        format.layoutRefusal(of: spec.layout) == nil, format.depthRefusal(of: sampleFormat) == nil
      else { return false }
      return format.sizeRefusal(of: spec, frameCount, sampleFormat) == nil
    }
    return able.isEmpty ? nil : .useFormat(Array(able.prefix(3)))
  }
}

extension AudioFormat {
  /// The sample format in which this format stores `samples`: unchanged if possible, otherwise the
  /// smallest that holds every value, otherwise the one that loses least; `nil` for lossy formats.
  public func storage(for samples: SampleFormat) -> SampleFormat? {
    let formats = sampleFormats
    if formats.contains(samples) { return samples }
    // The cases are in ascending order of size.
    if let holding = formats.first(where: { $0.holds(samples) }) { return holding }
    return Self.nearest[samples]?.first { formats.contains($0) } ?? formats.last
  }

  /// The closest formats if none holds every value, best first. Integers end at full scale, where a
  /// 32-bit float has a resolution of 24 bits.
  private static let nearest: [SampleFormat: [SampleFormat]] = [
    .float64: [.float32, .int32, .int24, .int16], .float32: [.int24, .int32, .int16],
    .int32: [.int24, .float32, .int16], .int24: [.int16], .int16: [.int8],
  ]
}

extension AudioFormat {
  /// The bit rate at which this format sounds about as good as a lossy source, in bits per second;
  /// `nil` for sources whose bit rate does not indicate quality (PCM, lossless).
  ///
  /// This is the default of all lossy formats: the source's bit rate per channel, multiplied by the
  /// relative need of this codec and divided by that of the source's codec. Within one codec that
  /// is the source's bit rate. A writer uses the nearest bit rate it supports, and its own default
  /// for sources without a bit rate.
  ///
  /// The relative needs are a rule of thumb from public listening tests, in which Opus at 96 kb/s,
  /// AAC and Vorbis at about 112 kb/s and MP3 at about 144 kb/s scored alike. HE-AAC synthesizes
  /// the upper half of the spectrum; a codec that must encode it gets at least 0.75 bits a sample.
  package func bitRate(like source: SourceDescription, channelCount: Int) -> Int? {
    guard !isLossless, let rate = source.bitRate, rate > 0, source.sampleFormat == nil else {
      return nil
    }
    let ratio = Self.need(ofCodec: name) / Self.need(ofCodec: source.codec)
    let channels = Double(channelCount) / Double(max(1, source.spec.channelCount))
    var wanted = Double(rate) * ratio * channels
    if Self.isHighEfficiency(source), codec != .opus {
      wanted = max(wanted, 0.75 * Double(channelCount) * Double(source.spec.sampleRate))
    }
    return Int(exactly: wanted.rounded())
  }

  /// The warning that a source's bit rate is raised, because this format's codec needs more than the
  /// source's; `nil` if it is not.
  package func bitRateWarning(like source: SourceDescription, channelCount: Int) -> String? {
    guard Self.isHighEfficiency(source), let rate = source.bitRate,
      let wanted = bitRate(like: source, channelCount: channelCount), wanted > rate
    else { return nil }
    return "its HE-AAC has \((rate + 500) / 1000) kb/s; \(name) needs more for the same quality, "
      + "so it is written at about \((wanted + 500) / 1000) kb/s"
  }

  private static func isHighEfficiency(_ source: SourceDescription) -> Bool {
    source.codec.hasPrefix("HE-AAC")
  }

  /// Bit rate of a codec relative to MP3 at the same quality. The names are those of the table and
  /// the readers.
  private static func need(ofCodec name: String) -> Double {
    let lowered = name.lowercased()
    return needs.first { lowered.contains($0.0) }?.1 ?? 1
  }

  /// Keyed by a part of a codec's name; the first match counts.
  private static let needs: [(String, Double)] = [
    ("he-aac v2", 0.35), ("he-aac", 0.5), ("opus", 0.65), ("vorbis", 0.8), ("aac", 0.8),
    ("m4a", 0.8), ("m4b", 0.8), ("m4r", 0.8),
    ("amr", 0.5), ("eac3", 1), ("e-ac-3", 1),
    ("ac3", 1.3), ("ac-3", 1.3), ("layer iii", 1), ("layer ii", 1.4), ("mp2", 1.4),
    ("layer i", 1.8), ("mp1", 1.8),
  ]
}
