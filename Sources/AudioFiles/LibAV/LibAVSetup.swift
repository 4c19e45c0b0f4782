#if FFmpeg
  internal import CLibAV
  internal import CLibAVLoader
  internal import SystemPackage

  /// What is set once for FFmpeg's libraries in this process.
  enum LibAVSetup {
    /// The largest block of memory that the libraries may ask for, in bytes.
    ///
    /// The index of an MP4 takes 24 bytes a packet: this is enough for three days of AAC.
    private static let largestBlock = 256 << 20

    /// Keeps the libraries from printing, and from taking what a header asks for.
    ///
    /// `nil` when that is done, else why the libraries cannot be had. None of their functions may be
    /// called before.
    static let failure: String? = {
      if let reason = scaleaudio_libav_failure() { return String(cString: reason) }
      av_log_set_level(AV_LOG_QUIET)
      av_max_alloc(largestBlock)
      return nil
    }()

    /// Throws where the libraries are needed to read `path` and cannot be had.
    static func check(_ path: FilePath) throws(AudioFileError) {
      if let failure { throw .unsupported(path, reason: lack(failure)) }
    }

    /// The cause and the remedy, where the libraries cannot be had.
    static func lack(_ failure: String) -> String {
      "it takes FFmpeg's libraries, which cannot be loaded (\(failure)); install them"
    }
  }
#endif
