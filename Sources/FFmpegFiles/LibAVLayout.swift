internal import AudioModel
internal import CLibAV

/// The speakers that libavcodec names, as a layout of ours.
enum LibAVLayout {
  /// The layout of interleaved frames; unspecified, with a warning, where it has speakers that no
  /// format here can say.
  static func layout(_ layout: AVChannelLayout, warnings: inout [String]) -> ChannelLayout {
    let count = Int(layout.nb_channels)
    switch layout.order {
    case AV_CHANNEL_ORDER_UNSPEC:
      return .assumed(channelCount: count)
    case AV_CHANNEL_ORDER_NATIVE:
      // libavutil numbers the first 18 positions as WAVE does.
      if let mask = UInt32(exactly: layout.u.mask),
        let known = ChannelLayout(mask: mask, channelCount: count)
      {
        return known
      }
      // A stereo downmix (`DL DR`) is stereo to whoever hears it.
      if count == 2 { return .stereo }
    case AV_CHANNEL_ORDER_CUSTOM:
      if let known = custom(layout, count: count) { return known }
    default:
      break
    }
    warnings.append(
      "its channel layout (\(name(of: layout))) cannot be told here; "
        + "its \(count) channels are kept in their order, their positions are not")
    return .unspecified(count)
  }

  private static func custom(_ layout: AVChannelLayout, count: Int) -> ChannelLayout? {
    guard let map = layout.u.map else { return nil }
    var speakers: [Speaker] = []
    for index in 0..<count {
      guard let number = UInt8(exactly: map[index].id.rawValue),
        let speaker = Speaker(rawValue: number)
      else { return nil }
      speakers.append(speaker)
    }
    return ChannelLayout(speakers)
  }

  private static func name(of layout: AVChannelLayout) -> String {
    var layout = layout
    var buffer = [CChar](repeating: 0, count: 256)
    av_channel_layout_describe(&layout, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
