public import AudioIO
public import AudioModel
internal import FFmpegFiles

extension AudioFormat {
  /// Why a format cannot hold some audio.
  public struct Refusal: Hashable, Sendable {
    /// What the format lacks: `MP3 holds at most 2 channels, not 6`.
    public var reason: String
    /// What to do instead.
    public var remedy: Remedy?
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
      refusal(of: spec, frameCount: 0) == nil, container == .wav,
      let id = fallbackID, let larger = AudioFormat.named(id)
    else { return self }
    return larger
  }

  /// Why this format cannot hold so many frames of such audio, stored as `sampleFormat` (`nil`: as a
  /// lossy codec does); `nil` when it can.
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

  /// Names the formats that people know and that could hold the audio, of this format's kind first.
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
