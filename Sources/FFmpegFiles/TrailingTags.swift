internal import AudioIO
internal import SystemPackage

/// Tags behind the audio, which demuxers would take for damaged audio.
enum TrailingTags {
  /// The byte at which the content ends, in front of an ID3v1 tag and, of streams that are no more
  /// than frames in a row, an APE tag.
  static func start(
    of input: borrowing InputFile, demuxer: [String]
  ) throws(AudioFileError) -> Int {
    var end = input.size
    if try input.bytes(at: end - 128, count: 3) == Array("TAG".utf8) { end -= 128 }
    guard streams.contains(demuxer.first ?? "") else { return end }
    // APE tag version 2: the footer's size, little endian, leaves out the header.
    let footer = try input.bytes(at: end - 32, count: 32)
    if footer.count == 32, footer.starts(with: Array("APETAGEX".utf8)) {
      let size = Int(footer[12..<16].littleEndianValue)
      let whole = size + (footer[23] & 0x80 != 0 ? 32 : 0)
      if whole < end { end -= whole }
    }
    return end
  }

  private static let streams: Set = ["aac", "ac3", "eac3", "dts", "truehd", "mlp", "amr"]
}
