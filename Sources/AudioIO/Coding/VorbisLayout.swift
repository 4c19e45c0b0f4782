package import AudioModel

/// The channel orders of the Vorbis I specification, section 4.3.9.
package enum VorbisLayout {
  private static let orders: [[Speaker]] = [
    [.frontCenter],
    [.frontLeft, .frontRight],
    [.frontLeft, .frontCenter, .frontRight],
    [.frontLeft, .frontRight, .backLeft, .backRight],
    [.frontLeft, .frontCenter, .frontRight, .backLeft, .backRight],
    [.frontLeft, .frontCenter, .frontRight, .backLeft, .backRight, .lowFrequency],
    [.frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .backCenter, .lowFrequency],
    [
      .frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .backLeft, .backRight,
      .lowFrequency,
    ],
  ]

  /// The layout of a stream with `channelCount` channels, in stream order; unspecified above 8.
  package static func layout(channelCount: Int) -> ChannelLayout {
    guard orders.indices.contains(channelCount - 1) else { return .unspecified(channelCount) }
    return ChannelLayout(orders[channelCount - 1]) ?? .unspecified(channelCount)
  }

  /// For each channel of a stream, the index of the matching channel of `layout`; `nil` if Vorbis has no
  /// channel for one of its speakers.
  package static func order(of layout: ChannelLayout) -> [Int]? {
    // One or two channels without positions count as mono and stereo.
    if layout.speakers == nil, layout.channelCount <= 2 { return Array(0..<layout.channelCount) }
    return layout.order(for: Self.layout(channelCount: layout.channelCount))
  }
}
