internal import AudioModel
internal import CEBUR128

/// The blocks of one stream for ``GatedLoudness``, and its true peaks, through libebur128.
final class BlockMeter {
  private(set) var blocks = GatedLoudness()
  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channelCount: Int
  /// Frames of 100 ms, by which blocks follow each other; a block is four times as long.
  private let stepFrames: Int
  private var frameCount = 0

  /// `nil` for a rate or channels that libebur128 does not support.
  init?(_ spec: AudioSpec) {
    let mode = EBUR128_MODE_M.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    guard
      let state = ebur128_init(
        UInt32(spec.channelCount), UInt(spec.sampleRate), Int32(bitPattern: mode))
    else { return nil }
    self.state = state
    channelCount = spec.channelCount
    stepFrames = (spec.sampleRate + 5) / 10
    LoudnessMeter.place(spec.layout, in: state)
  }

  deinit {
    // `deinit` also runs after a failed `init`.
    if state != nil { ebur128_destroy(&state) }
  }

  /// Measures the next frames, interleaved, with a full scale of 1.
  func add(_ samples: Span<Double>, frameCount count: Int) {
    samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress, let state else { return }
      var done = 0
      while done < count {
        let frames = min(count - done, stepFrames - frameCount % stepFrames)
        _ = ebur128_add_frames_double(state, base + done * channelCount, frames)
        done += frames
        frameCount += frames
        guard frameCount % stepFrames == 0, frameCount >= 4 * stepFrames else { continue }
        var loudness = 0.0
        if ebur128_loudness_momentary(state, &loudness) == 0, loudness.isFinite {
          blocks.add(loudness)
        }
      }
    }
  }

  /// The greatest magnitude between samples, over all channels; full scale is 1.
  var truePeak: Double? {
    guard let state else { return nil }
    var highest: Double?
    for channel in 0..<channelCount {
      var value = 0.0
      if ebur128_true_peak(state, UInt32(channel), &value) == 0, value.isFinite {
        highest = max(highest ?? 0, value)
      }
    }
    return highest
  }
}
