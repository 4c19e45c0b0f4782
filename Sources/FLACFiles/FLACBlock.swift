internal import AudioModel
internal import CFLAC

/// The samples of one decoded FLAC frame (a block of every channel), kept channel after channel.
///
/// The memory grows with the blocks that are met, to 65535 samples of 8 channels at most, and is used
/// again for every block.
struct FLACBlock {
  /// The number of the block's first frame within the stream.
  private(set) var firstFrame: UInt64 = 0
  /// Frames in the block.
  private(set) var frameCount = 0
  private(set) var channelCount = 0
  private var samples: [Int32] = []

  /// Takes what libFLAC's write callback was given; `false` where that breaks the format's limits.
  mutating func take(
    _ header: FLAC__FrameHeader, _ channels: UnsafePointer<UnsafePointer<Int32>?>
  ) -> Bool {
    let frames = Int(header.blocksize)
    let count = Int(header.channels)
    guard frames <= Int(FLAC__MAX_BLOCK_SIZE), (1...Int(FLAC__MAX_CHANNELS)).contains(count),
      header.number_type == FLAC__FRAME_NUMBER_TYPE_SAMPLE_NUMBER
    else { return false }
    if samples.count < frames * count { samples = Array(repeating: 0, count: frames * count) }
    let taken = samples.withUnsafeMutableBufferPointer { buffer in
      for channel in 0..<count {
        guard let source = channels[channel], let base = buffer.baseAddress else { return false }
        (base + channel * frames).update(from: source, count: frames)
      }
      return true
    }
    guard taken else { return false }
    firstFrame = header.number.sample_number
    frameCount = frames
    channelCount = count
    return true
  }

  /// Whether all samples are 0.
  var isSilent: Bool {
    samples.prefix(frameCount * channelCount).allSatisfy { $0 == 0 }
  }

  /// Forgets the samples, but not their memory.
  mutating func clear() {
    frameCount = 0
  }

  /// Interleaves `count` frames from frame `first` of the block into `buffer`, from its frame `start`.
  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  func interleave<Sample: PCMSample>(
    from first: Int, count: Int, bitDepth: Int, into buffer: inout MutableSpan<Sample>,
    at start: Int
  ) {
    let samples = samples.span
    for channel in 0..<channelCount {
      var target = start * channelCount + channel
      let plane = channel * frameCount + first
      for index in plane..<plane + count {
        buffer[target] = Sample(integer: samples[index], bitDepth: bitDepth)
        target += channelCount
      }
    }
  }
}
