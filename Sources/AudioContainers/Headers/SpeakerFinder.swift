internal import AudioIO
package import AudioModel

/// Finds which speaker each channel is for, from what a header says.
package enum SpeakerFinder {
  /// `kAudioChannelLayoutTag_DiscreteInOrder` and `…_Unknown`: channels without positions.
  private static let positionlessTags: Set<UInt32> = [147, 0xFFFF]

  package static func layout(
    header: ContainerHeader?, channelCount: Int, warnings: inout [String]
  ) -> ChannelLayout {
    if let mask = header?.channelMask {
      if mask == 0 { return .unspecified(channelCount) }
      if let layout = ChannelLayout(mask: mask, channelCount: channelCount) { return layout }
      warnings.append(
        "the channel mask 0x\(String(mask, radix: 16)) does not fit \(channelCount) channels; "
          + "which speakers they are for is not known")
      return .unspecified(channelCount)
    }
    if let content = header?.coreAudioLayout {
      let layout = CoreAudioLayout.layout(
        content, channelCount: channelCount, isWrittenByLavf: header?.isWrittenByLavf ?? false)
      if let layout { return layout }
      let tag = ByteReader(bytes: content, isBigEndian: true).uint32(at: 0) ?? 0
      if !positionlessTags.contains(tag >> 16) {
        warnings.append(
          "the channel layout in the file (tag \(tag >> 16)) is not one of known speakers; "
            + "which speakers its channels are for is not known")
      }
      return .unspecified(channelCount)
    }
    return .assumed(channelCount: channelCount)
  }
}

extension ContainerHeader {
  /// Whole frames of audio that are there; `nil` for encodings in blocks or packets.
  package func framesThere(fileSize: Int) -> Int? {
    guard let bytesPerFrame, bytesPerFrame > 0 else { return nil }
    return availableBytes(fileSize: fileSize) / bytesPerFrame
  }

  /// The length of audio whose codec pads its last block, given the length with that padding: the `fact`
  /// or `pakt` chunk says where the audio ends.
  package func lengthWithoutPadding(of frameCount: Int) -> Int {
    guard bytesPerFrame == nil, let declaredFrames, let framesPerBlock else { return frameCount }
    // A number that is off by more is wrong: libsndfile writes half the length of stereo.
    let isPlausible = declaredFrames <= frameCount && frameCount - declaredFrames < framesPerBlock
    return isPlausible ? declaredFrames : frameCount
  }

  /// Corrections that make the header tell libsndfile what is there.
  package func patches(fileSize: Int) -> [HeaderPatch] {
    let rest = fileSize - audioOffset
    let isTrue = declaredBytes.map { $0 <= rest } ?? false
    if isTrue || rest < 0 { return repairs }
    var bytes = rest
    if let bytesPerFrame, bytesPerFrame > 0 { bytes -= bytes % bytesPerFrame }
    return repairs + [lengthField.patch(bytes)].compactMap { $0 }
  }
}
