#if FFmpeg
  internal import CLibAV

  /// What is set once for FFmpeg's libraries in this process.
  enum LibAVSetup {
    /// The largest block of memory that the libraries may ask for, in bytes.
    ///
    /// The index of an MP4 takes 24 bytes a packet: this is enough for three days of AAC.
    private static let largestBlock = 256 << 20

    /// Keeps the libraries from printing, and from taking what a header asks for.
    static let done: Void = {
      av_log_set_level(AV_LOG_QUIET)
      av_max_alloc(largestBlock)
    }()
  }
#endif
