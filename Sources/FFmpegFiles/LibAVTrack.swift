internal import AudioIO
internal import CLibAV
internal import SystemPackage

/// Chooses one of a container's tracks of sound.
struct LibAVTrack {
  let stream: UnsafeMutablePointer<AVStream>
  let decoder: UnsafePointer<AVCodec>
  /// What the user should know of the choice.
  let warnings: [String]

  /// The track of a number from 1 on, or the first that can be decoded.
  init(of container: LibAVContainer, number: Int?) throws(AudioFileError) {
    let tracks = container.audioStreams
    let path = container.path
    guard let first = tracks.first else {
      let hasVideo = container.streams.contains {
        $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
          && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
      }
      throw .unsupported(
        path, reason: "it has no audio track\(hasVideo ? ", only video" : "")")
    }
    var warnings: [String] = []
    if let number {
      guard tracks.indices.contains(number - 1) else {
        throw .unsupported(
          path,
          reason: "there is no audio track \(number), only \(tracks.count)",
          remedy: .set(.track, to: "from 1 to \(tracks.count)"))
      }
      stream = tracks[number - 1]
    } else {
      stream = tracks.first { Self.decoder(of: $0) != nil } ?? first
      if tracks.count > 1 {
        let place = 1 + (tracks.firstIndex(of: stream) ?? 0)
        warnings.append(
          "there are \(tracks.count) audio tracks; track \(place) is converted, and others can be "
            + "chosen by number")
      }
    }
    if Self.isEncrypted(stream) {
      throw .unsupported(path, reason: "its audio is encrypted, and only its owner has the key")
    }
    guard let decoder = Self.decoder(of: stream) else {
      let name = String(cString: avcodec_get_name(stream.pointee.codecpar.pointee.codec_id))
      throw .unsupported(
        path, reason: "FFmpeg's libraries have no decoder for its audio (\(name))")
    }
    self.decoder = decoder
    self.warnings = warnings
  }

  private static func decoder(
    of stream: UnsafeMutablePointer<AVStream>
  ) -> UnsafePointer<AVCodec>? {
    avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id)
  }

  /// Whether the sample description is one of those for encrypted audio: iTunes, Common Encryption,
  /// Audible.
  private static func isEncrypted(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    let tag = stream.pointee.codecpar.pointee.codec_tag
    return ["drms", "enca", "aavd"].contains { name in
      name.utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } == tag
    }
  }
}
