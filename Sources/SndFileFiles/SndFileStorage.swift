internal import AudioContainers
package import AudioIO
internal import AudioModel
internal import CSndFile

/// How the smaller formats store their audio whose headers only libsndfile reads.
package enum SndFileStorage {
  package static func add(
    to facts: inout StorageDescription, _ input: borrowing InputFile, source: SourceDescription
  ) throws(AudioFileError) {
    switch source.format.container {
    case .sds: try SDSPackets.add(to: &facts, input)
    case .paf where source.sampleFormat == .int24: addBlocks(to: &facts, source)
    default: try addFrames(to: &facts, input, source)
    }
  }

  /// Adds where frames of so many bytes stand one behind another: libsndfile has no word for it, but goes
  /// there to read the first.
  private static func addFrames(
    to facts: inout StorageDescription, _ input: borrowing InputFile, _ source: SourceDescription
  ) throws(AudioFileError) {
    let handle = try SndFileView(ranges: [0..<input.size]).open(input)
    let offset = handle.offsetOfFirstFrame
    // What is lossy here, A-law and µ-law, has 8 bits.
    let sampleBytes = (source.sampleFormat?.bitDepth ?? 8) / 8
    let (byteCount, overflows) = source.frameCount.multipliedReportingOverflow(
      by: sampleBytes * source.spec.channelCount)
    guard !overflows, byteCount <= input.size - offset else { return }
    facts.audioOffset = offset
    facts.audioByteCount = byteCount
    facts.bitRateMode = .constant
  }

  /// Adds the blocks of a PARIS file of 24 bits: behind its header of 2048 bytes, 10 samples of a channel
  /// take 30 bytes and 2 more.
  ///
  /// Source: libsndfile 1.2, `paf.c`.
  private static func addBlocks(to facts: inout StorageDescription, _ source: SourceDescription) {
    let count = (source.frameCount + 9) / 10
    let (byteCount, overflows) = count.multipliedReportingOverflow(
      by: 32 * source.spec.channelCount)
    guard !overflows else { return }
    facts.audioOffset = 2048
    facts.audioByteCount = byteCount
    facts.bitRateMode = .constant
    if count > 0 {
      let size = byteCount / count
      facts.packets = StorageDescription.Packets(count: count, bytes: size...size, frameCount: 10)
    }
  }
}

extension SndFileHandle {
  /// Where the first frame stands, in bytes of what libsndfile is shown; asked before any is read.
  fileprivate var offsetOfFirstFrame: Int {
    // Goes there; without an effect for DPCM, in front of which it stands after opening.
    _ = sf_seek(pointer, 0, Int32(SEEK_SET))
    return stream.position
  }
}

extension SDSPackets {
  /// Adds where the packets stand that the header promises; each is told with what frames it.
  fileprivate static func add(
    to facts: inout StorageDescription, _ input: borrowing InputFile
  ) throws(AudioFileError) {
    guard let extent = try Extent(of: input) else { return }
    facts.audioOffset = headerCount
    facts.audioByteCount = extent.packets * packetCount
    facts.bitRateMode = .constant
    guard extent.packets > 0 else { return }
    facts.packets = StorageDescription.Packets(
      count: extent.packets, bytes: packetCount...packetCount, frameCount: extent.framesPerPacket)
  }
}
