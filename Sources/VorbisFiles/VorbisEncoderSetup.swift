internal import AudioIO
internal import AudioModel
internal import CVorbis
internal import SystemPackage

/// libvorbis' description of a stream to be encoded; owns it.
final class VorbisEncoderSetup {
  /// On the heap, since the encoder keeps a pointer to it.
  let info: UnsafeMutablePointer<vorbis_info>
  private let path: FilePath
  private let spec: AudioSpec

  /// The quality where neither the options nor the source say anything.
  private static let usualQuality = 5.0

  /// Sets the encoder as the options ask, or else for about the source's bit rate.
  init(_ description: OutputDescription, path: FilePath) throws(AudioFileError) {
    self.path = path
    spec = description.spec
    info = .allocate(capacity: 1)
    info.initialize(to: vorbis_info())
    vorbis_info_init(info)
    let options = description.options
    try Self.check(options, path)
    if let bitRate = options.bitRate {
      guard setUp(bitRate: bitRate) else {
        throw refusal("about \(bitRate) bits per second")
      }
    } else if let quality = options.quality {
      guard setUp(quality: quality) else { throw refusal("quality \(quality)") }
    } else if let bitRate = description.sourceBitRate, setUp(near: bitRate) {
      return
    } else if !setUp(quality: Self.usualQuality) {
      throw refusal("any quality")
    }
  }

  deinit {
    vorbis_info_clear(info)
    info.deallocate()
  }

  private static func check(
    _ options: EncodingOptions, _ path: FilePath
  ) throws(AudioFileError) {
    if options.compressionLevel != nil {
      throw .encoderFailed(
        path, reason: "Ogg Vorbis has no compression level",
        remedy: .any([.set(.quality, to: "from -1 to 10"), .set(.bitRate, to: "such as 128k")]))
    }
    if options.bitRate != nil, options.quality != nil {
      throw .encoderFailed(
        path, reason: "a bit rate and a quality exclude each other for Ogg Vorbis",
        remedy: .any([.omit(.bitRate, orUseFormat: []), .omit(.quality, orUseFormat: [])]))
    }
    if let quality = options.quality, !(-1...10).contains(quality) {
      throw .encoderFailed(
        path, reason: "Ogg Vorbis has no encoding quality \(quality)",
        remedy: .set(.quality, to: "from -1 to 10"))
    }
  }

  /// Chooses a constant quality, -1 to 10; `false` when libvorbis has no setup for it.
  private func setUp(quality: Double) -> Bool {
    startAnew()
    return vorbis_encode_init_vbr(info, spec.channelCount, spec.sampleRate, Float(quality / 10))
      == 0
  }

  /// Chooses the constant quality whose average is about `bitRate`, as vorbisenc.h describes; `false`
  /// when libvorbis has no setup for it.
  private func setUp(bitRate: Int) -> Bool {
    startAnew()
    return vorbis_encode_setup_managed(
      info, spec.channelCount, spec.sampleRate, -1, bitRate, -1) == 0
      && vorbis_encode_ctl(info, OV_ECTL_RATEMANAGE2_SET, nil) == 0
      && vorbis_encode_setup_init(info) == 0
  }

  /// Chooses the rate nearest to `bitRate` that libvorbis has a setup for; it has none for rates far from
  /// what the sample rate and the channels usually need.
  private func setUp(near bitRate: Int) -> Bool {
    for percent in [100, 115, 85, 130, 70, 150, 50, 200, 40, 300, 30, 500, 20, 700, 10, 1000] {
      let (product, overflows) = bitRate.multipliedReportingOverflow(by: percent)
      if !overflows, setUp(bitRate: product / 100) { return true }
    }
    return false
  }

  private func startAnew() {
    vorbis_info_clear(info)
    vorbis_info_init(info)
  }

  private func refusal(_ what: String) -> AudioFileError {
    .cannotHold(
      path,
      reason: "libvorbis cannot encode \(spec.channelCount) channels at \(spec.sampleRate) Hz "
        + "with \(what)",
      remedy: .any([.change([.bitRate, .quality]), .useFormat(["flac"])]))
  }
}
