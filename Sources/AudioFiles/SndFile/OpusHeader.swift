internal import AudioModel
internal import CSndFile

/// What the first packet of Ogg Opus says of the channels.
///
/// Source: RFC 7845 section 5.1.
struct OpusHeader: Sendable {
  let channelCount: Int
  /// 0: mono or stereo; 1: the layouts of Vorbis; others give no positions.
  let mappingFamily: Int

  init(of input: borrowing InputFile) throws(AudioFileError) {
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

  var layout: ChannelLayout {
    mappingFamily <= 1
      ? VorbisLayout.layout(channelCount: channelCount) : .unspecified(channelCount)
  }

  /// Whether the file ends before its stream does. A further stream behind the first is refused:
  /// libsndfile reads the first link of a chained file only.
  func isCut(
    _ input: borrowing InputFile, _ handle: SndFileHandle
  ) throws(AudioFileError) -> Bool {
    guard let end = try OggStreamEnd(of: input) else { return true }
    if let serial = handle.value(SFC_GET_OGG_STREAM_SERIALNO),
      UInt32(bitPattern: serial) != end.serialNumber
    {
      throw .unsupported(
        input.path,
        reason: "it is several Ogg streams one after another, of which only the first would be read"
      )
    }
    return !end.isWhole
  }
}
