internal import AudioModel
internal import CLibAV

/// How a track's samples are encoded.
struct LibAVEncoding {
  /// What people call the codec: `AAC (Advanced Audio Coding)`.
  let name: String
  /// How samples are stored; `nil` for lossy codecs.
  let sampleFormat: SampleFormat?
  /// Whether each sample takes the same number of bits, so that the length follows from the bytes.
  let isPCM: Bool
  /// Whether packets may stand for pauses, which must be counted.
  let hasPauses: Bool

  init(_ track: LibAVTrack, _ block: LibAVBlock) {
    let parameters = track.stream.pointee.codecpar.pointee
    let id = parameters.codec_id
    let descriptor = avcodec_descriptor_get(id)
    name =
      descriptor?.pointee.long_name.map { String(cString: $0) }
      ?? String(cString: avcodec_get_name(id))
    hasPauses = id == AV_CODEC_ID_AMR_NB || id == AV_CODEC_ID_AMR_WB
    isPCM = av_get_exact_bits_per_sample(id) > 0
    sampleFormat =
      Self.isLossless(track)
      ? Self.format(block.sampleFormat, bits: Int(parameters.bits_per_raw_sample)) : nil
  }

  /// Whether a track keeps every sample.
  static func isLossless(_ track: LibAVTrack) -> Bool {
    let parameters = track.stream.pointee.codecpar.pointee
    let properties = avcodec_descriptor_get(parameters.codec_id)?.pointee.props ?? 0
    if properties & AV_CODEC_PROP_LOSSLESS == 0 { return false }
    if properties & AV_CODEC_PROP_LOSSY == 0 { return true }
    // DTS is lossless in one of its profiles only; WavPack's lossy mode keeps its depth.
    return parameters.codec_id != AV_CODEC_ID_DTS || parameters.profile == FF_PROFILE_DTS_HD_MA
  }

  /// The format that keeps samples delivered as `type` of which `bits` are used; 0 for all.
  private static func format(_ type: AVSampleFormat, bits: Int) -> SampleFormat? {
    switch type {
    case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P: return .int8
    case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P: return (1...8).contains(bits) ? .int8 : .int16
    case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P:
      switch bits {
      case 1...8: return .int8
      case 9...16: return .int16
      case 17...24: return .int24
      default: return .int32
      }
    case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP: return .float32
    case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP, AV_SAMPLE_FMT_S64, AV_SAMPLE_FMT_S64P:
      return .float64
    default: return nil
    }
  }
}
