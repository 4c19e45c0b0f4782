extension SampleBlock {
  /// Copies all frames' samples of one channel of another block, which has so many channels, to one of
  /// this block's.
  ///
  /// This block must have room; how many frames it holds is not changed.
  @specialized(where Sample == Double)
  func copyChannel(
    _ channel: Int, of channelCount: Int, from other: SampleBlock, _ otherChannel: Int,
    of otherCount: Int
  ) {
    let frameCount = other.frameCount
    samples.withUnsafeMutableBufferPointer { target in
      other.samples.withUnsafeBufferPointer { source in
        var (to, from) = (channel, otherChannel)
        for _ in 0..<frameCount {
          target[to] = source[from]
          to &+= channelCount
          from &+= otherCount
        }
      }
    }
  }
}
