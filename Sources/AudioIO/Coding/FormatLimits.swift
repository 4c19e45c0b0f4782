public import AudioModel
package import SystemPackage

extension AudioFormat {
  /// The reason why this format cannot hold `frameCount` frames of this audio; `nil` if it can.
  ///
  /// `sampleFormat` is the format of stored samples, `nil` for a lossy codec.
  package func limit(
    for spec: AudioSpec, frameCount: Int, sampleFormat: SampleFormat? = .int16
  ) -> String? {
    writeRefusal ?? channelRefusal(of: spec) ?? rateRefusal(of: spec)
      ?? layoutRefusal(of: spec.layout) ?? depthRefusal(of: sampleFormat)
      ?? sizeRefusal(of: spec, frameCount, sampleFormat)
  }

  package var writeRefusal: String? {
    if isWritable, let failure = library.type.failure {
      return "\(name) cannot be written: \(failure)"
    }
    return isWritable ? nil : "\(name) files are read but not written"
  }

  package func channelRefusal(of spec: AudioSpec) -> String? {
    if channels.contains(spec.channelCount) { return nil }
    let most = channels.upperBound
    return "\(name) holds at most \(most) channel\(most == 1 ? "" : "s"), not \(spec.channelCount)"
  }

  package func rateRefusal(of spec: AudioSpec) -> String? {
    if let sampleRates, !sampleRates.contains(spec.sampleRate) {
      let list = sampleRates.map(String.init).joined(separator: ", ")
      return "\(name) does not support a sample rate of \(spec.sampleRate) Hz, only \(list)"
    }
    if !(1...highestSampleRate).contains(spec.sampleRate) {
      return "\(name) supports sample rates up to \(highestSampleRate) Hz, not \(spec.sampleRate)"
    }
    return nil
  }

  /// The rate at which to write audio with a sample rate of `rate` Hz: `rate` itself, or the next higher rate that
  /// the format supports, which keeps the whole band. If there is none, lossy formats use their highest common rate;
  /// `nil` for lossless formats, which would lose a part of the band.
  package func writtenRate(for rate: Int) -> Int? {
    if let sampleRates {
      let least = sampleRates.filter { $0 >= rate }.min()
      return least ?? (isLossless ? nil : sampleRates.max())
    }
    if rate <= highestSampleRate { return rate }
    return isLossless ? nil : [192_000, 96_000, 48_000].first { $0 <= highestSampleRate }
  }

  /// The rates nearest to one that the format does not support, the next higher one first.
  public func nearestRates(to rate: Int) -> [Int] {
    guard let sampleRates else { return rate > highestSampleRate ? [highestSampleRate] : [] }
    return [sampleRates.filter { $0 >= rate }.min(), sampleRates.filter { $0 < rate }.max()]
      .compactMap(\.self)
  }

  package func layoutRefusal(of layout: ChannelLayout) -> String? {
    switch layouts {
    case .waveMask, .coreAudio:
      return nil
    case .countOnly:
      let plain = ChannelLayout.assumed(channelCount: layout.channelCount)
      if layout.speakers == nil || layout == plain { return nil }
      return "\(name) cannot store the layout \(layout)"
    case .vorbis:
      if VorbisLayout.order(of: layout) != nil { return nil }
      if layout.speakers != nil { return "\(name) cannot store the layout \(layout)" }
      let fixed = VorbisLayout.layout(channelCount: layout.channelCount)
      return
        "\(name) stores \(layout.channelCount) channels as \(fixed), and the source has no channel "
        + "layout"
    case .aac, .alac:
      if library.type.canState(layout, in: self) { return nil }
      if layout.speakers != nil { return "\(name) cannot store the layout \(layout)" }
      return "\(name) needs a channel layout, and the source has none"
    }
  }

  package func depthRefusal(of sampleFormat: SampleFormat?) -> String? {
    guard isLossless, let sampleFormat, !sampleFormats.contains(sampleFormat) else { return nil }
    return "\(name) holds no \(sampleFormat) samples"
  }

  package func sizeRefusal(
    of spec: AudioSpec, _ frameCount: Int, _ sampleFormat: SampleFormat?
  ) -> String? {
    guard let maximumBytes, let bits = sampleFormat?.bitDepth else { return nil }
    let (bytes, overflow) = frameCount.multipliedReportingOverflow(
      by: bits / 8 * spec.channelCount)
    if !overflow && bytes <= maximumBytes { return nil }
    return
      "\(name) holds at most \(maximumBytes) bytes of audio, and \(frameCount) frames need more"
  }

  /// Throws for audio without frames: encoders of packets would write files that no decoder opens.
  package func checkThereIsAudio(
    _ description: OutputDescription, path: FilePath
  ) throws(AudioFileError) {
    guard description.frameCount == 0, packets != nil || codec == .opus || codec == .mpegLayer3
    else { return }
    throw .cannotHold(
      path, reason: "the input holds no audio, and \(name) cannot store empty audio",
      remedy: .useFormat(["flac", "wav"]))
  }

  /// The sample formats that this format can store; empty for lossy formats, which have no bit depth, and for
  /// formats that cannot be written.
  public var sampleFormats: [SampleFormat] {
    isWritable && isLossless ? library.type.sampleFormats(of: self) : []
  }
}
