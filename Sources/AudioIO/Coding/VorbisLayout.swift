package import AudioModel

/// The channel orders that the Vorbis I specification fixes, in section 4.3.9.
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

  /// The layout of a stream of so many channels, in the order of the stream; unspecified beyond 8.
  package static func layout(channelCount: Int) -> ChannelLayout {
    guard orders.indices.contains(channelCount - 1) else { return .unspecified(channelCount) }
    return ChannelLayout(orders[channelCount - 1]) ?? .unspecified(channelCount)
  }

  /// For each channel of a stream, the channel of `layout` that belongs there; `nil` when Vorbis has
  /// no place for one of its speakers.
  package static func order(of layout: ChannelLayout) -> [Int]? {
    // One or two channels of unknown position are what mono and stereo mean in any format.
    if layout.speakers == nil, layout.channelCount <= 2 { return Array(0..<layout.channelCount) }
    return layout.order(for: Self.layout(channelCount: layout.channelCount))
  }
}
