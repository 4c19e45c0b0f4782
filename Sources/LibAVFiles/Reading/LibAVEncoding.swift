internal import AudioIO
internal import AudioModel
internal import CLibAV

/// The encoding of a track's samples.
struct LibAVEncoding {
  /// The display name of the codec, such as `AAC (Advanced Audio Coding)`.
  let name: String
  /// The codec, if libsndfile or one like it also decodes it.
  let codec: AudioFormat.Codec?
  /// The stored sample format; `nil` for lossy codecs.
  let sampleFormat: SampleFormat?
  /// True when every sample has the same number of bits, so the byte count determines the length.
  let isPCM: Bool
  /// True for lossy codecs.
  var isLossy: Bool { sampleFormat == nil && !isPCM }
  /// True when packets may be pauses, which must be counted.
  let hasPauses: Bool

  init(_ track: LibAVTrack, _ block: LibAVBlock, profile: Int32) {
    let parameters = track.stream.pointee.codecpar.pointee
    let id = parameters.codec_id
    let plain = LibAVCodecName.name(of: id)
    codec = Self.codec(id)
    name =
      switch (id, profile) {
      case (AV_CODEC_ID_AAC, FF_PROFILE_AAC_HE_V2): "HE-AAC v2 (Advanced Audio Coding)"
      // Band replication doubles the 1024 frames of a packet.
      case (AV_CODEC_ID_AAC, _) where profile == FF_PROFILE_AAC_HE || block.frameCount == 2048:
        "HE-\(plain)"
      default: plain
      }
    hasPauses = id == AV_CODEC_ID_AMR_NB || id == AV_CODEC_ID_AMR_WB
    isPCM = av_get_exact_bits_per_sample(id) > 0
    sampleFormat =
      Self.isLossless(track)
      ? Self.format(block.sampleFormat, bits: Int(parameters.bits_per_raw_sample)) : nil
  }

  private static func codec(_ id: AVCodecID) -> AudioFormat.Codec? {
    // libavcodec numbers codecs in ranges by kind, with codecs of other kinds among them.
    if others.contains(id.rawValue) { return nil }
    return switch id.rawValue {
    case AV_CODEC_ID_PCM_S16LE.rawValue..<AV_CODEC_ID_ADPCM_IMA_QT.rawValue: .pcm
    case AV_CODEC_ID_ADPCM_IMA_QT.rawValue..<AV_CODEC_ID_AMR_NB.rawValue: .adpcm
    case AV_CODEC_ID_GSM.rawValue, AV_CODEC_ID_GSM_MS.rawValue: .gsm
    case AV_CODEC_ID_MP3.rawValue: .mpegLayer3
    default: nil
    }
  }

  /// Codecs that libsndfile does not decode, although it decodes ADPCM in the same containers.
  private static let others: Set<UInt32> = Set(
    [
      AV_CODEC_ID_S302M, AV_CODEC_ID_ADPCM_ADX, AV_CODEC_ID_ADPCM_VIMA, AV_CODEC_ID_ADPCM_G722,
      AV_CODEC_ID_ADPCM_G726, AV_CODEC_ID_ADPCM_G726LE,
    ].map(\.rawValue))

  /// Returns true for lossless tracks.
  static func isLossless(_ track: LibAVTrack) -> Bool {
    let parameters = track.stream.pointee.codecpar.pointee
    let properties = avcodec_descriptor_get(parameters.codec_id)?.pointee.props ?? 0
    if properties & AV_CODEC_PROP_LOSSLESS == 0 { return false }
    if properties & AV_CODEC_PROP_LOSSY == 0 { return true }
    // DTS is lossless in only one profile. WavPack's lossy mode keeps the bit depth.
    return parameters.codec_id != AV_CODEC_ID_DTS || parameters.profile == FF_PROFILE_DTS_HD_MA
  }

  /// The sample format for samples of `type` with `bits` significant bits; 0 means all bits.
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
