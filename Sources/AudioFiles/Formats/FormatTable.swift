internal import AudioContainers
public import AudioIO
public import AudioModel
internal import FLACFiles
internal import PCMFiles
internal import SndFileFiles
internal import VorbisFiles

#if FFmpeg
  internal import LibAVFiles
#endif

extension AudioFormat {
  /// All formats, in the order of listings.
  ///
  /// If two formats share an extension, the extension means the first.
  public static let all: [AudioFormat] =
    PCMLibrary.riff + PCMLibrary.apple + [DemuxingLibraries.cafALAC, PCMLibrary.au]
    + [FLACLibrary.flac, FLACLibrary.oggFLAC, VorbisLibrary.vorbis, SndFileLibrary.opus]
    + SndFileLibrary.mpegAudio + DemuxingLibraries.mpeg4 + DemuxingLibraries.formats
    + SndFileLibrary.samplers + SndFileLibrary.science + [.raw(.s16le)]

  /// The format of headerless files in an encoding. If the sample format of the output differs, the byte order stays;
  /// G.711 is written as 16-bit samples.
  public static func raw(_ encoding: RawPCM.Encoding) -> AudioFormat {
    PCMLibrary.raw(encoding)
  }

  /// The declaration of a headerless file that was written in this format; `nil` for formats with a header.
  public func rawPCM(storing sampleFormat: SampleFormat?, _ spec: AudioSpec) -> RawPCM? {
    guard let sampleFormat,
      let encoding = PCMLibrary.rawEncoding(of: self, storing: sampleFormat)
    else { return nil }
    return RawPCM(encoding: encoding, spec: spec)
  }

  /// The format for a codec in Ogg; `nil` if it is not supported.
  static func inOgg(_ codec: Codec) -> AudioFormat? {
    all.first { $0.container == .ogg && $0.codec == codec }
  }
}

extension AudioFormat {
  /// The format with this id, otherwise with this extension, ignoring case; `nil` if there is none.
  public static func named(_ text: String) -> AudioFormat? {
    let lowered = text.lowercased()
    return all.first { $0.id == lowered } ?? forExtension(lowered)
  }

  /// The format written for the name of a codec in M4A files, `aac` or `alac`; `nil` for other
  /// names.
  public static func ofCodec(_ text: String) -> AudioFormat? {
    let lowered = text.lowercased()
    return all.first {
      $0.container == .mp4 && $0.packets?.codec.rawValue == lowered && $0.losslessID == nil
    }
  }

  /// The format of a file name extension, without dot, ignoring case; `nil` if there is none.
  public static func forExtension(_ text: String) -> AudioFormat? {
    let lowered = text.lowercased()
    return all.first { $0.extensions.contains(lowered) }
  }
}

/// The pixels of a picture in rows from the top, each a red, a green and a blue byte.
package typealias PicturePixels = (width: Int, height: Int, bytes: [UInt8])

/// The libraries that detect formats themselves. The trait `FFmpeg` adds the only one.
enum DemuxingLibraries {
  #if FFmpeg
    static let first: (any DemuxingLibrary.Type)? = FFmpegLibrary.self
    /// The formats that are only read.
    static let formats = FFmpegLibrary.demuxed
    /// AAC and ALAC in MPEG-4 files.
    static let mpeg4 = FFmpegLibrary.mpeg4
    static let cafALAC = FFmpegLibrary.cafALAC

    static func pixels(ofPicture file: [UInt8]) -> PicturePixels? {
      FFmpegLibrary.pixels(ofPicture: file).map { ($0.width, $0.height, $0.bytes) }
    }
  #else
    static let first: (any DemuxingLibrary.Type)? = nil
    static let formats: [AudioFormat] = []
    static let mpeg4: [AudioFormat] = []
    static let cafALAC = SndFileLibrary.cafALAC

    static func pixels(ofPicture file: [UInt8]) -> PicturePixels? { nil }
  #endif
}
