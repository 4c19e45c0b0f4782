package import AudioIO
internal import CLibAV
internal import CLibAVLoader
package import SystemPackage

/// What is set for FFmpeg's libraries in this process.
package enum LibAVSetup {
  /// The largest block of memory that the libraries may ever ask for, in bytes.
  ///
  /// The index of an MP4 takes 24 bytes a packet: this is enough for three days of AAC.
  private static let largestBlock = 256 << 20
  /// What they may ask for whatever the file.
  private static let smallestLimit = 32 << 20
  /// How much more than its own size a file's index may take: packets of 12 bytes need twice as much.
  private static let indexBytesPerByte = 2

  /// The limit that is set, which is one for all files that are open.
  private static let limit = Locked(0)

  /// Keeps the libraries from printing; `nil` when that is done, else why the libraries cannot be had.
  /// None of their functions may be called before.
  package static let failure: String? = {
    if let reason = scaleaudio_libav_failure() { return String(cString: reason) }
    av_log_set_level(AV_LOG_QUIET)
    return nil
  }()

  /// Throws where the libraries are needed to read `path` and cannot be had.
  package static func check(_ path: FilePath) throws(AudioFileError) {
    if let failure {
      throw .unsupported(path, reason: lack(failure), remedy: .act("install FFmpeg's libraries"))
    }
  }

  /// The cause, where the libraries cannot be loaded.
  package static func lack(_ failure: String) -> String {
    "it needs FFmpeg's libraries, which cannot be loaded (\(failure))"
  }

  /// Keeps the libraries, which are there, from taking what only a header asks for: no more than a file of
  /// this size, or the largest so far, can have use for.
  static func prepare(forFileOf size: Int) {
    let (index, overflows) = size.multipliedReportingOverflow(by: indexBytesPerByte)
    let wanted = min(largestBlock, overflows ? largestBlock : max(smallestLimit, index))
    limit.withLock { limit in
      guard wanted > limit else { return }
      limit = wanted
      av_max_alloc(limit)
    }
  }
}
