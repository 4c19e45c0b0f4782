internal import AudioIO
internal import AudioModel

/// The positions and durations of the samples of a track.
///
/// "Sample" is the standard's term for a packet.
/// Source: ISO 14496-12 sections 8.6 and 8.7.
struct MP4SampleTable {
  /// Runs of samples of equal duration.
  var durations: [(count: Int, frames: Int)]
  /// The number of samples; `sizes` may have fewer while they are not all known.
  var count: Int
  var sizes: [UInt32]
  /// Samples per chunk, except the last chunk.
  var samplesPerChunk: Int
  /// The offset of the first sample in the file; the others follow it.
  var offset: Int
  /// True if offsets have 64 bits.
  var hasLongOffsets: Bool

  private var chunkCount: Int { (count + samplesPerChunk - 1) / samplesPerChunk }

  /// The number of bytes by which the table will grow once it has all sizes.
  var missingBytes: Int {
    (count - sizes.count) * 4
      + (chunkCount - (sizes.count + samplesPerChunk - 1) / samplesPerChunk)
      * (hasLongOffsets ? 8 : 4)
  }

  func putDurations(_ bytes: inout ByteWriter) {
    bytes.box("stts", version: 0) { box in
      box.append32(durations.count)
      for run in durations {
        box.append32(run.count)
        box.append32(run.frames)
      }
    }
  }

  func putPlaces(_ bytes: inout ByteWriter) {
    bytes.box("stsc", version: 0) { putChunkSizes(&$0) }
    bytes.box("stsz", version: 0) { box in
      box.append32(0)
      box.append32(count)
      for size in sizes { box.append32(Int(size)) }
    }
    bytes.box(hasLongOffsets ? "co64" : "stco", version: 0) { box in
      box.append32(chunkCount)
      var position = offset
      for (index, size) in sizes.enumerated() {
        if index % samplesPerChunk == 0 {
          if hasLongOffsets { box.append64(position) } else { box.append32(position) }
        }
        position += Int(size)
      }
    }
  }

  private func putChunkSizes(_ box: inout ByteWriter) {
    let whole = count / samplesPerChunk
    let rest = count % samplesPerChunk
    var runs: [(first: Int, samples: Int)] = []
    if whole > 0 { runs.append((1, samplesPerChunk)) }
    if rest > 0 { runs.append((whole + 1, rest)) }
    box.append32(runs.count)
    for run in runs {
      box.append32(run.first)
      box.append32(run.samples)
      box.append32(1)
    }
  }
}

extension PacketStream {
  /// Adds the sample entry, which describes the packets to decoders.
  ///
  /// Source: ISO 14496-12 section 12.2.3.
  func putSampleEntry(averageBitRate: Int, highestBitRate: Int, _ bytes: inout ByteWriter) {
    bytes.box(codec == .aac ? "mp4a" : "alac") { entry in
      entry.appendZeros(6)
      entry.append16(1)
      entry.appendZeros(8)
      // For AAC the standard fixes 2 channels and 16 bits here; its configuration has the actual values.
      entry.append16(codec == .aac ? 2 : spec.channelCount)
      entry.append16(bitDepth)
      entry.appendZeros(4)
      // 16 bits and a 16-bit fraction; the configuration holds rates that do not fit.
      entry.append32(spec.sampleRate <= 0xFFFF ? spec.sampleRate << 16 : 0)
      switch codec {
      case .aac: putAACDescriptors(averageBitRate, highestBitRate, &entry)
      case .alac: putALACConfiguration(&entry)
      // WavPack is stored only in its own files.
      case .wavPack: break
      }
    }
  }

  /// Source: ISO 14496-14 section 5.6, and ISO 14496-1 section 7.2.6.
  private func putAACDescriptors(
    _ averageBitRate: Int, _ highestBitRate: Int, _ bytes: inout ByteWriter
  ) {
    bytes.box("esds", version: 0) { box in
      Self.putDescriptor(3, size: 3 + 5 + 13 + 5 + configuration.count + 5 + 1, &box)
      box.append16(0)
      box.append8(0)
      Self.putDescriptor(4, size: 13 + 5 + configuration.count, &box)
      // MPEG-4 audio; an audio stream.
      box.append8(0x40)
      box.append8(0x15)
      box.append24(768 * spec.channelCount)
      box.append32(highestBitRate)
      box.append32(averageBitRate)
      Self.putDescriptor(5, size: configuration.count, &box)
      box.append(configuration)
      Self.putDescriptor(6, size: 1, &box)
      box.append8(2)
    }
  }

  /// A descriptor's tag, and its size in four 7-bit groups, as most programs write it.
  private static func putDescriptor(_ tag: Int, size: Int, _ bytes: inout ByteWriter) {
    bytes.append8(tag)
    for place in [21, 14, 7] { bytes.append8(0x80 | size >> place & 0x7F) }
    bytes.append8(size & 0x7F)
  }

  private func putALACConfiguration(_ bytes: inout ByteWriter) {
    bytes.box("alac", version: 0) { $0.append(configuration) }
    if spec.channelCount > 2 {
      bytes.box("chan", version: 0) {
        ALACConfiguration.putLayout(channelCount: spec.channelCount, &$0)
      }
    }
  }
}
