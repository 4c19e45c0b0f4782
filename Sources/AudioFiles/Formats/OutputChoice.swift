public import AudioModel

extension AudioFormat {
  /// Why a format cannot hold some audio.
  public struct Refusal: Hashable, Sendable {
    /// What the format lacks: `MP3 holds 1 to 2 channels, not 6`.
    public var reason: String
    /// What would do instead: `--format wav or flac keeps it`.
    public var remedy: String?
  }

  /// What is written for a source of this format: the format itself, or the nearest that can be
  /// written; `nil` when there is none.
  public var writtenForm: AudioFormat? {
    var format = self
    // The fallbacks are few; the bound keeps a circle in the table from hanging.
    for _ in AudioFormat.all {
      if format.isWritable { return format }
      guard let next = format.fallbackID.flatMap(AudioFormat.named) else { return nil }
      format = next
    }
    return nil
  }

  /// The row that is written in this one's place for a source whose samples are exact, unless what is
  /// asked for is lossy; the row itself otherwise (M4A: ALAC rather than AAC).
  public func losslessForm(for options: EncodingOptions) -> AudioFormat {
    guard let losslessID, options.bitRate == nil, options.quality == nil,
      let form = AudioFormat.named(losslessID), form.isWritable
    else { return self }
    return form
  }

  /// This format, or the one that takes its place beyond its maximum size (WAV: RF64).
  public func largeForm(
    for spec: AudioSpec, frameCount: Int, sampleFormat: SampleFormat? = .int16
  ) -> AudioFormat {
    guard isWritable, sizeRefusal(of: spec, frameCount, sampleFormat) != nil,
      refusal(of: spec, frameCount: 0) == nil, id == "wav" || id == "wavex",
      let id = fallbackID, let larger = AudioFormat.named(id)
    else { return self }
    return larger
  }

  /// Why this format cannot hold so many frames of such audio, stored as `sampleFormat` (`nil`: as a
  /// lossy codec does); `nil` when it can.
  public func refusal(
    of spec: AudioSpec, frameCount: Int, sampleFormat: SampleFormat? = .int16
  ) -> Refusal? {
    let short =
      writeRefusal ?? channelRefusal(of: spec) ?? rateRefusal(of: spec)
      ?? layoutRefusal(of: spec.layout) ?? depthRefusal(of: sampleFormat)
      ?? sizeRefusal(of: spec, frameCount, sampleFormat)
    guard let short else { return nil }
    var remedies = [remedy(for: spec, frameCount, sampleFormat)].compactMap(\.self)
    if short == layoutRefusal(of: spec.layout), layoutLoss(of: spec.layout) != nil {
      remedies.append("--allow-layout-loss writes it without")
    }
    return Refusal(
      reason: short, remedy: remedies.isEmpty ? nil : remedies.joined(separator: ", "))
  }

  private var writeRefusal: String? {
    #if FFmpeg
      if packets != nil, let failure = LibAVSetup.failure {
        return "\(name) cannot be written: \(LibAVSetup.lack(failure))"
      }
    #endif
    return isWritable ? nil : "\(name) files are read but not written"
  }

  private func channelRefusal(of spec: AudioSpec) -> String? {
    if channels.contains(spec.channelCount) { return nil }
    let most = channels.upperBound
    return "\(name) holds at most \(most) channel\(most == 1 ? "" : "s"), not \(spec.channelCount)"
  }

  private func rateRefusal(of spec: AudioSpec) -> String? {
    if let sampleRates, !sampleRates.contains(spec.sampleRate) {
      let list = sampleRates.map(String.init).joined(separator: ", ")
      return "\(name) holds no sample rate of \(spec.sampleRate) Hz, only \(list)"
    }
    if !(1...highestSampleRate).contains(spec.sampleRate) {
      return "\(name) holds sample rates up to \(highestSampleRate) Hz, not \(spec.sampleRate)"
    }
    return nil
  }

  func layoutRefusal(of layout: ChannelLayout) -> String? {
    switch layouts {
    case .waveMask, .coreAudio:
      return nil
    case .countOnly:
      let plain = ChannelLayout.assumed(channelCount: layout.channelCount)
      if layout.speakers == nil || layout == plain { return nil }
      return "\(name) cannot say the layout \(layout)"
    case .vorbis:
      if VorbisLayout.order(of: layout) != nil { return nil }
      if layout.speakers != nil { return "\(name) cannot say the layout \(layout)" }
      let fixed = VorbisLayout.layout(channelCount: layout.channelCount)
      return
        "\(name) gives \(layout.channelCount) channels the layout \(fixed), and the source does "
        + "not say its layout"
    case .aac, .alac:
      #if FFmpeg
        if let packets, EncoderLayout(layout, codec: packets.codec) != nil { return nil }
      #endif
      if layout.speakers != nil { return "\(name) cannot say the layout \(layout)" }
      return "\(name) needs a speaker for each channel, and the source does not say its layout"
    }
  }

  private func depthRefusal(of sampleFormat: SampleFormat?) -> String? {
    guard isLossless, let sampleFormat, !sampleFormats.contains(sampleFormat) else { return nil }
    return "\(name) holds no \(sampleFormat) samples"
  }

  private func sizeRefusal(
    of spec: AudioSpec, _ frameCount: Int, _ sampleFormat: SampleFormat?
  ) -> String? {
    guard let maximumBytes, let bits = sampleFormat?.bitDepth else { return nil }
    let (bytes, overflow) = frameCount.multipliedReportingOverflow(
      by: bits / 8 * spec.channelCount)
    if !overflow && bytes <= maximumBytes { return nil }
    return "\(name) holds \(maximumBytes) bytes of audio, and \(frameCount) frames take more"
  }

  /// Names the formats that people know and that could hold the audio, of this format's kind first.
  private func remedy(
    for spec: AudioSpec, _ frameCount: Int, _ sampleFormat: SampleFormat?
  ) -> String? {
    let known = isLossless ? ["wav", "flac", "w64", "rf64", "caf"] : ["ogg", "mp3", "flac", "wav"]
    let able = known.filter { id in
      guard id != self.id, let format = AudioFormat.named(id), format.isWritable,
        format.channelRefusal(of: spec) == nil, format.rateRefusal(of: spec) == nil,
        format.layoutRefusal(of: spec.layout) == nil, format.depthRefusal(of: sampleFormat) == nil
      else { return false }
      return format.sizeRefusal(of: spec, frameCount, sampleFormat) == nil
    }
    guard let last = able.prefix(3).last else { return nil }
    let others = able.prefix(3).dropLast()
    let list = others.isEmpty ? last : others.joined(separator: ", ") + " or \(last)"
    return "--format \(list) keeps it"
  }
}
