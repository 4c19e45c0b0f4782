internal import AudioContainers
internal import AudioIO
internal import SystemPackage

/// Detects encrypted audio, which libavformat demuxes like any other, so that decoding it gives noise.
enum LibAVEncryption {
  /// The error for an encrypted track.
  static func error(_ path: FilePath) -> AudioFileError {
    .unsupported(
      path, reason: "its audio is encrypted (DRM)", remedy: .act("use a copy without encryption"))
  }

  /// Throws if the audio is encrypted according to its container's headers.
  ///
  /// - Parameters:
  ///   - number: The audio track, counted from 1.
  ///   - movie: The index of an MP4 file.
  static func check(
    _ input: borrowing InputFile, demuxer: [String], track number: Int?, movie: MP4Index?
  ) throws(AudioFileError) {
    let tracks: [Bool]
    switch demuxer.first {
    // Audible's format, which is always encrypted.
    case "aa": tracks = [true]
    case "matroska": tracks = try MatroskaTracks.encryptions(of: input)
    case "asf": tracks = [try ASFHeader.isEncrypted(input)]
    case "oma": tracks = [try isEncryptedOpenMG(input)]
    default: tracks = movie?.soundTracks.map(\.isEncrypted) ?? []
    }
    guard tracks.contains(true) else { return }
    let index = (number ?? 1) - 1
    if !tracks.indices.contains(index) || tracks[index] {
      throw error(input.path)
    }
  }

  /// Returns true if the header after the tag names an encryption key: 0xFFFF and 0xFF80 mean none.
  ///
  /// There is no specification; this is what libavformat reads.
  private static func isEncryptedOpenMG(
    _ input: borrowing InputFile
  ) throws(AudioFileError) -> Bool {
    let tag = try input.bytes(at: 0, count: 10)
    var start = 0
    if tag.count == 10, tag.starts(with: Array("ea3".utf8)) {
      // A size of 28 bits, as in ID3v2, excludes the header and the footer.
      let size = tag[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      start = 10 + size + (tag[5] & 0x10 != 0 ? 10 : 0)
    }
    let head = try input.bytes(at: start, count: 8)
    guard head.count == 8, head.starts(with: Array("EA3".utf8)) else { return false }
    return ![0xFFFF, 0xFF80].contains(head[6...].bigEndianValue)
  }
}
