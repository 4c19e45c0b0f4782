internal import AudioModel
internal import CSndFile

/// How a file's samples are encoded, and so how they are asked of libsndfile.
struct SampleEncoding: Hashable, Sendable {
  /// The type that loses nothing of the samples.
  enum Delivery: Hashable, Sendable {
    /// 16-bit integers: everything that has 16 bits or fewer.
    case short
    /// 32-bit integers, the sample in the upper bits. Asked for 16, libsndfile would truncate.
    case int
    /// Floating point with full scale 1. Asked for integers, libsndfile would wrap what is beyond.
    case float
    /// The same with 64 bits.
    case double

    /// What samples that are stored so are handed over as; floating point for lossy codecs.
    init(of format: SampleFormat?) {
      switch format {
      case .int8, .int16: self = .short
      case .int24, .int32: self = .int
      case .float32, nil: self = .float
      case .float64: self = .double
      }
    }
  }

  let delivery: Delivery
  /// How samples are stored, or `nil` for lossy codecs.
  let format: SampleFormat?
  let name: String
  /// Whether the length follows from the header, rather than from decoding.
  let hasPromisedLength: Bool

  /// The encoding that libsndfile calls `format` (an `SF_FORMAT_…` value).
  init(_ format: Int32) {
    let subtype = Int(format) & SF_FORMAT_SUBMASK
    switch subtype {
    case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8: self.init(.short, .int8, "PCM 8-bit")
    case SF_FORMAT_PCM_16: self.init(.short, .int16, "PCM 16-bit")
    case SF_FORMAT_PCM_24: self.init(.int, .int24, "PCM 24-bit")
    case SF_FORMAT_PCM_32: self.init(.int, .int32, "PCM 32-bit")
    case SF_FORMAT_FLOAT: self.init(.float, .float32, "PCM 32-bit float")
    case SF_FORMAT_DOUBLE: self.init(.double, .float64, "PCM 64-bit float")
    case SF_FORMAT_ALAC_16: self.init(.short, .int16, "ALAC 16-bit")
    case SF_FORMAT_ALAC_20: self.init(.int, .int24, "ALAC 20-bit")
    case SF_FORMAT_ALAC_24: self.init(.int, .int24, "ALAC 24-bit")
    case SF_FORMAT_ALAC_32: self.init(.int, .int32, "ALAC 32-bit")
    case SF_FORMAT_DPCM_8: self.init(.short, .int8, "DPCM 8-bit")
    case SF_FORMAT_DPCM_16: self.init(.short, .int16, "DPCM 16-bit")
    case SF_FORMAT_DWVW_12, SF_FORMAT_DWVW_16:
      self.init(.short, .int16, "DWVW", hasPromisedLength: false)
    case SF_FORMAT_DWVW_24, SF_FORMAT_DWVW_N:
      self.init(.int, .int24, "DWVW", hasPromisedLength: false)
    case SF_FORMAT_OPUS: self.init(.float, nil, "Opus")
    case SF_FORMAT_VORBIS: self.init(.float, nil, "Vorbis")
    case SF_FORMAT_MPEG_LAYER_I: self.init(.float, nil, "MPEG layer I", hasPromisedLength: false)
    case SF_FORMAT_MPEG_LAYER_II: self.init(.float, nil, "MPEG layer II", hasPromisedLength: false)
    case SF_FORMAT_MPEG_LAYER_III: self.init(.float, nil, "MP3", hasPromisedLength: false)
    default: self.init(.short, nil, Self.name(of: subtype))
    }
  }

  private init(
    _ delivery: Delivery, _ format: SampleFormat?, _ name: String, hasPromisedLength: Bool = true
  ) {
    self.delivery = delivery
    self.format = format
    self.name = name
    self.hasPromisedLength = hasPromisedLength
  }

  /// libsndfile's name of a subtype: `GSM 6.10`.
  private static func name(of subtype: Int) -> String {
    var info = SF_FORMAT_INFO()
    info.format = Int32(subtype)
    let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
    guard sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &info, size) == 0, let name = info.name
    else { return "unknown encoding" }
    return String(cString: name)
  }
}
