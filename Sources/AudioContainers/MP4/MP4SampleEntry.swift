internal import AudioIO
internal import AudioModel

extension PacketStream {
  /// Adds the sample entry, which tells decoders what the packets are.
  ///
  /// Source: ISO 14496-12 section 12.2.3.
  func putSampleEntry(averageBitRate: Int, highestBitRate: Int, _ bytes: inout ByteWriter) {
    bytes.atom(codec == .aac ? "mp4a" : "alac") { entry in
      entry.appendZeros(6)
      entry.append16(1)
      entry.appendZeros(8)
      // For AAC the standard fixes 2 channels and 16 bits here; its configuration tells the truth.
      entry.append16(codec == .aac ? 2 : spec.channelCount)
      entry.append16(bitDepth)
      entry.appendZeros(4)
      // 16 bits, and 16 of a fraction; what does not fit is told by the configuration.
      entry.append32(spec.sampleRate <= 0xFFFF ? spec.sampleRate << 16 : 0)
      switch codec {
      case .aac: putAACDescriptors(averageBitRate, highestBitRate, &entry)
      case .alac: putALACConfiguration(&entry)
      }
    }
  }

  /// Source: ISO 14496-14 section 5.6, and ISO 14496-1 section 7.2.6.
  private func putAACDescriptors(
    _ averageBitRate: Int, _ highestBitRate: Int, _ bytes: inout ByteWriter
  ) {
    bytes.atom("esds", version: 0) { atom in
      Self.putDescriptor(3, size: 3 + 5 + 13 + 5 + configuration.count + 5 + 1, &atom)
      atom.append16(0)
      atom.append8(0)
      Self.putDescriptor(4, size: 13 + 5 + configuration.count, &atom)
      // MPEG-4 audio; an audio stream.
      atom.append8(0x40)
      atom.append8(0x15)
      atom.append24(768 * spec.channelCount)
      atom.append32(highestBitRate)
      atom.append32(averageBitRate)
      Self.putDescriptor(5, size: configuration.count, &atom)
      atom.append(configuration)
      Self.putDescriptor(6, size: 1, &atom)
      atom.append8(2)
    }
  }

  /// A descriptor's tag and its size, in four groups of 7 bits as most programs write it.
  private static func putDescriptor(_ tag: Int, size: Int, _ bytes: inout ByteWriter) {
    bytes.append8(tag)
    for place in [21, 14, 7] { bytes.append8(0x80 | size >> place & 0x7F) }
    bytes.append8(size & 0x7F)
  }

  private func putALACConfiguration(_ bytes: inout ByteWriter) {
    bytes.atom("alac", version: 0) { $0.append(configuration) }
    if spec.channelCount > 2 {
      bytes.atom("chan", version: 0) {
        ALACConfiguration.putLayout(channelCount: spec.channelCount, &$0)
      }
    }
  }
}
