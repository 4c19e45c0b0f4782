package import AudioIO
package import AudioModel
internal import SystemPackage

/// What the first packet of Ogg Opus says of the channels.
///
/// Source: RFC 7845 section 5.1.
package struct OpusHeader: Sendable {
  let channelCount: Int
  /// 0: mono or stereo; 1: the layouts of Vorbis; others give no positions.
  let mappingFamily: Int

  package init(of input: borrowing InputFile) throws(AudioFileError) {
    let page = try input.bytes(at: 0, count: 27 + 255 + 19)
    guard page.count > 26 else { throw .truncated(input.path, expected: nil, found: nil) }
    let packet = page.dropFirst(27 + Int(page[26])).prefix(19)
    guard packet.count == 19 else { throw .truncated(input.path, expected: nil, found: nil) }
    channelCount = Int(packet[packet.startIndex + 9])
    mappingFamily = Int(packet[packet.startIndex + 18])
    guard channelCount > 0 else {
      throw .limitExceeded(input.path, reason: "its header says 0 channels")
    }
  }

  package var layout: ChannelLayout {
    mappingFamily <= 1
      ? VorbisLayout.layout(channelCount: channelCount) : .unspecified(channelCount)
  }
}
