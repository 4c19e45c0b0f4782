extension ConversionSettings {
  /// The weight of each channel of a source of this layout, when they are merged.
  func mergeWeights(
    of layout: ChannelLayout, input: FilePath
  ) throws(ConversionError) -> [Double] {
    if !mergesChannels || layout.channelCount == 1 {
      return Array(repeating: 1, count: layout.channelCount)
    }
    if let weights = downmix.weights(for: layout) { return weights }
    let cause =
      layout.speakers == nil
      ? "the positions of its \(layout) are not known"
      : "ITU-R BS.775 has no weights for the layout \(layout)"
    throw .file(
      .cannotHold(
        input, reason: "\(cause), so --downmix itu cannot merge them",
        remedy: "leave out --downmix for the mean of all channels"))
  }
}
