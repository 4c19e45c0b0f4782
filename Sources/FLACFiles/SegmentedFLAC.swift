internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// Writes native FLAC in segments, which are encoded side by side while cores are free.
///
/// The segments are the same however many cores there are, and so is the file. libFLAC 1.4 encodes on one
/// thread; its frames do not depend on each other but for their numbers, so those of a segment become
/// those of the whole stream (``FLACFrameNumber``).
final class SegmentedFLAC {
  /// Samples in a segment, over all channels.
  private static let segmentSamples = 1 << 18
  /// Segments that may be in memory: encoded, waiting for it, or waiting to be written.
  private static let mostSegments = 12

  private let path: FilePath
  private let output: OutputCursor
  private let settings: FLACEncoder.Settings
  private let blockFrames: Int
  private let segmentFrames: Int
  private var head: FLACStreamHead
  private var digest: SampleDigest
  private var encodedFrames = 0
  /// The segment that is being filled.
  private var current: FLACSegment
  /// The segments that are being encoded or wait for it, in their order.
  private var waiting: [FLACSegment] = []
  /// Segments whose memory can be used again.
  private var spare: [FLACSegment] = []

  /// Writes the stream's header and metadata.
  init(
    _ output: OutputCursor, _ settings: FLACEncoder.Settings, blocks: FLACMetadataBlocks,
    path: FilePath
  ) throws(AudioFileError) {
    self.path = path
    self.output = output
    self.settings = settings
    // An encoder without frames writes all that stands before them, and goes back into it at the end.
    let encoder = try FLACEncoder(output, settings, blocks: blocks, path: path)
    blockFrames = encoder.blockFrames
    let start = output.position
    try encoder.finish()
    _ = output.seek(to: start)
    let blocksInSegment = max(8, Self.segmentSamples / (blockFrames * settings.channelCount))
    segmentFrames = blocksInSegment * blockFrames
    head = FLACStreamHead(output, blockFrames: blockFrames, frameCount: settings.frameCount)
    digest = SampleDigest(bitDepth: settings.bitDepth)
    current = FLACSegment(settings, capacity: segmentFrames)
  }

  deinit {
    for segment in waiting { CoreBudget.shared.withdrawOffers(by: segment) }
  }

  /// Takes interleaved frames; of each, the samples in the order given.
  func encode<Sample: PCMSample>(
    _ frames: Span<Sample>, order: [Int]
  ) throws(AudioFileError) {
    let total = frames.count / order.count
    var start = 0
    while start < total {
      let filled = current.frameCount
      let count = min(segmentFrames - filled, total - start)
      FLACSamples.put(
        frames.extracting(start * order.count..<(start + count) * order.count), order: order,
        into: &current.samples, at: filled)
      current.frameCount += count
      start += count
      if current.frameCount == segmentFrames { try submit() }
    }
  }

  /// Encodes what is left and completes the stream information.
  func finish() throws(AudioFileError) {
    if current.frameCount > 0 { try submit() }
    while !waiting.isEmpty { try writeFirst() }
    guard head.write(to: output, digest: digest.finish()) else {
      throw .cannotWrite(path, output.failure ?? .ioError)
    }
  }

  /// Has the segment at hand encoded, elsewhere if a core is free, and begins the next.
  private func submit() throws(AudioFileError) {
    add(current)
    current.firstFrameNumber = encodedFrames
    encodedFrames += (current.frameCount + blockFrames - 1) / blockFrames
    current.offer(to: .shared)
    waiting.append(current)
    encodeIdle()
    while let first = waiting.first, first.hasCompleted() { try write(first) }
    while waiting.count >= Self.mostSegments { try writeFirst() }
    current = spare.popLast() ?? FLACSegment(settings, capacity: segmentFrames)
  }

  /// Encodes one segment here where enough for all other cores wait besides: more of them would only be
  /// memory to clear while other files keep the cores busy.
  private func encodeIdle() {
    let idle = waiting.filter { CoreBudget.shared.hasOffers(by: $0) }
    guard idle.count >= min(CoreBudget.shared.cores, Self.mostSegments / 2) else { return }
    for segment in idle {
      // It may have been begun since it was counted.
      if segment.encodeIfIdle(within: .shared) { return }
    }
  }

  private func add(_ segment: FLACSegment) {
    let samples = segment.samples
    digest.add(samples.span.extracting(0..<segment.frameCount * settings.channelCount))
  }

  /// Waits for the first segment and writes it.
  private func writeFirst() throws(AudioFileError) {
    guard let first = waiting.first else { return }
    first.complete(within: .shared)
    try write(first)
  }

  /// Writes the first segment, which is encoded.
  private func write(_ segment: FLACSegment) throws(AudioFileError) {
    waiting.removeFirst()
    if let failure = segment.failure {
      throw .encoderFailed(path, reason: "libFLAC failed: \(failure)")
    }
    guard segment.bytes.withUnsafeBytes({ output.write($0) }) else {
      throw .cannotWrite(path, output.failure ?? .ioError)
    }
    for size in segment.sizes { head.count(frameOfBytes: size) }
    segment.clear()
    spare.append(segment)
  }
}
