internal import AudioModel
internal import CEBUR128
internal import Waveforms

/// Momentary and short-term loudness over time by EBU R 128, through libebur128.
final class LoudnessCurveMeter {
  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channelCount: Int
  private let frameCount: Int
  /// The frames between two readings, 100 ms.
  private let step: Int
  private var momentary: [Double]
  private var shortTerm: [Double]
  private var position = 0

  /// The windows of momentary and short-term loudness, in steps.
  private static let (momentaryWindow, shortWindow) = (4, 30)
  /// The number of steps between readings of short-term loudness, which changes slowly and costs more.
  private static let rareReading = 10

  /// `nil` for a rate or channels that libebur128 does not support.
  init?(_ spec: AudioSpec, frameCount: Int, columns: Int) {
    let mode =
      EBUR128_MODE_M.rawValue | EBUR128_MODE_S.rawValue | EBUR128_MODE_I.rawValue
      | EBUR128_MODE_HISTOGRAM.rawValue
    channelCount = spec.channelCount
    self.frameCount = max(1, frameCount)
    step = max(1, spec.sampleRate / 10)
    momentary = Array(repeating: -.infinity, count: max(1, columns))
    shortTerm = momentary
    state = ebur128_init(
      UInt32(spec.channelCount), UInt(spec.sampleRate), Int32(bitPattern: mode))
    guard let state else { return nil }
    LoudnessMeter.place(spec.layout, in: state)
  }

  deinit {
    // `deinit` also runs after a failed `init`.
    if state != nil { ebur128_destroy(&state) }
  }

  /// Measures the next frames, interleaved.
  func add(_ samples: Span<Int16>) {
    var next = 0
    let end = samples.count / channelCount
    while next < end {
      let count = min(end - next, step - position % step)
      let part = samples.extracting(next * channelCount..<(next + count) * channelCount)
      part.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        _ = ebur128_add_frames_short(state, base, count)
      }
      next += count
      position += count
      if position % step == 0 { read() }
    }
  }

  /// Reads the loudness of the windows that end here.
  private func read() {
    let steps = position / step
    // There are as many columns as readings, so that lines have no gaps.
    let first = column(ofFrame: position - step)
    let columns = first..<max(first + 1, column(ofFrame: position))
    if steps >= Self.momentaryWindow {
      note(ebur128_loudness_momentary, in: columns, of: &momentary)
    }
    let isLong = frameCount / max(1, momentary.count) > step * Self.rareReading
    if steps >= Self.shortWindow, !isLong || steps % Self.rareReading == 0 {
      note(ebur128_loudness_shortterm, in: columns, of: &shortTerm)
    }
  }

  private func column(ofFrame frame: Int) -> Int {
    min(momentary.count - 1, Int(Double(frame) / Double(frameCount) * Double(momentary.count)))
  }

  private func note(
    _ loudness: (UnsafeMutablePointer<ebur128_state>?, UnsafeMutablePointer<Double>?) -> Int32,
    in columns: Range<Int>, of values: inout [Double]
  ) {
    var value = 0.0
    guard loudness(state, &value) == 0, value.isFinite else { return }
    for column in columns where values.indices.contains(column) {
      values[column] = max(values[column], value)
    }
  }

  /// The loudness measured so far.
  var curve: LoudnessCurve {
    var value = 0.0
    let isMeasured = ebur128_loudness_global(state, &value) == 0 && value.isFinite
    return LoudnessCurve(
      momentary: momentary, shortTerm: shortTerm, integrated: isMeasured ? value : nil)
  }
}
