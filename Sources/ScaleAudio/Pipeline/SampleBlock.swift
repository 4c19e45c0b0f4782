/// Interleaved frames on their way between two stages, and the memory for them, which is used again.
final class SampleBlock<Sample: PCMSample>: @unchecked Sendable {
  // One stage has it at a time; a `BlockQueue` hands it on.

  /// The memory: of the samples at its start, ``frameCount`` frames count.
  var samples: [Sample]
  /// Frames in the block.
  var frameCount = 0
  /// Frames of the source that are done with when the block is.
  var sourceFrames = 0

  /// A block with room for so many samples, over all channels.
  init(sampleCount: Int) {
    samples = .silence(sampleCount)
  }
}
