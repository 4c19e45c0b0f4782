package import AudioIO
package import AudioModel
internal import CLibAV

/// How an encoder of libavcodec takes a layout: its own order is that of the WAVE mask.
package struct EncoderLayout {
  /// The layout in the encoder's order.
  let layout: ChannelLayout
  /// For each channel of the encoder, the channel of the frames that are given.
  let order: [Int]

  /// `nil` when the codec has no way to say the layout.
  package init?(_ given: ChannelLayout, codec: AudioFormat.PacketEncoding.Codec) {
    // One or two channels of unknown position are what mono and stereo mean in any format.
    let plain = ChannelLayout.assumed(channelCount: given.channelCount)
    layout = (given.speakers == nil ? plain : given).inMaskOrder
    guard layout.speakers != nil, Self.canSay(layout, codec) else { return nil }
    order =
      given.speakers == nil
      ? Array(0..<given.channelCount) : given.order(for: layout) ?? []
    guard order.count == given.channelCount else { return nil }
  }

  private static func canSay(_ layout: ChannelLayout, _ codec: AudioFormat.PacketEncoding.Codec)
    -> Bool
  {
    switch codec {
    case .alac: alacMasks.contains(UInt64(layout.mask))
    case .aac: AACConfiguration.canSay(layout)
    }
  }

  /// One layout for each count of channels: ALAC says no more than the count.
  private static let alacMasks: Set<UInt64> = {
    guard LibAVSetup.failure == nil,
      let encoder = avcodec_find_encoder_by_name("alac"),
      var next = encoder.pointee.ch_layouts
    else { return [] }
    var masks: Set<UInt64> = []
    while next.pointee.nb_channels > 0 {
      masks.insert(next.pointee.u.mask)
      next += 1
    }
    return masks
  }()
}
