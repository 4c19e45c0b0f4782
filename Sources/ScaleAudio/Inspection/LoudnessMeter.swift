internal import AudioModel
internal import CEBUR128

/// Loudness by EBU R 128, and true peaks, through libebur128.
final class LoudnessMeter {
  private var state: UnsafeMutablePointer<ebur128_state>?

  /// Longer audio, in seconds, is measured in steps of 0.1 LU so that memory stays bounded. Shorter audio is measured
  /// exactly, with 350 bytes a second.
  private static let exactSeconds = 4.0 * 3600

  /// `nil` for a rate or channels that libebur128 does not support.
  init?(_ spec: AudioSpec, frameCount: Int) {
    var mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    if spec.seconds(frames: frameCount) > Self.exactSeconds {
      mode |= EBUR128_MODE_HISTOGRAM.rawValue
    }
    guard
      let state = ebur128_init(
        UInt32(spec.channelCount), UInt(spec.sampleRate), Int32(bitPattern: mode))
    else { return nil }
    self.state = state
    Self.place(spec.layout, in: state)
  }

  /// Sets the speaker of each channel.
  static func place(_ layout: ChannelLayout, in state: UnsafeMutablePointer<ebur128_state>) {
    for (index, place) in places(of: layout).enumerated() {
      ebur128_set_channel(state, UInt32(index), Int32(bitPattern: place.rawValue))
    }
  }

  deinit {
    // `deinit` also runs after a failed `init`.
    if state != nil { ebur128_destroy(&state) }
  }

  /// Measures the next frames, interleaved, with a full scale of 1.
  func add(_ samples: Span<Double>, frameCount: Int) {
    samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      _ = ebur128_add_frames_double(state, base, frameCount)
    }
  }

  /// LUFS; `nil` if nothing is louder than the gate at -70 LUFS.
  var integrated: Double? {
    var value = 0.0
    guard let state, ebur128_loudness_global(state, &value) == 0, value.isFinite else { return nil }
    return value
  }

  /// LU; `nil` in the same cases.
  var range: Double? {
    var value = 0.0
    guard integrated != nil, let state, ebur128_loudness_range(state, &value) == 0, value.isFinite
    else { return nil }
    return value
  }

  /// The greatest magnitude between samples; full scale is 1.
  func truePeak(ofChannel channel: Int) -> Double? {
    var value = 0.0
    guard let state, ebur128_true_peak(state, UInt32(channel), &value) == 0, value.isFinite else {
      return nil
    }
    return value
  }

  /// The speaker positions of ITU-R BS.1770-4, which determine the weights: surrounds between 60 and 120 degrees get
  /// 1.5 dB more, low-frequency channels are excluded. Channels of unknown position are weighted equally.
  private static func places(of layout: ChannelLayout) -> [channel] {
    guard let speakers = layout.speakers else {
      return Array(repeating: EBUR128_Mp000, count: layout.channelCount)
    }
    // If there are side speakers, back speakers are behind the listener; otherwise they are the surrounds.
    let hasSides = speakers.contains(.sideLeft) || speakers.contains(.sideRight)
    return speakers.map { place(of: $0, hasSides: hasSides) }
  }

  private static func place(of speaker: Speaker, hasSides: Bool) -> channel {
    switch speaker {
    case .frontLeft: EBUR128_Mp030
    case .frontRight: EBUR128_Mm030
    case .frontCenter: EBUR128_Mp000
    case .lowFrequency: EBUR128_UNUSED
    case .backLeft: hasSides ? EBUR128_Mp135 : EBUR128_Mp110
    case .backRight: hasSides ? EBUR128_Mm135 : EBUR128_Mm110
    case .frontLeftOfCenter: EBUR128_MpSC
    case .frontRightOfCenter: EBUR128_MmSC
    case .backCenter: EBUR128_Mp180
    case .sideLeft: hasSides ? EBUR128_Mp090 : EBUR128_Mp110
    case .sideRight: hasSides ? EBUR128_Mm090 : EBUR128_Mm110
    case .topCenter: EBUR128_Tp000
    case .topFrontLeft: EBUR128_Up045
    case .topFrontCenter: EBUR128_Up000
    case .topFrontRight: EBUR128_Um045
    case .topBackLeft: EBUR128_Up135
    case .topBackCenter: EBUR128_Up180
    case .topBackRight: EBUR128_Um135
    }
  }
}
