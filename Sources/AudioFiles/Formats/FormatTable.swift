public import AudioIO
internal import FLACFiles
internal import SndFileFiles
internal import VorbisFiles

extension AudioFormat {
  /// Every format, in the order of listings.
  ///
  /// Where two rows share an extension, the first is what the extension means.
  public static let all: [AudioFormat] =
    SndFileLibrary.riff + SndFileLibrary.apple + [DemuxingLibraries.cafALAC, SndFileLibrary.au]
    + [FLACLibrary.flac, FLACLibrary.oggFLAC, VorbisLibrary.vorbis, SndFileLibrary.opus]
    + SndFileLibrary.mpegAudio + DemuxingLibraries.mpeg4 + DemuxingLibraries.formats
    + SndFileLibrary.samplers + SndFileLibrary.science

  /// The row for a codec in Ogg; `nil` for those that are not read.
  static func inOgg(_ codec: Codec) -> AudioFormat? {
    switch codec {
    case .vorbis: VorbisLibrary.vorbis
    case .opus: SndFileLibrary.opus
    case .flac: FLACLibrary.oggFLAC
    default: nil
    }
  }
}
