#if FFmpeg
  internal import CLibAV

  /// The version of libavformat that the program was started with.
  enum LibAVVersion {
    static var text: String {
      let version = avformat_version()
      return "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
    }
  }
#endif
