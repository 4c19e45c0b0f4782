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

    /// The type for samples stored as `format`; floating point for lossy codecs.
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
    case SF_FORMAT_ALAC_16: self.init(.short, .int16, "ALAC 16-bit")
    case SF_FORMAT_ALAC_20: self.init(.int, .int24, "ALAC 20-bit")
    case SF_FORMAT_ALAC_24: self.init(.int, .int24, "ALAC 24-bit")
    case SF_FORMAT_ALAC_32: self.init(.int, .int32, "ALAC 32-bit")
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

/// The encodings in which libsndfile stores samples.
package enum SndFileSubtype {
  /// The sample formats that files of this `SF_FORMAT_…` value store without loss.
  static func storable(_ code: Int32) -> [SampleFormat] {
    cache.withLock { cache in
      if let known = cache[code] { return known }
      let major = code & Int32(SF_FORMAT_TYPEMASK)
      let subtype = code & ~Int32(SF_FORMAT_TYPEMASK)
      let formats = SampleFormat.allCases.filter {
        format(major: major, like: subtype, storing: $0) != nil
      }
      cache[code] = formats
      return formats
    }
  }

  /// The `SF_FORMAT_…` value of samples without a header.
  static func raw(_ encoding: RawPCM.Encoding) -> Int32 {
    let subtype =
      switch encoding {
      case .s8: SF_FORMAT_PCM_S8
      case .u8: SF_FORMAT_PCM_U8
      case .s16le, .s16be: SF_FORMAT_PCM_16
      case .s24le, .s24be: SF_FORMAT_PCM_24
      case .s32le, .s32be: SF_FORMAT_PCM_32
      case .f32le, .f32be: SF_FORMAT_FLOAT
      case .f64le, .f64be: SF_FORMAT_DOUBLE
      case .alaw: SF_FORMAT_ALAW
      case .ulaw: SF_FORMAT_ULAW
      }
    let order = encoding.isBigEndian ? SF_ENDIAN_BIG : SF_ENDIAN_LITTLE
    return Int32(SF_FORMAT_RAW | subtype | order)
  }

  private static let cache = Locked<[Int32: [SampleFormat]]>([:])

  /// The `SF_FORMAT_…` value of a container with this sample format, in the byte order of
  /// `subtype`; `nil` if libsndfile has none.
  static func format(major: Int32, like subtype: Int32, storing sampleFormat: SampleFormat)
    -> Int32?
  {
    let order = Int(subtype) & SF_FORMAT_ENDMASK
    let isSigned = Int(subtype) & SF_FORMAT_SUBMASK == SF_FORMAT_PCM_S8
    for subtype in subtypes(of: sampleFormat, order: order, isSigned: isSigned) {
      // Encodings that imply AIFF-C refuse a byte order.
      for order in [order, 0] {
        let format = major | Int32(subtype | order)
        var info = SF_INFO()
        info.samplerate = 8000
        info.channels = 1
        info.format = format
        if sf_format_check(&info) != 0 { return format }
      }
    }
    return nil
  }

  private static func subtypes(
    of format: SampleFormat, order: Int, isSigned: Bool
  ) -> [Int] {
    switch format {
    // Signed if there is a choice, except in formats with a byte order here: signed 8-bit samples would make
    // AIFF-C plain AIFF, and raw samples are unsigned, as in WAV, unless declared otherwise.
    case .int8:
      order == 0
        ? [SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8]
        : [isSigned ? SF_FORMAT_PCM_S8 : SF_FORMAT_PCM_U8]
    case .int16: [SF_FORMAT_PCM_16]
    case .int24: [SF_FORMAT_PCM_24]
    case .int32: [SF_FORMAT_PCM_32]
    case .float32: [SF_FORMAT_FLOAT]
    case .float64: [SF_FORMAT_DOUBLE]
    }
  }
}
