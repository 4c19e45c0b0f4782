internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CSndFile
internal import SystemPackage

/// Settings of libsndfile's lossy encoders.
struct EncoderSettings: Hashable, Sendable {
  /// `SF_BITRATE_MODE_…`, if the encoder has modes.
  private var mode: Int32?
  /// libsndfile's scale of 0 (best) to 1 (smallest).
  private var compression: Double?
  /// The factor by which the encoder lowers all samples.
  private(set) var gain = 1.0

  /// Uses the options, or values close to the source; throws for options that the format does not
  /// have.
  init(_ description: OutputDescription, path: FilePath) throws(AudioFileError) {
    let row = description.format
    let options = description.options
    if options.compressionLevel != nil {
      throw .cannotHold(
        path, reason: "\(row.name) has no compression level",
        remedy: .omit(.compressionLevel, orUseFormat: ["flac"]))
    }
    switch row.codec {
    case .mpegLayer3: try setMP3(description, path)
    case .opus: try setOpus(description, path)
    default: break
    }
  }

  /// Applies the settings to an open file, before any audio is written.
  func apply(to handle: SndFileHandle, path: FilePath) throws(AudioFileError) {
    if var mode {
      // Reports failure if no compression was set before, but sets the mode anyway.
      let size = Int32(MemoryLayout<Int32>.size)
      sf_command(handle.pointer, Int32(SFC_SET_BITRATE_MODE), &mode, size)
    }
    guard var compression else { return }
    let size = Int32(MemoryLayout<Double>.size)
    guard sf_command(handle.pointer, Int32(SFC_SET_COMPRESSION_LEVEL), &compression, size) != 0
    else { throw .encoderFailed(path, reason: "libsndfile refused the encoder's settings") }
  }

  // MARK: MP3

  private mutating func setMP3(
    _ description: OutputDescription, _ path: FilePath
  ) throws(AudioFileError) {
    let options = description.options
    if let quality = options.quality, options.bitRate == nil {
      guard (0...9.99).contains(quality) else {
        throw .cannotHold(
          path, reason: "MP3 has no encoding quality \(quality)",
          remedy: .set(.quality, to: "from 0 (best) to 9.99 (smallest)"))
      }
      mode = Int32(SF_BITRATE_MODE_VARIABLE)
      compression = quality / 10
      return
    }
    let rates = Self.mp3Rates(description.spec.sampleRate)
    if let asked = options.bitRate {
      guard rates.contains(asked) else {
        let list = rates.map { "\($0 / 1000)k" }.joined(separator: ", ")
        throw .cannotHold(
          path, reason: "MP3 at \(description.spec.sampleRate) Hz has no bit rate of \(asked)",
          remedy: .set(.bitRate, to: list))
      }
      setMP3(kilobits: asked / 1000, constant: true, description.spec)
      return
    }
    let wanted = description.sourceBitRate ?? 96_000 * description.spec.channelCount
    let rate = min(max(wanted, rates[0]), rates[rates.count - 1])
    // A source at one of the standard bit rates was most likely constant; otherwise the average is
    // kept.
    setMP3(
      kilobits: Int((Double(rate) / 1000).rounded()), constant: rates.contains(rate),
      description.spec)
  }

  /// The bit rates available in LAME through libsndfile, in bits per second.
  private static func mp3Rates(_ sampleRate: Int) -> [Int] {
    let version = sampleRate >= 32000 ? 1 : sampleRate >= 16000 ? 2 : 25
    let all = MPEGFrameHeader.bitRates(version: version, layer: 3).dropFirst().map { 1000 * $0 }
    return version == 25 ? all.filter { $0 <= 64_000 } : all
  }

  private mutating func setMP3(kilobits: Int, constant: Bool, _ spec: AudioSpec) {
    let isConstant = constant && Self.hasRoomForInfo(kilobits: kilobits, spec)
    mode = Int32(isConstant ? SF_BITRATE_MODE_CONSTANT : SF_BITRATE_MODE_AVERAGE)
    // libsndfile maps 0...1 to this range, starting at its top, and truncates to whole kilobits.
    // Adding half a kilobit yields the intended bit rate.
    let (least, most): (Double, Double) =
      spec.sampleRate >= 32000 ? (32, 320) : spec.sampleRate >= 16000 ? (8, 160) : (8, 64)
    compression = min(1, max(0, (most - (Double(kilobits) + 0.5)) / (most - least)))
    gain = Self.mp3Gain(kilobits: kilobits)
  }

  /// The factor by which LAME 3.100 lowers audio at a bit rate, against clipping in decoders: that of the nearest
  /// standard rate. At a variable rate, it is 1.
  ///
  /// Source: `abr_switch_map` in LAME's `presets.c`; measured in files of 16 to 48 kHz.
  private static func mp3Gain(kilobits: Int) -> Double {
    switch kilobits {
    case ..<176: 0.95
    case ..<208: 0.97
    case ..<240: 0.98
    default: 1
    }
  }

  /// Returns true if a frame at this bit rate has room for the header with the exact length.
  ///
  /// If not, LAME omits the header from a constant stream, and the length grows by the delay and
  /// the padding; an averaged stream has a longer first frame.
  private static func hasRoomForInfo(kilobits: Int, _ spec: AudioSpec) -> Bool {
    let isVersion1 = spec.sampleRate >= 32000
    let frame = (isVersion1 ? 144 : 72) * 1000 * kilobits / spec.sampleRate
    let sideInfo =
      isVersion1 ? (spec.channelCount == 1 ? 17 : 32) : (spec.channelCount == 1 ? 9 : 17)
    // The frame header has 4 bytes, Xing's fields 120, LAME's extension 36.
    return frame >= 4 + sideInfo + 156
  }

  // MARK: Opus

  private mutating func setOpus(
    _ description: OutputDescription, _ path: FilePath
  ) throws(AudioFileError) {
    if description.options.quality != nil {
      throw .cannotHold(
        path, reason: "Opus has no encoding quality", remedy: .set(.bitRate, to: "such as 96k"))
    }
    let channels = description.spec.channelCount
    let range = 6000 * channels...256_000 * channels
    if let asked = description.options.bitRate, !range.contains(asked) {
      throw .cannotHold(
        path,
        reason: "Opus with \(channels) channel\(channels == 1 ? "" : "s") has no bit rate "
          + "of \(asked)",
        remedy: .set(.bitRate, to: "from \(6 * channels)k to \(256 * channels)k"))
    }
    let wanted =
      description.options.bitRate ?? description.sourceBitRate ?? 64_000 * channels
    let perChannel =
      Double(min(max(wanted, range.lowerBound), range.upperBound)) / Double(channels)
    // libsndfile maps 0...1 to 256 to 6 kb/s and truncates to whole bits.
    compression = min(1, max(0, 1 - (perChannel + 0.5 - 6000) / 250_000))
  }
}
