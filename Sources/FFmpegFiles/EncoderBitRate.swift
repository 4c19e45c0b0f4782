internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// The bit rate that an AAC encoder is set to.
enum EncoderBitRate {
  /// What was asked, or what is close to the source, or what sounds like the original.
  static func bitRate(
    for description: OutputDescription, path: FilePath
  ) throws(AudioFileError) -> Int {
    let spec = description.spec
    let range = range(for: spec)
    if let asked = description.options.bitRate {
      guard range.contains(asked) else {
        throw .cannotHold(
          path,
          reason: "AAC with \(spec.channelCount) channel\(spec.channelCount == 1 ? "" : "s") at "
            + "\(spec.sampleRate) Hz has no bit rate of \(asked)",
          remedy: .set(
            .bitRate, to: "from \(range.lowerBound / 1000)k to \(range.upperBound / 1000)k"))
      }
      return asked
    }
    let wanted =
      description.sourceBitRate ?? spec.channelCount * min(96_000, 2 * spec.sampleRate)
    return min(max(wanted, range.lowerBound), range.upperBound)
  }

  /// A packet of 1024 frames holds at most 6144 bits for each channel (ISO 14496-3 section
  /// 4.5.3.3). Below a sixth of a bit for each sample, libavcodec writes more than it is asked to.
  private static func range(for spec: AudioSpec) -> ClosedRange<Int> {
    let most = spec.channelCount * spec.sampleRate * 6
    return min(most, max(4_000, spec.channelCount * spec.sampleRate / 6))...most
  }
}
