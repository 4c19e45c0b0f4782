internal import Dispatch
internal import SystemPackage

/// Writes native FLAC in segments, which are encoded side by side while cores are free.
///
/// The segments are the same however many cores there are, and so is the file. libFLAC 1.4 encodes on one
/// thread; its frames do not depend on each other but for their numbers, so those of a segment become
/// those of the whole stream (``FLACFrameNumber``).
final class SegmentedFLAC {
  /// Samples in a segment, over all channels.
  private static let segmentSamples = 1 << 19
  /// Segments that may be in memory: encoded, waiting for it, or waiting to be written.
  private static let mostSegments = 6

  private let path: FilePath
  private let output: OutputCursor
  private let settings: FLACEncoder.Settings
  private let blockFrames: Int
  private let segmentFrames: Int
  private var head: FLACStreamHead
  private var digest: SampleDigest
  private var samples: [Int32] = []
  private var encodedFrames = 0
  /// The segments in hand, in their order.
  private var segments: [(segment: FLACSegment, isDone: DispatchSemaphore)] = []

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
    samples.reserveCapacity(segmentFrames * settings.channelCount)
  }

  /// Takes interleaved frames.
  func encode(_ frames: ArraySlice<Int32>) throws(AudioFileError) {
    var left = frames
    while !left.isEmpty {
      let room = segmentFrames * settings.channelCount - samples.count
      samples += left.prefix(room)
      left = left.dropFirst(room)
      if samples.count == segmentFrames * settings.channelCount { try submit() }
    }
  }

  /// Encodes what is left and completes the stream information.
  func finish() throws(AudioFileError) {
    if !samples.isEmpty { try submit() }
    while !segments.isEmpty { try writeFirst() }
    guard head.write(to: output, digest: digest.finish()) else {
      throw .cannotWrite(path, output.failure ?? .ioError)
    }
  }

  /// Has the samples at hand encoded, elsewhere if a core is free, else here.
  private func submit() throws(AudioFileError) {
    digest.add(samples)
    let frameCount = samples.count / settings.channelCount
    let segment = FLACSegment(
      samples: samples, frameCount: frameCount, firstFrameNumber: encodedFrames,
      settings: settings)
    encodedFrames += (frameCount + blockFrames - 1) / blockFrames
    samples = []
    samples.reserveCapacity(segmentFrames * settings.channelCount)
    let isDone = DispatchSemaphore(value: 0)
    segments.append((segment, isDone))
    if CoreBudget.shared.borrow() {
      DispatchQueue.global().async {
        segment.encode()
        CoreBudget.shared.release()
        isDone.signal()
      }
    } else {
      segment.encode()
      isDone.signal()
    }
    while segments.count >= Self.mostSegments { try writeFirst() }
    while let first = segments.first, first.isDone.wait(timeout: .now()) == .success {
      first.isDone.signal()
      try writeFirst()
    }
  }

  /// Waits for the first segment and writes it.
  private func writeFirst() throws(AudioFileError) {
    let (segment, isDone) = segments.removeFirst()
    isDone.wait()
    if let failure = segment.failure {
      throw .encoderFailed(path, reason: "libFLAC failed: \(failure)")
    }
    guard segment.bytes.withUnsafeBytes({ output.write($0) }) else {
      throw .cannotWrite(path, output.failure ?? .ioError)
    }
    for size in segment.sizes { head.count(frameOfBytes: size) }
  }
}
