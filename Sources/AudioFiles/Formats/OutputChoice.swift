public import AudioIO
public import AudioModel

extension AudioFormat {
  /// The reason why a format cannot hold some audio.
  public struct Refusal: Hashable, Sendable {
    /// The reason, such as `MP3 holds at most 2 channels, not 6`.
    public var reason: String
    /// A way to solve the problem.
    public var remedy: Remedy?
  }

  /// The format written for a source of this format: this format, or the nearest that can be
  /// written; `nil` if there is none.
  public var writtenForm: AudioFormat? {
    var format = self
    // The bound prevents an endless loop if fallbacks in the table form a cycle.
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
    var remedies: [Remedy] = []
    if short == rateRefusal(of: spec) {
      let rates = nearestRates(to: spec.sampleRate).map(String.init)
      if !rates.isEmpty {
        remedies.append(.set(.sampleRate, to: rates.joined(separator: " or ")))
      }
    }
    remedies += [remedy(for: spec, frameCount, sampleFormat)].compactMap(\.self)
    if short == layoutRefusal(of: spec.layout), layoutLoss(of: spec.layout) != nil {
      remedies.append(.allowLayoutLoss)
    }
    if short == channelRefusal(of: spec), channels.contains(1) { remedies.append(.mergeChannels) }
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
  /// The named layouts that can be written, in ascending order of channel count.
  public var namedLayouts: [ChannelLayout] {
    ChannelLayout.named.filter {
      isWritable && channels.contains($0.channelCount) && layoutRefusal(of: $0) == nil
    }
    .sorted { $0.channelCount < $1.channelCount }
  }

  /// True if any set of the 18 speakers can be written, within the format's channel counts.
  public var saysAnyLayout: Bool {
    namedLayouts.count == ChannelLayout.named.count { channels.contains($0.channelCount) }
      && channels.upperBound > 2
  }

  /// The format used instead of this one for audio that exceeds its size limit; `nil` if there is
  /// none.
  public var longForm: AudioFormat? {
    guard isWritable, maximumBytes != nil else { return nil }
    let form = largeForm(
      for: AudioSpec(sampleRate: 8000, layout: .mono), frameCount: Int.max / 16)
    return form == self ? nil : form
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
