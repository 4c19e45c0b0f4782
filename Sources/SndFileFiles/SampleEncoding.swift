internal import AudioIO
internal import AudioModel
internal import CSndFile

/// The encoding of a file's samples, and the sample type to read them with.
struct SampleEncoding: Hashable, Sendable {
  /// The sample type of libsndfile's functions that preserves every value.
  enum Delivery: Hashable, Sendable {
    /// 16-bit integers, for encodings of up to 16 bits.
    case short
    /// 32-bit integers with the sample in the upper bits. Reading 16 bits would truncate.
    case int
    /// 32-bit floating point with full scale 1. Reading integers would wrap values beyond full
    /// scale.
    case float
    /// 64-bit floating point with full scale 1.
    case double
  }

  let delivery: Delivery
  /// The stored sample format; `nil` for lossy codecs.
  let format: SampleFormat?
  let name: String
  /// True when the header determines the length without decoding.
  let hasDeclaredLength: Bool

  /// True when samples are stored in packets of at most ``maximumPacketFrames`` frames, as in SDS and 24-bit PARIS. A
  /// read that ends inside the last packet makes libsndfile lose the rest of it.
  private(set) var isInPackets = false
  /// 120 bytes of SDS hold 60 samples of up to 14 bits.
  static let maximumPacketFrames = 60
  /// True when libsndfile can seek to any frame itself, because samples or blocks are stored independently.
  private(set) var hasPositions = false

  /// The encoding of an `SF_FORMAT_…` value.
  init(_ format: Int32) {
    let subtype = Int(format) & SF_FORMAT_SUBMASK
    switch subtype {
    case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8: self.init(.short, .int8, "PCM 8-bit")
    case SF_FORMAT_PCM_16: self.init(.short, .int16, "PCM 16-bit")
    case SF_FORMAT_PCM_24: self.init(.int, .int24, "PCM 24-bit")
    case SF_FORMAT_PCM_32: self.init(.int, .int32, "PCM 32-bit")
    case SF_FORMAT_FLOAT: self.init(.float, .float32, "PCM 32-bit float")
    case SF_FORMAT_DOUBLE: self.init(.double, .float64, "PCM 64-bit float")
    case SF_FORMAT_ALAC_16: self.init(.short, .int16, "ALAC (Apple Lossless Audio Codec)")
    case SF_FORMAT_ALAC_20: self.init(.int, .int24, "ALAC (Apple Lossless Audio Codec)")
    case SF_FORMAT_ALAC_24: self.init(.int, .int24, "ALAC (Apple Lossless Audio Codec)")
    case SF_FORMAT_ALAC_32: self.init(.int, .int32, "ALAC (Apple Lossless Audio Codec)")
    case SF_FORMAT_DPCM_8: self.init(.short, .int8, "DPCM 8-bit")
    case SF_FORMAT_DPCM_16: self.init(.short, .int16, "DPCM 16-bit")
    case SF_FORMAT_DWVW_12, SF_FORMAT_DWVW_16:
      self.init(.short, .int16, "DWVW", hasDeclaredLength: false)
    case SF_FORMAT_DWVW_24, SF_FORMAT_DWVW_N:
      self.init(.int, .int24, "DWVW", hasDeclaredLength: false)
    case SF_FORMAT_OPUS: self.init(.float, nil, "Opus")
    case SF_FORMAT_VORBIS: self.init(.float, nil, "Vorbis")
    case SF_FORMAT_MPEG_LAYER_I: self.init(.float, nil, "MPEG layer I", hasDeclaredLength: false)
    case SF_FORMAT_MPEG_LAYER_II: self.init(.float, nil, "MPEG layer II", hasDeclaredLength: false)
    case SF_FORMAT_MPEG_LAYER_III: self.init(.float, nil, "MP3", hasDeclaredLength: false)
    default: self.init(.short, nil, Self.name(of: subtype))
    }
    if Self.alone.contains(subtype) { pcmDepth = self.format?.bitDepth ?? 8 }
    let major = Int(format) & SF_FORMAT_TYPEMASK
    isInPackets =
      major == SF_FORMAT_SDS || (major, subtype) == (SF_FORMAT_PAF, SF_FORMAT_PCM_24)
    hasPositions =
      Self.alone.contains(subtype) && !isInPackets
      || Self.inBlocks.contains(subtype) && Self.blockContainers.contains(major)
  }

  /// Bits of each stored sample of PCM, A-law and µ-law; `nil` for codecs in blocks and packets.
  private(set) var pcmDepth: Int?

  private static let alone: Set = [
    SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32,
    SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE, SF_FORMAT_ULAW, SF_FORMAT_ALAW,
  ]

  /// ADPCM encodings whose blocks begin with the decoder's state, and the containers where libsndfile uses that state.
  private static let inBlocks: Set = [SF_FORMAT_IMA_ADPCM, SF_FORMAT_MS_ADPCM]
  private static let blockContainers: Set = [
    SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64, SF_FORMAT_W64, SF_FORMAT_AIFF,
  ]

  private init(
    _ delivery: Delivery, _ format: SampleFormat?, _ name: String, hasDeclaredLength: Bool = true
  ) {
    self.delivery = delivery
    self.format = format
    self.name = name
    self.hasDeclaredLength = hasDeclaredLength
  }

  /// libsndfile's name of a subtype, such as `GSM 6.10`.
  private static func name(of subtype: Int) -> String {
    var info = SF_FORMAT_INFO()
    info.format = Int32(subtype)
    let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
    guard sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &info, size) == 0, let name = info.name
    else { return "unknown encoding" }
    return String(cString: name)
  }
}
