internal import AudioModel

/// Samples as libFLAC takes them: 32-bit integers, in the order of the file's channels.
enum FLACSamples {
  /// Puts interleaved frames, which give the channels in `order`, into `block`, from its frame `first` on.
  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  static func put<Sample: PCMSample>(
    _ frames: Span<Sample>, order: [Int], into block: inout [Int32], at first: Int
  ) {
    let channels = order.count
    var block = block.mutableSpan
    // Nearly always: one pass then, rather than one for each channel.
    if order.elementsEqual(0..<channels) {
      let start = first * channels
      for index in frames.indices { block[start + index] = frames[index].nearestInteger }
      return
    }
    for (channel, source) in order.enumerated() {
      var target = first * channels + channel
      for index in stride(from: source, to: frames.count, by: channels) {
        block[target] = frames[index].nearestInteger
        target += channels
      }
    }
  }
}
