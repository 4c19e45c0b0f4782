internal import AudioIO

#if FFmpeg
  internal import FFmpegFiles
#endif

/// The libraries that recognize files by themselves; the trait `FFmpeg` adds the only one so far.
enum DemuxingLibraries {
  #if FFmpeg
    static let first: (any DemuxingLibrary.Type)? = FFmpegLibrary.self
    /// The formats that are read only.
    static let formats = FFmpegLibrary.demuxed
    /// AAC and ALAC in MPEG-4 files.
    static let mpeg4 = FFmpegLibrary.mpeg4
    static let cafALAC = FFmpegLibrary.cafALAC
  #else
    static let first: (any DemuxingLibrary.Type)? = nil
    static let formats: [AudioFormat] = []
    static let mpeg4: [AudioFormat] = []
    static let cafALAC = SndFileLibrary.cafALAC
  #endif
}
