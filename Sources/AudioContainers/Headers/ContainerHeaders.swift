package import AudioIO
package import AudioModel

/// Finds the channel layout of a container header.
package enum SpeakerFinder {
  /// `kAudioChannelLayoutTag_DiscreteInOrder` and `…_Unknown`: channels without positions.
  private static let positionlessTags: Set<UInt32> = [147, 0xFFFF]

  /// The layout in a header, or the layout assumed for the channel count if it has none.
  package static func layout(
    header: ContainerHeader?, channelCount: Int, warnings: inout [String]
  ) -> ChannelLayout {
    if let mask = header?.channelMask {
      if mask == 0 { return .unspecified(channelCount) }
      if let layout = ChannelLayout(mask: mask, channelCount: channelCount) { return layout }
      warnings.append(
        "the channel mask 0x\(String(mask, radix: 16)) does not match \(channelCount) channels; "
          + "the channel layout is unknown")
      return .unspecified(channelCount)
    }
    if let content = header?.coreAudioLayout {
      let layout = CoreAudioLayout.layout(
        content, channelCount: channelCount, isWrittenByLavf: header?.isWrittenByLavf ?? false)
      if let layout {
        // CAF names its writer; AIFF shows it only by the order of its chunks.
        if let header, header.isWrittenByLavf, header.chunks.contains(where: { $0.name == "COMM" }),
          CoreAudioLayout.isAmbiguous(content)
        {
          warnings.append(
            "assumed FFmpeg's channel order for the tag MPEG 7.1 C, FL FR FC LFE BL BR SL SR; by the tag "
              + "alone, SL SR would precede BL BR")
        }
        return layout
      }
      let tag = ByteReader(bytes: content, isBigEndian: true).uint32(at: 0) ?? 0
      if !positionlessTags.contains(tag >> 16) {
        warnings.append(
          "the channel layout in the file (tag \(tag >> 16)) is not supported; "
            + "the channel layout is unknown")
      }
      return .unspecified(channelCount)
    }
    return .assumed(channelCount: channelCount)
  }
}
