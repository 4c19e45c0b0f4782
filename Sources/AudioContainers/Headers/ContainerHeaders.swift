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

/// Describes the storage of audio in containers with a ``ContainerHeader``.
package enum ContainerStorage {
  /// Adds the values of the header; returns `false` for formats without a ``ContainerHeader``.
  package static func add(
    to storage: inout StorageDescription, _ input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) -> Bool {
    guard let header = try format.container.header?(input) else { return false }
    // In a file without frames, the offset may be outside the file.
    guard header.audioOffset <= input.size else { return true }
    let byteCount = header.availableBytes(fileSize: input.size)
    storage.audioOffset = header.audioOffset
    storage.audioByteCount = byteCount
    // AU's encodings without whole bytes per frame are ADPCM with constant bits per sample.
    if header.bytesPerFrame != nil || format.container == .au { storage.bitRateMode = .constant }
    if let block = header.bytesPerBlock, block > 0, let frames = header.framesPerBlock, frames > 1 {
      storage.bitRateMode = .constant
      storage.packets = StorageDescription.Packets(
        count: byteCount / block, bytes: block...block, frameCount: frames)
    }
    try addPacketTable(to: &storage, input, header)
    return true
  }

  /// Adds the values of CAF's packet table: packets, frames, delay, and padding.
  ///
  /// Source: Apple, "Core Audio Format Specification 1.0", packet table chunk.
  package static func addPacketTable(
    to storage: inout StorageDescription, _ input: borrowing InputFile, _ header: ContainerHeader
  ) throws(AudioFileError) {
    guard let chunk = header.chunks.first(where: { $0.name == "pakt" }) else { return }
    let table = ByteReader(
      bytes: try input.bytes(at: chunk.offset, count: 24), isBigEndian: true)
    guard let count = table.number(at: 0, count: 8).flatMap({ Int(exactly: $0) }),
      let delay = table.uint32(at: 16), let remainder = table.uint32(at: 20)
    else { return }
    if count > 0 {
      var packets = storage.packets ?? StorageDescription.Packets()
      packets.count = packets.count ?? count
      packets.frameCount = header.framesPerBlock.flatMap { $0 > 1 ? $0 : nil }
      storage.packets = packets
    }
    storage.delay = Int(Int32(bitPattern: delay))
    storage.padding = Int(Int32(bitPattern: remainder))
  }
}
