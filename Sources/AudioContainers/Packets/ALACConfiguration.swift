internal import AudioIO

/// What ALAC says to decoders.
///
/// Source: Apple, `ALACMagicCookieDescription.txt`.
package enum ALACConfiguration {
  /// The 24 bytes of the ALACSpecificConfig in libavcodec's extradata: behind an atom's header, version
  /// and flags.
  package static func bytes(_ extradata: [UInt8]) -> [UInt8]? {
    extradata.count == 36 ? Array(extradata[12...]) : nil
  }

  /// Core Audio's tag for the one layout that ALAC has for so many channels.
  static func layoutTag(channelCount: Int) -> Int {
    let tags = [100, 101, 114, 116, 120, 124, 142, 127]
    return tags[min(max(channelCount, 1), tags.count) - 1] << 16 | channelCount
  }

  /// The content of the `chan` part, which belongs to more than two channels.
  static func putLayout(channelCount: Int, _ bytes: inout ByteWriter) {
    bytes.append32(layoutTag(channelCount: channelCount))
    bytes.appendZeros(8)
  }
}
